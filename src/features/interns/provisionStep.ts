import * as vscode from 'vscode';
import { plainLine, visibleText } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Submit } from '../../platform/dialogs/prompts.ts';
import type { Step } from '../../platform/dialogs/steps.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { CreateValues } from './createValues.ts';
import type { WriteInstructions } from './instructionsDraft.ts';

/** Most characters (code points) of a text of a file that its row is sure to have room for. */
const MAX_ROW_CHARACTERS = 80;

/** What the step is built from. */
interface ProvisionStepPorts {
  readonly write: WriteInstructions;
  /** Whether sending the values would send an earlier request again. */
  readonly wouldResume: (values: CreateValues) => boolean;
  readonly send: Submit<CreateValues>;
}

/** Whether provisioning starts at once, or a look at the instructions first. */
type Choice = boolean | 'show';

/**
 * The last step, which sends. Instructions of a `.intern.json` file came with the folder and may be anybody's: those that
 * a row cannot show whole are shown in an editor before they are sent, and sent as they are used there.
 */
export function provisionStep(
  title: string,
  { write, wouldResume, send }: ProvisionStepPorts,
): Step<CreateValues> {
  return {
    id: 'provision',
    show: async (values, ask) => {
      const isSeen = areInstructionsSeen(values);
      const picked = await ask.pick<Choice, Choice>({
        title,
        placeholder: vscode.l10n.t('When should it start?'),
        rows: [
          ...fileRows(values),
          ...[true, false].map((provision) =>
            wouldResume({ ...values, provision })
              ? resumeRow(values, provision)
              : provisionRow(values, provision, isSeen),
          ),
        ],
        active: values.provision,
        submit: async (choice, signal) =>
          choice === 'show' || !isSeen ? undefined : send({ ...values, provision: choice }, signal),
        write: (choice) => choice,
      });
      const choice = picked.kind === 'value' ? picked.value : picked.draft;
      const chosen = typeof choice === 'boolean' ? { ...values, provision: choice } : values;
      if (picked.kind !== 'value') return { ...picked, draft: chosen };
      if (isSeen && choice !== 'show') return { kind: 'value', value: chosen };
      const { kind, text } = await write(values.instructions);
      const next: CreateValues =
        kind === 'used' ? { ...chosen, source: 'editor', instructions: text } : chosen;
      return { kind: 'jump', step: 'provision', draft: next };
    },
  };
}

function areInstructionsSeen({ source, instructions }: CreateValues): boolean {
  if (source !== 'intern-file') return true;
  return !/[\r\n]/.test(instructions) && isShort(visibleText(instructions));
}

function isShort(text: string): boolean {
  return Array.from(text).length <= MAX_ROW_CHARACTERS;
}

/** What a `.intern.json` file would have sent: the beginnings of its texts, and the way to all of its instructions. */
function fileRows({ source, name, description, instructions }: CreateValues): PickRow<Choice>[] {
  if (source !== 'intern-file') return [];
  const length = vscode.l10n.t('Instructions: {0} characters', formatNumber(instructions.length));
  return [
    { note: plainLine(name), detail: beginningOf(description) },
    {
      label: vscode.l10n.t('Show all of it'),
      description: length,
      detail: beginningOf(instructions),
      icon: new vscode.ThemeIcon('go-to-file'),
      value: 'show',
    },
  ];
}

function beginningOf(text: string): string {
  return plainLine(visibleText(text), 2 * MAX_ROW_CHARACTERS);
}

/** Names the intern, since the dialog may open at this step: from a file, or back from an editor. */
function provisionRow(
  { name }: CreateValues,
  provision: boolean,
  isSeen: boolean,
): PickRow<Choice> {
  const seeFirst = vscode.l10n.t('Shows all of it first: you have seen only its beginning.');
  const atOnce = vscode.l10n.t('{0} is set up at once and can be talked to when it runs.', name);
  const later = vscode.l10n.t(
    'Provisioning of {0} must then be started elsewhere: the interface has no route for it.',
    name,
  );
  return provision
    ? {
        label: vscode.l10n.t('Start provisioning now'),
        detail: isSeen ? atOnce : seeFirst,
        icon: new vscode.ThemeIcon('play'),
        value: true,
      }
    : {
        label: vscode.l10n.t('Provision later'),
        detail: isSeen ? later : seeFirst,
        icon: new vscode.ThemeIcon('clock'),
        value: false,
      };
}

function resumeRow({ name }: CreateValues, provision: boolean): PickRow<Choice> {
  return {
    label: vscode.l10n.t('Resume the creation of {0}', name),
    detail: vscode.l10n.t(
      'Sends the same request again, which the service takes for the same creation.',
    ),
    icon: new vscode.ThemeIcon('sync'),
    value: provision,
  };
}
