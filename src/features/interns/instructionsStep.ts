import * as vscode from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import type { PickRow, Refusal, StepResult } from '../../platform/dialogs/prompts.ts';
import type { Step } from '../../platform/dialogs/steps.ts';
import { pickTextFile } from '../../platform/dialogs/textFiles.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { CreateValues, InstructionsSource } from './createValues.ts';
import { instructionsProblem } from './internFieldChecks.ts';
import type { WriteInstructions } from './instructionsDraft.ts';

/** What the step is built from. */
interface InstructionsStepPorts {
  readonly write: WriteInstructions;
  /** Called before the dialog makes way for an editor: the window may be reloaded while it is open. */
  readonly keep: (values: CreateValues) => Thenable<void>;
}

/**
 * The step that asks where instructions come from, and gets them: it hides while they are written in an editor, and is
 * shown again when that is given up or a file cannot be taken.
 */
export function instructionsStep(
  title: string,
  { write, keep }: InstructionsStepPorts,
): Step<CreateValues> {
  const again = (draft: CreateValues, refusal?: Refusal): StepResult<CreateValues> => ({
    kind: 'jump',
    step: 'instructions',
    draft,
    refusal,
  });

  const writeAnew = async (values: CreateValues): Promise<StepResult<CreateValues>> => {
    await keep(values);
    const { kind, text } = await write(values.instructions);
    const written = { ...values, instructions: text };
    return kind === 'used' ? { kind: 'value', value: written } : again(written);
  };

  const read = async (values: CreateValues): Promise<StepResult<CreateValues>> => {
    const file = await pickTextFile({
      title: vscode.l10n.t('Instructions of {0}', values.name),
      openLabel: vscode.l10n.t('Use as Instructions'),
      maxBytes: MAX_BODY_BYTES,
    });
    if (file === undefined) return again(values);
    if (!file.ok) return again(values, { message: file.error });
    const problem = instructionsProblem(file.value);
    return problem === undefined
      ? { kind: 'value', value: { ...values, instructions: file.value } }
      : again(values, { message: problem });
  };

  return {
    id: 'instructions',
    show: async (values, ask) => {
      const picked = await ask.pick<InstructionsSource, CreateValues>({
        title,
        placeholder: vscode.l10n.t('Standing instructions that the intern starts with'),
        rows: rows(values),
        active: values.source,
        write: (source) => ({ ...values, source }),
      });
      if (picked.kind !== 'value' || picked.value.source === 'none') return picked;
      return picked.value.source === 'editor' ? writeAnew(picked.value) : read(picked.value);
    },
  };
}

function rows({ instructions }: CreateValues): PickRow<InstructionsSource>[] {
  const length = formatNumber(instructions.length);
  return [
    { label: vscode.l10n.t('No instructions'), value: 'none', icon: icon('circle-slash') },
    {
      label: vscode.l10n.t('Write in an editor…'),
      ...(instructions !== '' && {
        description: vscode.l10n.t('{0} characters are there already', length),
      }),
      detail: vscode.l10n.t('Opens a Markdown tab; its title has the actions to use or cancel it.'),
      value: 'editor',
      icon: icon('edit'),
    },
    { label: vscode.l10n.t('From a file…'), value: 'file', icon: icon('file-text') },
  ];
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}
