import { l10n } from 'vscode';
import {
  ApiError,
  checkDescription,
  checkInstructions,
  checkInternName,
  countCharacters,
  createBody,
  MAX_BODY_BYTES,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INSTRUCTIONS_CHARACTERS,
  type InternDraft,
} from '../../api/index.ts';
import type { EditedText } from '../../platform/dialogs/editText.ts';
import { plainLine, visibleText } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Dialogs, Refusal } from '../../platform/dialogs/dialogs.ts';
import { inputStep, type Step, runSteps } from '../../platform/dialogs/steps.ts';
import { warnIfTight } from '../../platform/dialogs/statusMessage.ts';
import { pickTextFile } from '../../platform/dialogs/takeText.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { asSentence, formatNumber } from '../../platform/text/format.ts';
import { checkText, internNameMessage, lengthMessage } from '../../platform/text/limitMessages.ts';
import type { Account } from '../accounts/account.ts';
import type { CreationRecord } from '../accounts/records.ts';
import type { Creation, Creations } from './creations.ts';

export interface CreateValues {
  readonly name: string;
  readonly description: string;
  /** Undefined until it is chosen. */
  readonly source: InstructionsSource | undefined;
  readonly instructions: string;
  /** Undefined until it is chosen. */
  readonly provision: boolean | undefined;
}

/**
 * The source of the instructions. `file` is a file that the user is about to select, and `chosen-file` one that was read.
 * The user may not know those of an `intern-file` (`.intern.json`).
 */
type InstructionsSource = 'none' | 'editor' | 'file' | 'chosen-file' | 'intern-file';

export const EMPTY_VALUES: CreateValues = {
  name: '',
  description: '',
  source: undefined,
  instructions: '',
  provision: undefined,
};

/** The IDs of the dialog's steps, in their order. */
export type CreateStep = 'name' | 'description' | 'instructions' | 'provision';

export const internNameProblem = checkText(checkInternName, internNameMessage);
export const descriptionProblem = checkText(checkDescription, lengthMessage);
export const instructionsProblem = checkText(checkInstructions, lengthMessage);

/** Maximum number of characters (code points) that a row has room for. */
const MAX_ROW_CHARACTERS = 80;

/** True to start provisioning now, false for later, or the text to show first. */
type Choice = boolean | 'description' | 'instructions';

export interface CreateDialogPorts {
  readonly dialogs: Dialogs;
  readonly creations: Creations;
  /** Shows instructions in an editor until they are used or discarded. */
  readonly write: (text: string) => Promise<EditedText>;
  /** Shows a whole description. Only for values of a file. */
  readonly showDescription?: ((description: string) => Promise<void>) | undefined;
  /** Called with a created intern, also after the dialog was left. */
  readonly handleCreated: (
    creation: Creation,
    sent: CreateValues,
    wasLeft: boolean,
  ) => Promise<void>;
  /** Called when the dialog is left while it sends the creation of an intern with this name. */
  readonly handleLeft: (name: string, sending: Promise<unknown>) => void;
  /** Called with the failure of a creation whose dialog was left. */
  readonly handleLateFailure: (failure: ApiError, mayBeResumed: boolean) => void;
}

/**
 * Asks for name, description, instructions and provisioning, and sends the create in the last step. A refusal is shown
 * at the step that can fix it, with all values kept.
 */
export async function askToCreate(
  account: Account,
  initial: CreateValues,
  ports: CreateDialogPorts,
  startAt?: CreateStep,
): Promise<void> {
  const attempts = createAttempts(account, ports);
  const steps: Step<CreateValues>[] = [
    inputStep('name', () => ({
      prompt: l10n.t('Name: 2–17 lowercase letters, digits and single hyphens'),
      validate: internNameProblem,
    })),
    inputStep('description', () => ({
      prompt: l10n.t('Description (optional)'),
      validate: descriptionProblem,
    })),
    instructionsStep(ports.write),
    provisionStep(ports, attempts),
  ];
  await runSteps(ports.dialogs, steps, initial, { title: l10n.t('Create Intern'), startAt });
}

/**
 * Asks for the source of the instructions, and gets them. The step is shown again after they were discarded in an
 * editor, or if a file cannot be used.
 */
function instructionsStep(write: CreateDialogPorts['write']): Step<CreateValues> {
  return {
    id: 'instructions',
    show: async (values, ask) => {
      const picked = await ask.pick<InstructionsSource, CreateValues>({
        placeholder: l10n.t('Instructions the intern starts with'),
        rows: sourceRows(values),
        active: values.source,
        write: (source) => ({ ...values, source }),
      });
      if (picked.kind !== 'value') return picked;
      const chosen = picked.value;
      if (chosen.source !== 'editor' && chosen.source !== 'file') return picked;
      const again = { kind: 'jump', step: 'instructions', draft: chosen } as const;
      if (chosen.source === 'editor') {
        const { kind, text } = await write(chosen.instructions);
        return kind === 'used'
          ? { kind: 'value', value: { ...chosen, instructions: text } }
          : again;
      }
      const file = await pickTextFile({
        title: l10n.t('Instructions for {0}', chosen.name),
        openLabel: l10n.t('Use as Instructions'),
        maxBytes: MAX_BODY_BYTES,
      });
      if (file === undefined) return again;
      if (!file.ok) return { ...again, refusal: { message: file.error } };
      const problem = instructionsProblem(file.value);
      if (problem !== undefined) return { ...again, refusal: { message: problem } };
      const value: CreateValues = { ...chosen, source: 'chosen-file', instructions: file.value };
      return { kind: 'value', value };
    },
  };
}

function sourceRows({ source, instructions }: CreateValues): PickRow<InstructionsSource>[] {
  const length = formatNumber(countCharacters(instructions));
  const kept = l10n.t('Keep the current instructions');
  const isOfFile = source === 'chosen-file' || source === 'intern-file';
  return [
    ...(isOfFile ? [{ label: kept, value: source, icon: 'check' }] : []),
    { label: l10n.t('No instructions'), value: 'none', icon: 'circle-slash' },
    {
      label: l10n.t('Write in an editor…'),
      ...(instructions !== '' && { description: l10n.t('{0} characters so far', length) }),
      detail: l10n.t('Opens a Markdown editor with buttons to use or discard the text'),
      value: 'editor',
      icon: 'edit',
    },
    { label: l10n.t('From a file…'), value: 'file', icon: 'file-text' },
  ];
}

/**
 * Sends the create. The user may not know the texts of a `.intern.json` file: those that are too long for a row are
 * shown in an editor before they are sent. The instructions can be edited there.
 */
function provisionStep(
  { write, showDescription, handleLeft }: CreateDialogPorts,
  attempts: Attempts,
): Step<CreateValues> {
  const shown = new Set<string>();
  /** Returns the first text that must be shown before sending. */
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
        placeholder: l10n.t('When should the intern start?'),
        rows: [
          ...(showDescription === undefined ? [] : fileRows(values)),
          ...[true, false].map((provision) =>
            attempts.wouldResume({ ...values, provision })
              ? resumeRow(values, provision)
              : provisionRow(values, provision, isSeen),
          ),
        ],
        active: values.provision,
        submit: async (choice, signal) => {
          if (typeof choice !== 'boolean' || !isSeen) return undefined;
          const sending = attempts.send({ ...values, provision: choice }, signal);
          const handleLeave = () => handleLeft(values.name, sending);
          signal.addEventListener('abort', handleLeave);
          return sending.finally(() => signal.removeEventListener('abort', handleLeave));
        },
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
  return !/[\r\n]/.test(text) && countCharacters(visibleText(text)) <= MAX_ROW_CHARACTERS;
}

/** Returns the beginnings of the texts of a `.intern.json` file, and rows that show the whole texts. */
function fileRows({ source, name, description, instructions }: CreateValues): PickRow<Choice>[] {
  const icon = 'go-to-file';
  const rows: PickRow<Choice>[] = [{ note: plainLine(name), detail: rowExcerpt(description) }];
  if (!isInSight(description))
    rows.push({ label: l10n.t('Show full description'), icon, value: 'description' });
  if (source === 'intern-file')
    rows.push({
      label: l10n.t('Show all of it'),
      description: l10n.t(
        'Instructions: {0} characters',
        formatNumber(countCharacters(instructions)),
      ),
      detail: rowExcerpt(instructions),
      icon,
      value: 'instructions',
    });
  return rows;
}

function rowExcerpt(text: string): string {
  return plainLine(visibleText(text), 2 * MAX_ROW_CHARACTERS);
}

function provisionRow({ name }: CreateValues, isNow: boolean, isSeen: boolean): PickRow<Choice> {
  const label = isNow ? l10n.t('Start provisioning now') : l10n.t('Provision later');
  const detail = isNow
    ? l10n.t('{0} is set up right away. You can chat with it once it’s running.', name)
    : l10n.t('You’ll have to start {0} outside VS Code.', name);
  const seeFirst = l10n.t('Opens the full text first; you’ve seen only part of it.');
  const icon = isNow ? 'play' : 'clock';
  return { label, detail: isSeen ? detail : seeFirst, icon, value: isNow };
}

function resumeRow({ name }: CreateValues, provision: boolean): PickRow<Choice> {
  return {
    label: l10n.t('Resume the creation of {0}', name),
    detail: l10n.t('Sends the same request again. No duplicate is created.'),
    icon: 'sync',
    value: provision,
  };
}

type Attempts = ReturnType<typeof createAttempts>;

/** Returns functions that send the creations of one dialog. */
function createAttempts(account: Account, ports: CreateDialogPorts) {
  const { creations, handleCreated, handleLateFailure } = ports;
  let last: CreationRecord | undefined;
  /** The last creation whose outcome is unknown. A later one may have been sent since. */
  let unclear: CreationRecord | undefined;
  return {
    /** Returns whether sending these values would resume a creation whose outcome is unknown. */
    wouldResume: (values: CreateValues) => unclear?.body === createBody(toDraft(values)),
    send: async (values: CreateValues, signal: AbortSignal): Promise<Refusal | undefined> => {
      const { headerProblem } = creations;
      if (headerProblem !== undefined) return { message: headerProblem };
      const draft = toDraft(values);
      warnIfTight(draft.description ?? '', MAX_DESCRIPTION_CHARACTERS);
      warnIfTight(draft.instructions ?? '', MAX_INSTRUCTIONS_CHARACTERS);
      const record = await creations.prepare(account, draft, last);
      last = record;
      try {
        const creation = await creations.send(account, record);
        await handleCreated(creation, values, signal.aborted);
        return undefined;
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        const mayBeResumed = await creations.mayBeResumed(account, record);
        if (mayBeResumed) unclear = record;
        else if (unclear?.id === record.id) unclear = undefined;
        if (signal.aborted) handleLateFailure(failure, mayBeResumed);
        return creationRefusal(failure, mayBeResumed);
      }
    },
  };
}

function toDraft(values: CreateValues): InternDraft {
  const { name, description, source, instructions, provision } = values;
  return {
    name,
    description: description.trim() === '' ? null : description,
    instructions: source === 'none' || instructions.trim() === '' ? null : instructions,
    provision: provision === true,
  };
}

/**
 * Describes a failed creation for its dialog: the service's own sentence if there is one, the possible causes, and the
 * step that may fix it.
 *
 * @param mayBeResumed the intern may exist, so the last step offers to resume
 */
function creationRefusal(failure: ApiError, mayBeResumed: boolean): Refusal {
  const { title, detail, serviceMessage } = explainFailure(failure);
  const message = asSentence(serviceMessage === '' ? title : serviceMessage);
  const outcome = creationOutcomeMessage(mayBeResumed);
  if (mayBeResumed) return { message, detail: outcome, step: 'provision' };
  const step = stepOf(failure);
  return { message, detail: `${outcome} ${detail}`, ...(step && { step }) };
}

/** Says whether a failed creation may have created an intern. */
export function creationOutcomeMessage(mayBeResumed: boolean): string {
  return mayBeResumed
    ? l10n.t('The intern may have been created. Resume to find out; no duplicate is created.')
    : l10n.t('The intern wasn’t created.');
}

function stepOf({ kind, status }: ApiError): CreateStep | undefined {
  // A 403 concerns the API key or the service URL. For other refusals, a taken name is the likeliest cause.
  if ((kind === 'refused' && status !== 403) || kind === 'invalid-request') return 'name';
  return kind === 'payload-too-large' ? 'instructions' : undefined;
}
