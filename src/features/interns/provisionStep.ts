import { l10n, ThemeIcon } from 'vscode';
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
  /** Shows a whole description. Undefined if the values are no file's. */
  readonly showDescription?: ((description: string) => Promise<void>) | undefined;
  /** Whether sending the values would send an earlier request again. */
  readonly wouldResume: (values: CreateValues) => boolean;
  readonly send: Submit<CreateValues>;
}

/** Tells whether provisioning starts at once, or a look at a text first. */
type Choice = boolean | 'description' | 'instructions';

/**
 * The last step, which sends. The texts of a `.intern.json` file came with the folder and may be anybody's: those that a
 * row cannot show whole are shown in an editor before they are sent. Instructions are sent as they are used there.
 */
export function provisionStep(
  title: string,
  { write, showDescription, wouldResume, send }: ProvisionStepPorts,
): Step<CreateValues> {
  const shown = new Set<string>();
  /** The first text that must be shown before anything is sent. */
  const unseen = ({ description, source, instructions }: CreateValues) => {
    const isDescriptionSeen = isInSight(description) || shown.has(description);
    if (showDescription !== undefined && !isDescriptionSeen) return 'description';
    return source === 'intern-file' && !isInSight(instructions) ? 'instructions' : undefined;
  };
  return {
    id: 'provision',
    show: async (values, ask) => {
      const isSeen = unseen(values) === undefined;
      const picked = await ask.pick<Choice, Choice>({
        title,
        placeholder: l10n.t('When should it start?'),
        rows: [
          ...(showDescription === undefined ? [] : fileRows(values)),
          ...[true, false].map((provision) =>
            wouldResume({ ...values, provision })
              ? resumeRow(values, provision)
              : provisionRow(values, provision, isSeen),
          ),
        ],
        active: values.provision,
        submit: async (choice, signal) =>
          typeof choice === 'boolean' && isSeen
            ? send({ ...values, provision: choice }, signal)
            : undefined,
        write: (choice) => choice,
      });
      const choice = picked.kind === 'value' ? picked.value : picked.draft;
      const chosen = typeof choice === 'boolean' ? { ...values, provision: choice } : values;
      if (picked.kind !== 'value') return { ...picked, draft: chosen };
      const toShow = typeof choice === 'string' ? choice : unseen(values);
      if (toShow === undefined) return { kind: 'value', value: chosen };
      if (toShow === 'description') {
        await showDescription?.(values.description);
        shown.add(values.description);
        return { kind: 'jump', step: 'provision', draft: chosen };
      }
      const { kind, text } = await write(values.instructions);
      const next: CreateValues =
        kind === 'used' ? { ...chosen, source: 'editor', instructions: text } : chosen;
      return { kind: 'jump', step: 'provision', draft: next };
    },
  };
}

/** Returns whether a row shows the whole text. */
function isInSight(text: string): boolean {
  return !/[\r\n]/.test(text) && Array.from(visibleText(text)).length <= MAX_ROW_CHARACTERS;
}

/** The beginnings of the texts that a `.intern.json` file would have sent, and the way to all of each. */
function fileRows({ source, name, description, instructions }: CreateValues): PickRow<Choice>[] {
  const icon = new ThemeIcon('go-to-file');
  const rows: PickRow<Choice>[] = [{ note: plainLine(name), detail: beginningOf(description) }];
  if (!isInSight(description))
    rows.push({ label: l10n.t('Show the whole description'), icon, value: 'description' });
  if (source === 'intern-file')
    rows.push({
      label: l10n.t('Show all of it'),
      description: l10n.t('Instructions: {0} characters', formatNumber(instructions.length)),
      detail: beginningOf(instructions),
      icon,
      value: 'instructions',
    });
  return rows;
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
  const seeFirst = l10n.t('Shows all of it first: you have seen only its beginning.');
  const atOnce = l10n.t('{0} is set up at once and can be talked to when it runs.', name);
  const later = l10n.t(
    'Provisioning of {0} must then be started elsewhere: the interface has no route for it.',
    name,
  );
  return provision
    ? {
        label: l10n.t('Start provisioning now'),
        detail: isSeen ? atOnce : seeFirst,
        icon: new ThemeIcon('play'),
        value: true,
      }
    : {
        label: l10n.t('Provision later'),
        detail: isSeen ? later : seeFirst,
        icon: new ThemeIcon('clock'),
        value: false,
      };
}

function resumeRow({ name }: CreateValues, provision: boolean): PickRow<Choice> {
  return {
    label: l10n.t('Resume the creation of {0}', name),
    detail: l10n.t('Sends the same request again, which the service takes for the same creation.'),
    icon: new ThemeIcon('sync'),
    value: provision,
  };
}
