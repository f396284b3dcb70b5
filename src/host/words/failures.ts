import type { ApiErrorKind } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { Explanation, FailureFacts, WordsOf } from './explanation.ts';
import { accessWords } from './failuresOfAccess.ts';
import { connectionWords } from './failuresOfConnection.ts';
import { requestWords } from './failuresOfRequests.ts';
import { runWords } from './failuresOfRuns.ts';

/** Most characters that are shown of a sentence of the service. */
const MAX_SAYING_CHARACTERS = 300;

const words: WordsOf<ApiErrorKind> = {
  ...accessWords,
  ...requestWords,
  ...runWords,
  ...connectionWords,
};

/**
 * Puts a failure into words, the one place where an error's kind becomes something to read.
 *
 * Where a refusal has no listed reason, the service's sentence is given with the causes that are possible; none is
 * guessed.
 */
export function explainFailure(failure: FailureFacts): Explanation {
  return { ...words[failure.kind](failure), serviceSays: sayingOf(failure) };
}

/** Kinds whose message is our own technical one, whatever response there was. */
const OWN_MESSAGE: ReadonlySet<ApiErrorKind> = new Set([
  'aborted',
  'broken-stream',
  'network',
  'not-the-service',
  'redirect',
  'reply-too-long',
  'tls',
  'unexpected-answer',
]);

/** The service's own sentence as inert text; empty where the message is a technical one of ours. */
function sayingOf({ kind, status, message }: FailureFacts): string {
  const own =
    OWN_MESSAGE.has(kind) || status === null || status === 0 || /^HTTP \d+$/.test(message);
  return own ? '' : plainLine(message, MAX_SAYING_CHARACTERS);
}
