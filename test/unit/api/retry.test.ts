import assert from 'node:assert/strict';
import { ApiError, type ApiErrorInit } from '../../../src/api/errors.ts';
import {
  retryDelay,
  withRetries,
  type RetryableCall,
  type RetryProgress,
} from '../../../src/api/retry.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { listenersOf } from './support/fakeFetch.ts';

const FIRST: RetryProgress = { attempts: 1, elapsedMs: 0 };
const half = (): number => 0.5;

function failure(init: Partial<ApiErrorInit>): ApiError {
  return new ApiError({ kind: 'server-error', route: 'chat', message: '', ...init });
}

/** Failures by name, each as the client makes it. */
const FAILURES = {
  'a lost connection': { kind: 'network' },
  'no answer in time': { kind: 'timeout' },
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
  'a certificate': { kind: 'tls' },
  'another service': { kind: 'not-the-service', status: 200 },
  'an answer that broke off': { kind: 'network', status: 200 },
  abort: { kind: 'aborted' },
} as const satisfies Readonly<Record<string, Partial<ApiErrorInit>>>;

type FailureName = keyof typeof FAILURES;

const PASSING: readonly FailureName[] = [
  'a lost connection',
  'no answer in time',
  '408',
  '429',
  '500',
  '502 unreachable',
  '502 rejected',
  '502 turn failed',
  '502 severed',
  '503',
  '503 busy',
  '503 of the vault',
  '504',
  'an answer that broke off',
];

const OPERATIONS: readonly (readonly [string, RetryableCall, readonly FailureName[]])[] = [
  ['reading the key', { operation: 'key' }, PASSING],
  ['a create', { operation: 'create' }, PASSING],
  ['storing a secret', { operation: 'secret' }, PASSING.filter((name) => !name.startsWith('503'))],
  ['a prompt', { operation: 'prompt', sinceOwnRunEndedMs: null }, ['429', '503 busy']],
  [
    'a prompt after a run of ours was cut',
    { operation: 'prompt', sinceOwnRunEndedMs: 59_999 },
    ['429', '503 busy', '409 busy'],
  ],
  [
    'a prompt long after a run of ours was cut',
    { operation: 'prompt', sinceOwnRunEndedMs: 60_000 },
    ['429', '503 busy'],
  ],
  [
    'a reply',
    { operation: 'answer', remainingMs: 200_000 },
    [
      ...PASSING.filter((name) => name !== '502 rejected' && name !== '502 turn failed'),
      '409 busy',
      '409 attached',
    ],
  ],
];

describe('api retries: what may be repeated', () => {
  for (const [what, repeatable, repeated] of OPERATIONS) {
    for (const name of Object.keys(FAILURES) as FailureName[]) {
      const may = repeated.includes(name);
      it(`${may ? 'repeats' : 'never repeats'} ${what} after ${name}`, () => {
        const delay = retryDelay(repeatable, failure(FAILURES[name]), FIRST, half);
        assert.equal(delay !== null, may);
      });
    }

    const isReply = repeatable.operation === 'answer';
    const says = isReply ? 'repeats as before the stream' : 'never repeats';
    it(`${says} ${what} after a failure inside a stream`, () => {
      for (const init of Object.values(FAILURES)) {
        const delay = retryDelay(repeatable, failure({ ...init, inStream: true }), FIRST, half);
        const before = retryDelay(repeatable, failure(init), FIRST, half);
        assert.equal(delay, isReply ? before : null);
      }
    });
  }

  it('gives up after four requests', () => {
    for (const [, what] of OPERATIONS) {
      const error = failure(FAILURES['429']);
      assert.notEqual(retryDelay(what, error, { attempts: 3, elapsedMs: 0 }, half), null);
      assert.equal(retryDelay(what, error, { attempts: 4, elapsedMs: 0 }, half), null);
    }
  });

  it('waits for a run of ours to be noticed however many requests that takes', () => {
    const what = { operation: 'prompt', sinceOwnRunEndedMs: 40_000 } as const;
    const progress = { attempts: 20, elapsedMs: 40_000 };
    assert.equal(retryDelay(what, failure(FAILURES['409 busy']), progress, half), 4_000);
  });

  it('waits 30 seconds for a run that another request holds', () => {
    const what = { operation: 'answer', remainingMs: 200_000 } as const;
    for (const name of ['409 busy', '409 attached'] as const) {
      const after = (elapsedMs: number): number | null =>
        retryDelay(what, failure(FAILURES[name]), { attempts: 9, elapsedMs }, half);
      assert.equal(after(29_999), 4_000);
      assert.equal(after(30_000), null);
    }
  });

  it('repeats no reply whose question has expired by then', () => {
    const error = failure({ ...FAILURES['429'], retryAfterMs: 10_000 });
    const after = (remainingMs: number): number | null =>
      retryDelay({ operation: 'answer', remainingMs }, error, FIRST, () => 0);
    assert.equal(after(10_001), 10_000);
    assert.equal(after(10_000), null);
  });
});

describe('api retries: how long to wait', () => {
  const key = { operation: 'key' } as const;
  const error = failure(FAILURES['500']);

  it('waits a random part of a span that doubles up to eight seconds', () => {
    const delay = (attempts: number, random: number): number | null =>
      retryDelay(
        { operation: 'prompt', sinceOwnRunEndedMs: 0 },
        failure(FAILURES['409 busy']),
        { attempts, elapsedMs: 0 },
        () => random,
      );
    assert.equal(delay(1, 0), 0);
    assert.equal(delay(1, 0.999), 500);
    assert.equal(delay(2, 0.5), 500);
    assert.equal(delay(3, 0.5), 1_000);
    assert.equal(delay(4, 0.5), 2_000);
    assert.equal(delay(5, 0.5), 4_000);
    assert.equal(delay(6, 0.5), 4_000);
    assert.equal(delay(1, 0.3333), 167);
  });

  it('waits at least as long as the service asks', () => {
    const asked = failure({ ...FAILURES['429'], retryAfterMs: 7_000 });
    assert.equal(
      retryDelay(key, asked, FIRST, () => 0),
      7_000,
    );
    assert.equal(retryDelay(key, asked, FIRST, half), 7_250);
  });

  it('does not wait unseen for longer than half a minute', () => {
    const asked = (retryAfterMs: number): ApiError => failure({ ...FAILURES['429'], retryAfterMs });
    for (const [, what] of OPERATIONS) {
      const most = what.operation === 'prompt' ? 300_000 : 30_000;
      const patient = what.operation === 'answer' ? { ...what, remainingMs: 1e9 } : what;
      assert.equal(
        retryDelay(patient, asked(most), FIRST, () => 0),
        most,
      );
      assert.equal(
        retryDelay(patient, asked(most + 1), FIRST, () => 0),
        null,
      );
    }
  });

  it('waits without a wish of the service too', () => {
    assert.equal(retryDelay(key, error, FIRST, half), 250);
  });
});

describe('api retries: doing it', () => {
  const lost = failure({ kind: 'network', route: 'key' });

  /** Lets promises that are settled already run on. */
  async function settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('tells each failure, makes the request again, and answers with its success', async () => {
    const clock = new FakeClock();
    const failures: unknown[] = [];
    let made = 0;
    const result = withRetries(
      { operation: 'key' },
      () => (++made < 3 ? Promise.reject(lost) : Promise.resolve('good')),
      {
        clock,
        random: half,
        onRetry: ({ kind }) => failures.push(kind),
      },
    );
    await settle();
    assert.equal(made, 1);
    clock.advance(249);
    await settle();
    assert.equal(made, 1);
    clock.advance(1);
    await settle();
    assert.equal(made, 2);
    clock.advance(500);
    assert.equal(await result, 'good');
    assert.deepEqual(failures, ['network', 'network']);
    assert.equal(clock.waiting, 0);
  });

  it("ends with the last request's error when it may not be repeated", async () => {
    const refused = failure({ kind: 'signed-out', status: 401 });
    const request = (): Promise<never> => Promise.reject(refused);
    const context = { clock: new FakeClock(), random: half };
    await assert.rejects(withRetries({ operation: 'key' }, request, context), refused);
  });

  it('measures contention from the first failure', async () => {
    const clock = new FakeClock();
    let made = 0;
    const result = withRetries(
      { operation: 'answer', remainingMs: 200_000 },
      () => {
        made++;
        clock.advance(14_000);
        return Promise.reject(failure(FAILURES['409 busy']));
      },
      { clock, random: () => 0 },
    );
    const ended = assert.rejects(result, { kind: 'busy' });
    for (let i = 0; i < 6; i++) {
      await settle();
      clock.advance(0);
    }
    await ended;
    // Failures at 0, 14 and 28 s after the first; the one at 42 s is too late.
    assert.equal(made, 4);
  });

  it('leaves an error that is none of the client alone', async () => {
    const bug = new RangeError('bug');
    const context = { clock: new FakeClock(), random: half };
    await assert.rejects(
      withRetries({ operation: 'key' }, () => Promise.reject(bug), context),
      bug,
    );
    const alike = Object.assign(new Error('alike'), { kind: 'network', status: null });
    await assert.rejects(
      withRetries({ operation: 'key' }, () => Promise.reject(alike), context),
      alike,
    );
    assert.equal(context.clock.waiting, 0);
  });

  it('ends a wait at once when it is aborted', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const { signal } = controller;
    const request = (): Promise<never> => Promise.reject(lost);
    const result = withRetries({ operation: 'key' }, request, { clock, random: half, signal });
    await settle();
    assert.equal(clock.waiting, 1);
    controller.abort();
    await assert.rejects(result, { kind: 'aborted', route: 'key', message: 'Cancelled' });
    assert.equal(clock.waiting, 0);
  });

  it('starts no wait when it is aborted already', async () => {
    const clock = new FakeClock();
    const context = { clock, random: half, signal: AbortSignal.abort() };
    const request = (): Promise<never> => Promise.reject(lost);
    await assert.rejects(withRetries({ operation: 'key' }, request, context), { kind: 'aborted' });
    assert.equal(clock.waiting, 0);
  });

  it('leaves no listener on the signal after a wait', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const listeners = listenersOf(signal);
    let made = 0;
    const result = withRetries(
      { operation: 'key' },
      () => (++made < 2 ? Promise.reject(lost) : Promise.resolve(1)),
      { clock, random: half, signal },
    );
    await settle();
    assert.equal(listeners.size, 1);
    clock.advance(250);
    await result;
    assert.equal(listeners.size, 0);
  });
});
