import type { Clock } from '../base/clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import { ApiError, type Route } from './errors.ts';

/**
 * What would be repeated. Only refusals are repeated by themselves, and only where nothing can happen twice: reading
 * the key, storing a secret, resuming a create with its identical bytes; a prompt where the refusal says that no run
 * started; an answer, which the question that it answers takes once.
 */
export type RetryableCall =
  | { readonly operation: 'key' | 'secret' | 'create' }
  | {
      readonly operation: 'prompt';
      /**
       * Milliseconds since a run of ours in this session was stopped or cut, null where none was: the service may take
       * that run for busy until it notices at a keepalive.
       */
      readonly sinceOwnRunEndedMs: number | null;
    }
  | {
      readonly operation: 'answer';
      /** Milliseconds until the question is thought to expire. */
      readonly remainingMs: number;
    };

/** How far repeating has come. */
export interface RetryProgress {
  /** Requests made so far, the first included: 1 or more. */
  readonly attempts: number;
  /** Milliseconds since the first request failed. */
  readonly elapsedMs: number;
}

const MAX_ATTEMPTS = 4;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A service that asks for a longer wait than this is not waited for unseen, in ms. */
export const MAX_RETRY_AFTER_MS = 30_000;
/** A waiting prompt shows its countdown and Stop, so it may wait longer, and as long as turns are limited. */
const MAX_PROMPT_RETRY_AFTER_MS = 300_000;
/** Twice the keepalive interval, within which the service notices that a client has gone. */
const OWN_RUN_BUSY_MS = 60_000;
/** How long another request may hold on to the run that an answer is for. */
const ANSWER_CONTENTION_MS = 30_000;

/**
 * How long to wait before a failed request is made again, in milliseconds; null where it is not to be repeated.
 *
 * Full jitter over a doubling span, after `retry-after` where the service gave one.
 *
 * @param random a number from 0 up to 1
 */
export function retryDelay(
  what: RetryableCall,
  error: ApiError,
  progress: RetryProgress,
  random: () => number,
): number | null {
  // An answer is asked about only while nothing has come of it: its error in a stream is a refusal like one before it.
  if (error.inStream && what.operation !== 'answer') return null;
  if (!mayRepeat(what, error, progress)) return null;
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxRetryAfter(what)) return null;
  const span = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (progress.attempts - 1));
  const delay = Math.round(asked + random() * span);
  return what.operation === 'answer' && delay >= what.remainingMs ? null : delay;
}

function mayRepeat(what: RetryableCall, error: ApiError, progress: RetryProgress): boolean {
  switch (what.operation) {
    case 'key':
    case 'create':
      return progress.attempts < MAX_ATTEMPTS && isTransient(error);
    case 'secret':
      return progress.attempts < MAX_ATTEMPTS && error.status !== 503 && isTransient(error);
    case 'prompt':
      if (error.kind === 'busy') {
        return what.sinceOwnRunEndedMs !== null && what.sinceOwnRunEndedMs < OWN_RUN_BUSY_MS;
      }
      return (
        progress.attempts < MAX_ATTEMPTS &&
        (error.kind === 'rate-limited' || error.kind === 'no-capacity')
      );
    case 'answer':
      if (error.kind === 'busy' || error.kind === 'attachment-failed') {
        return progress.elapsedMs < ANSWER_CONTENTION_MS;
      }
      return progress.attempts < MAX_ATTEMPTS && isTransient(error) && !isFinalRefusal(error);
  }
}

/** What may well succeed the next time: a lost connection or answer, 408, 429 and 5xx. */
function isTransient({ kind, status }: ApiError): boolean {
  if (status === null) return kind === 'network' || kind === 'timeout' || kind === 'severed';
  return kind === 'network' || status === 408 || status === 429 || status >= 500;
}

/** An intern's own refusal of an answer, which it would only give again. */
function isFinalRefusal({ kind }: ApiError): boolean {
  return kind === 'rejected' || kind === 'turn-failed';
}

function maxRetryAfter({ operation }: RetryableCall): number {
  return operation === 'prompt' ? MAX_PROMPT_RETRY_AFTER_MS : MAX_RETRY_AFTER_MS;
}

/** What {@link withRetries} needs of the world. */
interface RetryContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the failure before each wait. */
  readonly onRetry?: ((failure: ApiError) => void) | undefined;
}

/**
 * Makes a request until it succeeds or may not be repeated.
 *
 * @throws The last attempt's error, or an `aborted` one where the signal ended a wait.
 */
export async function withRetries<T>(
  what: RetryableCall,
  request: () => Promise<T>,
  { clock, random, signal, onRetry }: RetryContext,
): Promise<T> {
  let outcome = await attempt(request);
  const failedAtMs = clock.monotonic();
  for (let attempts = 1; !outcome.ok; attempts++) {
    const { error } = outcome;
    const progress = { attempts, elapsedMs: clock.monotonic() - failedAtMs };
    const delayMs = retryDelay(what, error, progress, random);
    if (delayMs === null) throw error;
    onRetry?.(error);
    if (!(await wait(clock, delayMs, signal))) throw aborted(error.route);
    outcome = await attempt(request);
  }
  return outcome.value;
}

function attempt<T>(request: () => Promise<T>): Promise<Result<T, ApiError>> {
  return request().then(ok, (error: unknown) => {
    if (error instanceof ApiError) return err(error);
    throw error;
  });
}

function aborted(route: Route): ApiError {
  return new ApiError({ kind: 'aborted', route, message: 'Cancelled' });
}

/** Waits, and says whether it was left to: false as soon as the signal aborts. */
function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(false);
      return;
    }
    const abort = (): void => {
      timer.dispose();
      resolve(false);
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve(true);
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
