import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ApiError, type ApiErrorInit } from '../../../src/api/errors.ts';
import { retryDelayMs, withRetries, type RetryableCall } from '../../../src/api/retry.ts';
import { FakeClock } from '../support/fakeClock.ts';

const FIRST = { attempts: 1, elapsedMs: 0 };
const half = (): number => 0.5;
const none = (): number => 0;

function failure(init: Partial<ApiErrorInit>): ApiError {
  return new ApiError({ kind: 'server-error', route: 'chat', message: '', ...init });
}

const TRANSIENT_FAILURES = {
  'a lost connection': { kind: 'network' },
  'no response in time': { kind: 'timeout' },
  '408': { kind: 'timeout', status: 408 },
  '429': { kind: 'rate-limited', status: 429 },
  '500': { kind: 'server-error', status: 500 },
  '502 unreachable': { kind: 'unreachable', status: 502 },
  '502 rejected': { kind: 'rejected', status: 502 },
  '502 turn failed': { kind: 'turn-failed', status: 502 },
  '502 severed': { kind: 'severed', status: 502 },
  '503': { kind: 'server-error', status: 503 },
  '503 busy': { kind: 'no-capacity', status: 503 },
  '503 of the vault': { kind: 'vault-writes-off', status: 503 },
  '504': { kind: 'timeout', status: 504 },
  'a lost response': { kind: 'network', status: 200 },
} as const satisfies Readonly<Record<string, Partial<ApiErrorInit>>>;

const FAILURES = {
  ...TRANSIENT_FAILURES,
  '400': { kind: 'invalid-request', status: 400 },
  '401': { kind: 'signed-out', status: 401 },
  '403': { kind: 'left-organization', status: 403 },
  '404': { kind: 'outsider', status: 404 },
  '409 busy': { kind: 'busy', status: 409 },
  '409 attached': { kind: 'attachment-failed', status: 409 },
  '409 not pending': { kind: 'interaction-not-pending', status: 409 },
  '410': { kind: 'run-output-lost', status: 410 },
  '413': { kind: 'payload-too-large', status: 413 },
  '499': { kind: 'refused', status: 499 },
  redirect: { kind: 'redirect', status: 302 },
  'a refused certificate': { kind: 'tls' },
  'another service': { kind: 'not-the-service', status: 200 },
  abort: { kind: 'aborted' },
} as const satisfies Readonly<Record<string, Partial<ApiErrorInit>>>;

type FailureName = keyof typeof FAILURES;
const NAMES = Object.keys(FAILURES) as FailureName[];

const TRANSIENT = Object.keys(TRANSIENT_FAILURES) as (keyof typeof TRANSIENT_FAILURES)[];

const ANSWER = { operation: 'answer', remainingMs: 200_000, isUnlimited: false } as const;
const CALLS: readonly (readonly [string, RetryableCall, readonly FailureName[]])[] = [
  ['reading the key', { operation: 'key' }, TRANSIENT],
  ['a creation', { operation: 'create' }, TRANSIENT],
  [
    'storing a secret',
    { operation: 'secret' },
    TRANSIENT.filter((name) => !name.startsWith('503')),
  ],
  ['a prompt', { operation: 'prompt', sinceOwnRunEndedMs: Infinity }, ['429', '503 busy']],
  [
    'a prompt soon after an own run',
    { operation: 'prompt', sinceOwnRunEndedMs: 59_999 },
    ['429', '503 busy', '409 busy'],
  ],
  [
    'a prompt long after an own run',
    { operation: 'prompt', sinceOwnRunEndedMs: 60_000 },
    ['429', '503 busy'],
  ],
  [
    'an answer',
    ANSWER,
    [
      ...TRANSIENT.filter((name) => !/^502 (?:rejected|turn failed)$/.test(name)),
      '409 busy',
      '409 attached',
    ],
  ],
];

describe('retryDelayMs: failures', () => {
  for (const [what, call, repeated] of CALLS) {
    for (const name of NAMES) {
      const may = repeated.includes(name);
      it(`the client ${may ? 'repeats' : 'never repeats'} ${what} after ${name}`, () => {
        assert.equal(retryDelayMs(call, failure(FAILURES[name]), FIRST, half) !== null, may);
      });
    }

    const isAnswer = call.operation === 'answer';
    it(`the client ${isAnswer ? 'repeats' : 'never repeats'} ${what} after a failure in a stream`, () => {
      for (const init of Object.values(FAILURES)) {
        const delay = retryDelayMs(call, failure({ ...init, inStream: true }), FIRST, half);
        assert.equal(delay, isAnswer ? retryDelayMs(call, failure(init), FIRST, half) : null);
      }
    });
  }

  it('the client gives up after four requests', () => {
    for (const [, call] of CALLS) {
      const error = failure(FAILURES['429']);
      assert.notEqual(retryDelayMs(call, error, { attempts: 3, elapsedMs: 0 }, half), null);
      assert.equal(retryDelayMs(call, error, { attempts: 4, elapsedMs: 0 }, half), null);
    }
  });

  it("a prompt waits for the end of the user's previous run, however often it is refused", () => {
    const call = { operation: 'prompt', sinceOwnRunEndedMs: 40_000 } as const;
    const progress = { attempts: 20, elapsedMs: 40_000 };
    assert.equal(retryDelayMs(call, failure(FAILURES['409 busy']), progress, half), 4_000);
  });

  it('an answer without a limit is repeated ever more slowly until its question expires', () => {
    const call = { ...ANSWER, isUnlimited: true };
    const delayAfter = (attempts: number): number | null =>
      retryDelayMs(call, failure(FAILURES['503']), { attempts, elapsedMs: 0 }, half);
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 400].map(delayAfter),
      [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000],
    );
  });

  it('an answer waits at most 30 seconds for a run that another request holds', () => {
    for (const name of ['409 busy', '409 attached'] as const)
      for (const [elapsedMs, delayMs] of [
        [29_999, 4_000],
        [30_000, null],
      ] as const) {
        const progress = { attempts: 9, elapsedMs };
        assert.equal(retryDelayMs(ANSWER, failure(FAILURES[name]), progress, half), delayMs);
      }
  });

  it('the client repeats no answer whose question will have expired', () => {
    const error = failure({ ...FAILURES['429'], retryAfterMs: 10_000 });
    for (const [remainingMs, delayMs] of [
      [10_001, 10_000],
      [10_000, null],
    ] as const)
      assert.equal(retryDelayMs({ ...ANSWER, remainingMs }, error, FIRST, none), delayMs);
  });
});

describe('retryDelayMs: waits', () => {
  it('the client waits a random time, within a limit that doubles up to eight seconds', () => {
    const call = { operation: 'prompt', sinceOwnRunEndedMs: 0 } as const;
    for (const [attempts, random, delayMs] of [
      [1, 0, 0],
      [1, 0.3333, 167],
      [1, 0.999, 500],
      [2, 0.5, 500],
      [3, 0.5, 1_000],
      [4, 0.5, 2_000],
      [5, 0.5, 4_000],
      [6, 0.5, 4_000],
    ] as const) {
      const progress = { attempts, elapsedMs: 0 };
      const found = retryDelayMs(call, failure(FAILURES['409 busy']), progress, () => random);
      assert.equal(found, delayMs);
    }
  });

  it('the client adds a random time to the wait that the service asks for', () => {
    const error = failure({ ...FAILURES['429'], retryAfterMs: 7_000 });
    assert.equal(retryDelayMs({ operation: 'key' }, error, FIRST, none), 7_000);
    assert.equal(retryDelayMs({ operation: 'key' }, error, FIRST, half), 7_250);
  });

  it('the client waits at most 30 seconds before a repetition, or 5 minutes for a prompt', () => {
    for (const [, each] of CALLS) {
      const most = each.operation === 'prompt' ? 300_000 : 30_000;
      const call = each.operation === 'answer' ? { ...each, remainingMs: 1e9 } : each;
      for (const [retryAfterMs, delayMs] of [
        [most, most],
        [most + 1, null],
      ] as const) {
        const error = failure({ ...FAILURES['429'], retryAfterMs });
        assert.equal(retryDelayMs(call, error, FIRST, none), delayMs);
      }
    }
  });
});

describe('withRetries', () => {
  const key = { operation: 'key' } as const;
  const lost = failure({ kind: 'network', route: 'key' });
  const fail = (): Promise<never> => Promise.reject(lost);
  let clock: FakeClock;
  let made: number;

  beforeEach(() => {
    clock = new FakeClock();
    made = 0;
  });

  /** Returns a request that succeeds after so many failures. */
  function failing(failures: number): () => Promise<string> {
    return () => (++made > failures ? Promise.resolve('good') : fail());
  }

  it('withRetries repeats a failed request until it returns a result', async () => {
    const failures: unknown[] = [];
    const onRetry = ({ kind }: ApiError) => failures.push(kind);
    const result = withRetries(key, failing(2), { clock, random: half, onRetry });
    for (const [wait, expected] of [
      [249, 1],
      [1, 2],
    ] as const) {
      await setImmediate();
      clock.advance(wait);
      await setImmediate();
      assert.equal(made, expected);
    }
    clock.advance(500);
    assert.equal(await result, 'good');
    assert.deepEqual(failures, ['network', 'network']);
    assert.equal(clock.waiting, 0);
  });

  it('withRetries measures contention from the first failure', async () => {
    const request = (): Promise<never> => {
      made++;
      clock.advance(14_000);
      return Promise.reject(failure(FAILURES['409 busy']));
    };
    const result = withRetries(ANSWER, request, { clock, random: none });
    const ended = assert.rejects(result, { kind: 'busy' });
    for (let i = 0; i < 6; i++) {
      await setImmediate();
      clock.advance(0);
    }
    await ended;
    // Failures at 0, 14 and 28 s after the first; the one at 42 s is too late.
    assert.equal(made, 4);
  });

  for (const [what, error] of [
    ['an error that may not be repeated', failure({ kind: 'signed-out', status: 401 })],
    ['an error that is no ApiError', new RangeError('bug')],
    ['an error like an ApiError', Object.assign(new Error(), { kind: 'network', status: null })],
  ] as const)
    it(`withRetries passes on ${what}`, async () => {
      const result = withRetries(key, () => Promise.reject(error), { clock, random: half });
      await assert.rejects(result, error);
      assert.equal(clock.waiting, 0);
    });

  it('withRetries ends a wait at once when it is aborted', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const result = withRetries(key, fail, { clock, random: half, signal });
    await setImmediate();
    assert.equal(clock.waiting, 1);
    controller.abort();
    await assert.rejects(result, { kind: 'aborted', route: 'key', message: 'Canceled' });
    assert.equal(clock.waiting, 0);
  });

  it('withRetries starts no wait if it is already aborted', async () => {
    const context = { clock, random: half, signal: AbortSignal.abort() };
    await assert.rejects(withRetries(key, fail, context), { kind: 'aborted' });
    assert.equal(clock.waiting, 0);
  });

  it('withRetries leaves no listener on the signal after a wait', async () => {
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    const result = withRetries(key, failing(1), { clock, random: half, signal });
    await setImmediate();
    assert.equal(listeners(), 1);
    clock.advance(250);
    await result;
    assert.equal(listeners(), 0);
  });
});
