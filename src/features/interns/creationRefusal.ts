import { l10n } from 'vscode';
import type { ApiError } from '../../api/index.ts';
import { asSentence } from '../../platform/dialogs/plainText.ts';
import type { Refusal } from '../../platform/dialogs/prompts.ts';
import { explainFailure } from '../../platform/words/failures.ts';
import type { CreateStep } from './createValues.ts';

/**
 * A refused create in the dialog's terms: the service's own sentence where there is one, the causes that are possible,
 * and the step that may mend it. What the service does not name is not guessed: a taken name is the likeliest cause of
 * a refusal, so the dialog goes back to the name.
 *
 * @param mayBeResumed Whether the intern may exist all the same: then the last step, shown anew, offers to resume.
 */
export function creationRefusal(failure: ApiError, mayBeResumed: boolean): Refusal {
  const { title, detail, serviceSays } = explainFailure(failure);
  const message = asSentence(serviceSays === '' ? title : serviceSays);
  const end = creationEnd(mayBeResumed);
  if (mayBeResumed) return { message, detail: end, step: 'provision' };
  const step = stepOf(failure);
  return { message, detail: `${end} ${detail}`, ...(step && { step }) };
}

/** Says whether an intern came of a create that failed. */
export function creationEnd(mayBeResumed: boolean): string {
  return mayBeResumed
    ? l10n.t(
        'It is not known whether the intern was created. Resume the creation: that never creates a second one.',
      )
    : l10n.t('The intern wasn’t created.');
}

function stepOf({ kind, status }: ApiError): CreateStep | undefined {
  // A 403 speaks of the API key or the API root, which no step can mend.
  if ((kind === 'refused' && status !== 403) || kind === 'invalid-request') return 'name';
  return kind === 'payload-too-large' ? 'instructions' : undefined;
}
