import { l10n } from 'vscode';
import { MAX_RETRY_AFTER_MS, type ApiErrorKind } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { failureWords, type FailureFacts, type FailureWords } from './failureWords.ts';
import { formatDateTime } from './format.ts';

/** A failure in words: what happened, what to do about it, and what can be done with one click. Plain text, localized. */
export interface Explanation extends FailureWords {
  /** The service's own sentence, one line of inert text, shortened; empty where there was none. */
  readonly serviceSays: string;
}

/** Most characters that are shown of a sentence of the service. */
const MAX_SENTENCE_CHARACTERS = 300;

/**
 * Puts a failure into words, the one place where an error's kind becomes something to read.
 *
 * Where a refusal has no listed reason, the service's sentence is given with the causes that are possible; none is
 * guessed.
 *
 * @param at When it failed, epoch ms; now where left out.
 */
export function explainFailure(failure: FailureFacts, at = Date.now()): Explanation {
  const { detail, ...rest } = failureWords[failure.kind](failure);
  const wait = waitAskedFor(failure, at);
  return {
    ...rest,
    detail: wait === undefined ? detail : `${detail} ${wait}`,
    serviceSays: serviceSentence(failure),
  };
}

/** Until when the service asks to wait, where that is longer than this editor waits by itself. */
function waitAskedFor({ retryAfterMs }: FailureFacts, at: number): string | undefined {
  if (retryAfterMs === undefined || retryAfterMs === null) return undefined;
  if (retryAfterMs <= MAX_RETRY_AFTER_MS) return undefined;
  return l10n.t('The service asks to wait until {0}.', formatDateTime(at + retryAfterMs));
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
  'too-many-calls',
  'unanswerable',
  'unexpected-answer',
]);

/** The service's own sentence as inert text; empty where the message is a technical one of ours. */
function serviceSentence({ kind, status, message }: FailureFacts): string {
  const own =
    OWN_MESSAGE.has(kind) || status === null || status === 0 || /^HTTP \d+$/.test(message);
  return own ? '' : plainLine(message, MAX_SENTENCE_CHARACTERS);
}
