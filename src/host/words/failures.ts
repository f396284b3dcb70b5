import type { ApiError, ApiErrorKind } from '../../api/index.ts';
import type { ActionId } from '../../protocol/view.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { accessWords } from './failuresOfAccess.ts';
import { connectionWords } from './failuresOfConnection.ts';
import { requestWords } from './failuresOfRequests.ts';
import { runWords } from './failuresOfRuns.ts';

/** Most characters that are shown of a sentence of the service. */
const MAX_SAYING_CHARACTERS = 300;

/** A failure in words: what happened, what to do about it, and what can be done with one click. Plain text, localized. */
export interface Explanation {
  /** One sentence without its full stop. */
  readonly title: string;
  /** One or two sentences: why, and what to do. */
  readonly detail: string;
  /** The service's own sentence, one line of inert text, shortened; empty where there was none. */
  readonly serviceSays: string;
  /** Ways out, the best first. */
  readonly actions: readonly ActionId[];
}

/** What {@link explainFailure} must know of a failure; an `ApiError` is one, and so is one kept in a journal. */
export type FailureFacts = Pick<
  ApiError,
  'kind' | 'route' | 'status' | 'reason' | 'message' | 'inStream'
> &
  Partial<Pick<ApiError, 'code'>>;

/** What we say of a failure; the service's own part is added to it. */
export type FailureWords = Omit<Explanation, 'serviceSays'>;

/** Says what a failure of some kinds means. */
export type WordsOf<K extends ApiErrorKind> = Readonly<
  Record<K, (failure: FailureFacts) => FailureWords>
>;

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
