import type { Clock } from '../base/clock.ts';
import { ApiError } from './errors.ts';
import type { CallOptions } from './transport.ts';

/**
 * A call that may be repeated without asking the user, because nothing can happen twice: the key is only read, a secret
 * is replaced, a create resumes with identical bytes, a question accepts one answer, and a refused prompt started no run.
 */
export type RetryableCall =
  | { readonly operation: 'key' | 'secret' | 'create' }
  | {
      readonly operation: 'prompt';
      /**
       * Milliseconds since this client stopped or lost a run in this session; Infinity if it did not. The service reports
       * that run as busy until it notices at a keepalive.
       */
      readonly sinceOwnRunEndedMs: number;
    }
  | {
      readonly operation: 'answer';
      /** Milliseconds until the question probably expires. */
      readonly remainingMs: number;
      /** True if it is sent again until then, and not just a few times. */
      readonly isUnlimited: boolean;
    };

interface RetryProgress {
  /** Requests made so far, 1 or more. */
  readonly attempts: number;
  /** Milliseconds since the first request failed. */
  readonly elapsedMs: number;
}

const MAX_ATTEMPTS = 4;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** The longest `retry-after` that is obeyed without showing a countdown, in ms. */
export const MAX_RETRY_AFTER_MS = 30_000;
/** The longest `retry-after` of a prompt, which shows its countdown and Stop. */
const MAX_PROMPT_RETRY_AFTER_MS = 300_000;
/** How long an own run may keep its session busy, in ms: twice the time to notice a disconnect (interface: Chat run). */
const OWN_RUN_BUSY_MS = 60_000;
/** How long another request may be attached to the run that an answer is for, in ms. */
const ANSWER_CONTENTION_MS = 30_000;

/**
 * Returns how long to wait before a failed request is repeated, in ms; null if it must not be.
 *
 * The wait is `retry-after`, if the service gave one, plus a random part of a span that doubles.
 *
 * @param random returns a number from 0 up to 1
 */
export function retryDelayMs(
  call: RetryableCall,
  error: ApiError,
  progress: RetryProgress,
  random: () => number,
): number | null {
  // For an answer, an error in the stream is a refusal like one before it: no event came before the error.
  if (error.inStream && call.operation !== 'answer') return null;
  if (!mayRepeat(call, error, progress)) return null;
  const asked = error.retryAfterMs ?? 0;
  const isPrompt = call.operation === 'prompt';
  if (asked > (isPrompt ? MAX_PROMPT_RETRY_AFTER_MS : MAX_RETRY_AFTER_MS)) return null;
  const span = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (progress.attempts - 1));
  const delay = Math.round(asked + random() * span);
  return call.operation === 'answer' && delay >= call.remainingMs ? null : delay;
}

function mayRepeat(call: RetryableCall, error: ApiError, progress: RetryProgress): boolean {
  switch (call.operation) {
    case 'key':
    case 'create':
      return progress.attempts < MAX_ATTEMPTS && isTransient(error);
    case 'secret':
      return progress.attempts < MAX_ATTEMPTS && error.status !== 503 && isTransient(error);
    case 'prompt':
      if (error.kind === 'busy') return call.sinceOwnRunEndedMs < OWN_RUN_BUSY_MS;
      return (
        progress.attempts < MAX_ATTEMPTS &&
        (error.kind === 'rate-limited' || error.kind === 'no-capacity')
      );
    case 'answer':
      if (error.kind === 'busy' || error.kind === 'attachment-failed')
        return progress.elapsedMs < ANSWER_CONTENTION_MS;
      return (
        (call.isUnlimited || progress.attempts < MAX_ATTEMPTS) &&
        isTransient(error) &&
        !isFinalRefusal(error)
      );
  }
}

/** Returns whether a failure may pass: a lost connection or response, 408, 429 and 5xx. */
function isTransient({ kind, status }: ApiError): boolean {
  if (status === null) return kind === 'network' || kind === 'timeout' || kind === 'severed';
  return kind === 'network' || status === 408 || status === 429 || status >= 500;
}

/** Returns whether the intern itself refused an answer, which it would do again. */
function isFinalRefusal({ kind }: ApiError): boolean {
  return kind === 'rejected' || kind === 'turn-failed';
}

/**
 * Makes a request until it succeeds or may not be repeated.
 *
 * @throws the last attempt's error, or an `aborted` one if the signal ended a wait
 */
export async function withRetries<T>(
  call: RetryableCall,
  request: () => Promise<T>,
  { clock, random, signal, onRetry }: RetryContext,
): Promise<T> {
  let failedAtMs: number | null = null;
  let attempts = 0;
  for (;;) {
    let failure: ApiError;
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failure = error;
    }
    failedAtMs ??= clock.monotonic();
    attempts += 1;
    const progress = { attempts, elapsedMs: clock.monotonic() - failedAtMs };
    const delayMs = retryDelayMs(call, failure, progress, random);
    if (delayMs === null) throw failure;
    onRetry?.(failure);
    if (!(await wait(clock, delayMs, signal)))
      throw new ApiError({ kind: 'aborted', route: failure.route, message: 'Canceled' });
  }
}

interface RetryContext extends Pick<CallOptions, 'signal' | 'onRetry'> {
  readonly clock: Clock;
  readonly random: () => number;
}

/** Waits. Returns false as soon as the signal aborts. */
export function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.dispose();
      signal?.removeEventListener('abort', end);
      resolve(signal?.aborted !== true);
    };
    const timer = clock.setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}
