import * as vscode from 'vscode';
import { MAX_SECRET_VALUE_CHARACTERS } from '../../api/index.ts';
import type {
  PickRow,
  Prompts,
  Refusal,
  StepResult,
  Submit,
} from '../../platform/dialogs/prompts.ts';
import type { Step } from '../../platform/dialogs/steps.ts';
import { sourceFace, takeText, type TextSource } from '../../platform/dialogs/takeText.ts';
import { valueProblem } from './secretFieldChecks.ts';

/** The places that the value of a secret can come from. */
type ValueSource = 'type' | TextSource;

/** The values that the dialog for a secret gathers. They live as long as the dialog. */
export interface SecretValues {
  readonly name: string;
  /** As typed: separated by commas or white space. */
  readonly hosts: string;
  readonly source: ValueSource | undefined;
  readonly value: string;
}

/** A character of UTF-8 has at most this many bytes. */
const MAX_CHARACTER_BYTES = 4;

/** What the step may say. */
interface SourceStepOptions {
  readonly title: string;
  readonly applies: () => boolean;
  readonly prompts: Prompts;
  /** Whether no step follows a value that was taken, so that the secret is stored. */
  readonly isLast: (values: SecretValues) => boolean;
  readonly store: Submit<SecretValues>;
}

/**
 * The step that asks where a value comes from, and takes it from there, unless it is typed in the next step. Where the
 * value cannot be taken or the service refuses it, the step is shown again and says why.
 */
export function sourceStep({
  title,
  applies,
  isLast,
  prompts,
  store,
}: SourceStepOptions): Step<SecretValues> {
  return {
    id: 'source',
    applies,
    show: async (values, ask) => {
      const picked = await ask.pick<ValueSource, SecretValues>({
        title,
        placeholder: vscode.l10n.t('Where does the value come from?'),
        rows: rows(),
        active: values.source,
        write: (source) => ({ ...values, source }),
      });
      if (picked.kind !== 'value') return picked;
      const { source = 'type' } = picked.value;
      if (source === 'type') {
        // A value from elsewhere must not stand, masked, in the box for typing.
        const value = values.source === 'type' ? values.value : '';
        return { kind: 'value', value: { ...picked.value, value } };
      }
      const again = (refusal?: Refusal): StepResult<SecretValues> => ({
        kind: 'jump',
        step: 'source',
        draft: picked.value,
        refusal,
      });
      const taken = await takeText({
        ...{ source, title, prompts },
        maxBytes: MAX_SECRET_VALUE_CHARACTERS * MAX_CHARACTER_BYTES,
        problem: valueProblem,
      });
      if (taken.kind !== 'value') return again(taken.kind === 'problem' ? taken : undefined);
      const chosen = { ...picked.value, value: taken.value };
      const refusal = isLast(chosen) ? await storeShowingProgress(chosen, store) : undefined;
      return refusal === undefined ? { kind: 'value', value: chosen } : again(refusal);
    },
  };
}

function rows(): PickRow<ValueSource>[] {
  return [
    {
      label: vscode.l10n.t('Type the value'),
      detail: vscode.l10n.t('One line, masked while you type'),
      icon: new vscode.ThemeIcon('edit'),
      value: 'type',
    },
    sourceRow('clipboard', vscode.l10n.t('With its line breaks as they are')),
    sourceRow('file', vscode.l10n.t('UTF-8 text, with its line breaks as they are')),
  ];
}

function sourceRow(value: TextSource, detail: string): PickRow<ValueSource> {
  const { label, icon } = sourceFace(value);
  return { label, detail, icon: new vscode.ThemeIcon(icon), value };
}

/** Stores a secret while no box is open to show that it goes on. */
function storeShowingProgress(
  values: SecretValues,
  store: Submit<SecretValues>,
): Thenable<Refusal | undefined> {
  const title = vscode.l10n.t('Storing {0}', values.name);
  const options = { location: vscode.ProgressLocation.Notification, title };
  return vscode.window.withProgress(options, () => store(values, new AbortController().signal));
}
