import * as vscode from 'vscode';
import type {
  PickRow,
  Prompts,
  Refusal,
  Step,
  StepPlace,
  StepResult,
  Submit,
} from '../dialogs/steps.ts';
import type { SecretValues } from './secretValues.ts';
import { takeValue, type ValueSource } from './valueSources.ts';

/** What the step may say. */
export interface SourceStepOptions {
  readonly title: string;
  readonly applies: () => boolean;
  /** Whether no step follows a value that was taken, so that the secret is stored. */
  readonly isLast: (values: SecretValues) => boolean;
  readonly store: Submit<SecretValues>;
}

/**
 * The step that asks where a value comes from, and takes it from there, unless it is typed in the next step. Where the
 * value cannot be taken or the service refuses it, the step is shown again and says why.
 */
export function sourceStep(
  prompts: Prompts,
  { title, applies, isLast, store }: SourceStepOptions,
): Step<SecretValues> {
  const ask = async (values: SecretValues, place: StepPlace): Promise<StepResult<SecretValues>> => {
    const picked = await prompts.pick<ValueSource>({
      title,
      place,
      placeholder: vscode.l10n.t('Where does the value come from?'),
      rows: rows(),
      ...(values.source && { active: values.source }),
    });
    if (picked.kind !== 'value') return { ...picked, draft: values };
    const source = picked.value;
    if (source === 'type') {
      // A value from elsewhere must not stand, masked, in the box for typing.
      const value = values.source === 'type' ? values.value : '';
      return { kind: 'value', value: { ...values, source, value } };
    }
    const again = (refusal?: Refusal) => ask({ ...values, source }, { ...place, refusal });
    const taken = await takeValue(source, title, prompts);
    if (taken.kind !== 'value') return again(taken.kind === 'problem' ? taken : undefined);
    const chosen = { ...values, source, value: taken.value };
    const refusal = isLast(chosen) ? await storeShowingProgress(chosen, store) : undefined;
    return refusal === undefined ? { kind: 'value', value: chosen } : again(refusal);
  };
  return { id: 'source', applies, show: ask };
}

function rows(): PickRow<ValueSource>[] {
  return [
    {
      label: vscode.l10n.t('Type the value'),
      detail: vscode.l10n.t('One line, masked while you type'),
      icon: new vscode.ThemeIcon('edit'),
      value: 'type',
    },
    {
      label: vscode.l10n.t('From the clipboard'),
      detail: vscode.l10n.t('With its line breaks as they are'),
      icon: new vscode.ThemeIcon('clippy'),
      value: 'clipboard',
    },
    {
      label: vscode.l10n.t('From a file…'),
      detail: vscode.l10n.t('UTF-8 text, with its line breaks as they are'),
      icon: new vscode.ThemeIcon('file'),
      value: 'file',
    },
  ];
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
