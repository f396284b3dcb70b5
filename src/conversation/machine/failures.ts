import { retryDelayMs, wasNeverSent, type ApiError, type ApiErrorKind } from '../../api/index.ts';
import type { StoredFailure } from '../journal.ts';
import type { RequestAttempt } from './state.ts';
import type { Transition } from './transition.ts';

/** Converts a recorded failure to the fields of an {@link ApiError}. The record has no `redirectedTo`. */
export function failureDetails(
  failure: StoredFailure,
): Omit<ApiError, 'name' | 'stack' | 'cause' | 'redirectedTo'> {
  return {
    kind: failure.kind as ApiErrorKind,
    route: 'chat',
    status: failure.status === 0 ? null : failure.status,
    reason: failure.reason ?? null,
    message: failure.message,
    inStream: failure.inStream,
    code: failure.code ?? null,
    retryAfterMs: failure.retryAfterMs ?? null,
  };
}

export function storedFailure(error: ApiError): StoredFailure {
  return {
    kind: error.kind,
    status: error.status ?? 0,
    message: error.message,
    inStream: error.inStream,
    ...(error.reason === null ? {} : { reason: error.reason }),
    ...(error.code === null ? {} : { code: error.code }),
    ...(error.retryAfterMs === null ? {} : { retryAfterMs: error.retryAfterMs }),
  };
}

type FailureKey = Pick<StoredFailure, 'kind' | 'status' | 'inStream' | 'code'> | ApiError;

/**
 * Returns whether a failed prompt may still be running: the connection or a gateway failed (interface: Errors, 502 and
 * 504, `stream_severed`, `timeout`), or the run waits for an answer that cannot be given.
 */
export function mayBeRunning({ kind, status, inStream, code }: FailureKey): boolean {
  if (inStream) return kind === 'severed' || kind === 'timeout' || kind === 'unanswerable';
  if (kind === 'turn-failed' || kind === 'rejected') return false;
  if (status === 502 || status === 504) return true;
  return (kind === 'timeout' || kind === 'network') && !wasNeverSent({ kind, code });
}

/** The errors in a stream that prove that the service refused the answer (interface: Errors after streaming began). */
const NOT_ACCEPTED_IN_STREAM: ReadonlySet<string> = new Set<ApiErrorKind>([
  'interaction-unknown',
  'interaction-not-pending',
  // `busy` and `attachment_failed`, with any status.
  'busy',
  'no-capacity',
  'attachment-failed',
  'run-output-lost',
]);

/** Failures before a stream after which an answer may have been accepted, besides those of {@link mayBeRunning}. */
const MAYBE_RECEIVED_BEFORE_STREAM: ReadonlySet<string> = new Set<ApiErrorKind>([
  'server-error',
  'client-closed',
  'unexpected-answer',
]);

/**
 * Returns whether the service may have accepted an answer that failed. A paused run streams again only after the service
 * has accepted an answer (interface: Chat run), so few errors in a stream prove that it did not.
 */
export function mayHaveReceived(failure: FailureKey): boolean {
  if (failure.inStream) return !NOT_ACCEPTED_IN_STREAM.has(failure.kind);
  // With 200, a proxy that filters responses may have put its page in place of the stream.
  if (failure.status === 200) return true;
  return MAYBE_RECEIVED_BEFORE_STREAM.has(failure.kind) || mayBeRunning(failure);
}

/** Statuses of a gateway whose service restarts, if there is no reason with them. */
const GATEWAY_STATUSES: readonly (number | null)[] = [502, 503, 504];

/** Returns the ms until the request is repeated unchanged; null if it must not be repeated, so that the user decides. */
export function attemptRetryDelayMs(
  step: Transition,
  { answer, attempts, startedAt }: RequestAttempt,
  error: ApiError,
): number | null {
  const { now, random, deadlineOf } = step.env;
  const { leftAt } = step.state;
  // If the clock was set back, `Math.abs`, `Math.min` and the countdown of the question still let the retries end.
  const elapsedMs = Math.abs(now - startedAt);
  const progress = { attempts, elapsedMs };
  if (answer === null) {
    const sinceOwnRunEndedMs = elapsedMs + startedAt - Math.min(leftAt ?? -Infinity, startedAt);
    return retryDelayMs({ operation: 'prompt', sinceOwnRunEndedMs }, error, progress, random);
  }
  const remainingMs = deadlineOf(answer.question) - now;
  const isOfGateway = error.reason === null && GATEWAY_STATUSES.includes(error.status);
  const isUnlimited = error.status === null || isOfGateway;
  return retryDelayMs({ operation: 'answer', remainingMs, isUnlimited }, error, progress, random);
}
