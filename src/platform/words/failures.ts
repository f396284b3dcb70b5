import { l10n } from 'vscode';
import { MAX_RETRY_AFTER_MS, type ApiErrorKind } from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { failureWords, type FailureFacts, type FailureWords } from './failureWords.ts';
import { formatDateTime } from './format.ts';

/** A failure in words: what happened, what to do, and buttons for it. Plain text, localized. */
export interface Explanation extends Required<FailureWords> {
  /** The service's own sentence, shortened to one line of inert text; empty if there is none. */
  readonly serviceSays: string;
}

/** Longest sentence of the service that is shown, in characters. */
const MAX_SENTENCE_CHARACTERS = 300;

/**
 * Explains a failure.
 *
 * @param at When it failed, epoch ms.
 */
export function explainFailure(failure: FailureFacts, at = Date.now()): Explanation {
  const { title, detail, actions = ['retry'] } = failureWords[failure.kind](failure);
  const { retryAfterMs = null } = failure;
  const wait =
    // Shorter waits pass without the user.
    retryAfterMs !== null && retryAfterMs > MAX_RETRY_AFTER_MS
      ? ` ${l10n.t('The service asks you to wait until {0}.', formatDateTime(at + retryAfterMs))}`
      : '';
  return { title, detail: detail + wait, actions, serviceSays: serviceSentence(failure) };
}

/** Kinds whose message is always our own technical one. */
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

function serviceSentence({ kind, status, message }: FailureFacts): string {
  const isOwn =
    OWN_MESSAGE.has(kind) || status === null || status === 0 || /^HTTP \d+$/.test(message);
  return isOwn ? '' : plainLine(message, MAX_SENTENCE_CHARACTERS);
}
