import type { ApiError } from '../../api/index.ts';
import type { Refusal } from '../dialogs/flow.ts';
import { asSentence } from '../dialogs/plainText.ts';
import { explainFailure } from '../words/failures.ts';
import type { CreateStep } from './createValues.ts';

/**
 * A refused create in the dialog's terms: the service's own sentence where there is one, the causes that are possible,
 * and the step that may mend it. What the service does not name is not guessed: a taken name is the likeliest cause of
 * a refusal, so the dialog goes back to the name.
 */
export function creationRefusal(failure: ApiError): Refusal {
  const { title, detail, serviceSays } = explainFailure(failure);
  const step = stepOf(failure);
  return {
    message: asSentence(serviceSays === '' ? title : serviceSays),
    detail,
    ...(step && { step }),
  };
}

function stepOf({ kind }: ApiError): CreateStep | undefined {
  if (kind === 'refused' || kind === 'invalid-request') return 'name';
  return kind === 'payload-too-large' ? 'instructions' : undefined;
}
