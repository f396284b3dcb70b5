import { l10n } from 'vscode';
import {
  checkDescription,
  checkInstructions,
  checkInternId,
  checkInternName,
  type ApiError,
  type InternDraft,
} from '../../api/index.ts';
import { asSentence } from '../../platform/dialogs/plainText.ts';
import type { Refusal } from '../../platform/dialogs/dialogs.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import {
  checkText,
  internIdMessage,
  internNameMessage,
  lengthMessage,
} from '../../platform/text/limitMessages.ts';

export interface CreateValues {
  readonly name: string;
  readonly description: string;
  /** Undefined until it is chosen. */
  readonly source: InstructionsSource | undefined;
  readonly instructions: string;
  /** Undefined until it is chosen. */
  readonly provision: boolean | undefined;
}

/** The source of the instructions. The user may not know those of an `intern-file` (`.intern.json`). */
export type InstructionsSource = 'none' | 'editor' | 'file' | 'intern-file';

export const EMPTY_VALUES: CreateValues = {
  name: '',
  description: '',
  source: undefined,
  instructions: '',
  provision: undefined,
};

/** The IDs of the dialog's steps, in their order. */
export type CreateStep = 'name' | 'description' | 'instructions' | 'provision';

/** Returns what is sent to the service. */
export function toDraft(values: CreateValues): InternDraft {
  const { name, description, source, instructions, provision } = values;
  return {
    name,
    description: description.trim() === '' ? null : description,
    instructions: source === 'none' || instructions.trim() === '' ? null : instructions,
    provision: provision === true,
  };
}

export const internNameProblem = checkText(checkInternName, internNameMessage);
export const descriptionProblem = checkText(checkDescription, lengthMessage);
export const instructionsProblem = checkText(checkInstructions, lengthMessage);
/** Ignores white space around the ID, which pasting may add. */
export const internIdProblem = checkText((id) => checkInternId(id.trim()), internIdMessage);

/**
 * Describes a failed creation for its dialog: the service's own sentence if there is one, the possible causes, and the
 * step that may fix it.
 *
 * @param mayBeResumed the intern may exist, so the last step offers to resume
 */
export function creationRefusal(failure: ApiError, mayBeResumed: boolean): Refusal {
  const { title, detail, serviceMessage } = explainFailure(failure);
  const message = asSentence(serviceMessage === '' ? title : serviceMessage);
  const end = creationEnd(mayBeResumed);
  if (mayBeResumed) return { message, detail: end, step: 'provision' };
  const step = stepOf(failure);
  return { message, detail: `${end} ${detail}`, ...(step && { step }) };
}

/** Says whether a failed creation may have created an intern. */
export function creationEnd(mayBeResumed: boolean): string {
  return mayBeResumed
    ? l10n.t('The intern may have been created. Resume to find out; no duplicate is created.')
    : l10n.t('The intern wasn’t created.');
}

function stepOf({ kind, status }: ApiError): CreateStep | undefined {
  // A 403 concerns the API key or the service URL. For other refusals, a taken name is the likeliest cause.
  if ((kind === 'refused' && status !== 403) || kind === 'invalid-request') return 'name';
  return kind === 'payload-too-large' ? 'instructions' : undefined;
}
