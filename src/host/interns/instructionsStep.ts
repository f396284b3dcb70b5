import * as vscode from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import type { PickRow, Prompts, Step, StepPlace, StepResult } from '../dialogs/steps.ts';
import { pickTextFile } from '../dialogs/textFile.ts';
import { formatNumber } from '../words/format.ts';
import type { CreateValues, InstructionsSource } from './createValues.ts';
import { instructionsProblem } from './fieldChecks.ts';
import type { WriteInstructions } from './instructionsEditor.ts';

/** What the step is built from. */
export interface InstructionsStepPorts {
  readonly prompts: Prompts;
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
  { prompts, write, keep }: InstructionsStepPorts,
): Step<CreateValues> {
  const ask = async (values: CreateValues, place: StepPlace): Promise<StepResult<CreateValues>> => {
    const picked = await prompts.pick<InstructionsSource>({
      title,
      place,
      placeholder: vscode.l10n.t('Standing instructions that the intern boots with'),
      rows: rows(values),
      ...(values.source && { active: values.source }),
    });
    if (picked.kind !== 'value') return { ...picked, draft: values };
    const chosen = { ...values, source: picked.value };
    if (picked.value === 'none') return { kind: 'value', value: chosen };
    return picked.value === 'editor' ? writeAnew(chosen, place) : read(chosen, place);
  };

  const writeAnew = async (
    values: CreateValues,
    place: StepPlace,
  ): Promise<StepResult<CreateValues>> => {
    await keep(values);
    const { kind, text } = await write(values.instructions);
    const written = { ...values, instructions: text };
    return kind === 'used'
      ? { kind: 'value', value: written }
      : ask(written, { ...place, refusal: undefined });
  };

  const read = async (
    values: CreateValues,
    place: StepPlace,
  ): Promise<StepResult<CreateValues>> => {
    const file = await pickTextFile({
      title: vscode.l10n.t('Instructions of {0}', values.name),
      openLabel: vscode.l10n.t('Use as Instructions'),
      maxBytes: MAX_BODY_BYTES,
    });
    if (file === undefined) return ask(values, { ...place, refusal: undefined });
    const problem = file.ok ? instructionsProblem(file.value) : file.error;
    if (problem !== undefined) return ask(values, { ...place, refusal: { message: problem } });
    return {
      kind: 'value',
      value: { ...values, instructions: file.ok ? file.value : values.instructions },
    };
  };

  return { id: 'instructions', show: ask };
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
