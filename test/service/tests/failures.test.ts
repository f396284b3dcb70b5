import assert from 'node:assert/strict';
import { problemsOf, REASONS } from '../core/problems.ts';
import {
  ask,
  assertError,
  clock,
  pause,
  promptBody,
  refused,
  service,
  restart,
  useService,
  watch,
} from './support.ts';

/** The interface's table of the chat route, with the prompt for each row. */
const BEFORE_STREAMING = [
  [400, 'bad_request', 'fail bad_request'],
  [404, 'not_found', 'fail not_found'],
  [404, 'interaction_unknown', 'fail interaction_unknown'],
  [409, 'intern_not_ready', 'fail intern_not_ready'],
  [409, 'busy', 'fail busy'],
  [409, 'interaction_not_pending', 'fail interaction_not_pending'],
  [409, 'attachment_failed', 'fail attachment_failed'],
  [410, 'attachment_failed', 'fail attachment_failed 410'],
  [410, 'run_ended', 'fail run_ended'],
  [413, 'payload_too_large', 'fail payload_too_large'],
  [429, 'rate_limited', 'fail rate_limited'],
  [499, 'client_closed_request', 'fail client_closed_request'],
  [502, 'intern_unreachable', 'fail intern_unreachable'],
  [502, 'intern_rejected', 'fail intern_rejected'],
  [502, 'turn_failed', 'fail turn_failed'],
  [502, 'stream_severed', 'fail stream_severed'],
  [503, 'busy', 'fail busy 503'],
  [504, 'timeout', 'fail timeout'],
] as const;

/** The interface's ten reasons inside a stream. */
const IN_STREAM = [
  [409, 'attachment_failed'],
  [503, 'busy'],
  [499, 'client_closed_request'],
  [409, 'interaction_not_pending'],
  [404, 'interaction_unknown'],
  [502, 'intern_unreachable'],
  [410, 'run_ended'],
  [502, 'stream_severed'],
  [504, 'timeout'],
  [502, 'turn_failed'],
] as const;

describe('service failures before streaming', () => {
  useService();

  for (const [status, reason, prompt] of BEFORE_STREAMING)
    // Rules 9.1, 9.2, 18.16, 18.17, 18.18, 18.19, 18.22
    it(`the prompt "${prompt}" fails with ${status} ${reason}`, async () => {
      assertError(await refused(promptBody(prompt)), status, reason);
      assert.deepEqual(service.state.sessions(), []);
    });

  // Rule 18.1
  it('the failing prompts cover the closed set of sixteen reasons', () => {
    assert.equal(REASONS.length, 16);
    const covered = new Set<string>(BEFORE_STREAMING.map(([, reason]) => reason));
    assert.deepEqual([...covered].sort(), [...REASONS]);
    const rows = REASONS.flatMap((reason) => problemsOf(reason));
    assert.equal(rows.length, BEFORE_STREAMING.length);
  });

  // Rule 18.21
  it('a request times out when the intern says nothing within its budget', async () => {
    await restart({ requestBudgetMs: 60_000 });
    const response = refused(promptBody('ignore'));
    await watch.until(() => watch.exchanges.length === 1);
    clock.advance(60_000);
    assertError(await response, 504, 'timeout');
  });
});

describe('service failures in the stream', () => {
  useService();

  for (const [code, reason] of IN_STREAM)
    // Rules 8.6, 8.7, 8.12, 8.30, 11.9, 11.10, 17.9, 19.1, 19.2, 19.3, 19.4, 19.5, 19.6, 19.7
    // Rules 19.8, 19.9, 19.10, 19.11, 19.12, 19.13, 19.14
    it(`a reply that fails with ${reason} streams code ${code}`, async () => {
      const failed = await ask(`fail in stream ${reason}`);
      assert.match(failed.text, /This begins well/);
      assert.equal(failed.finishReason, 'error');
      assert.deepEqual(Object.keys(failed.error!), ['code', 'message', 'metadata']);
      assert.equal(failed.error?.code, code);
      assert.deepEqual(failed.error.metadata, { reason });
      const finish = failed.chunks.at(-2)!;
      assert.equal(finish.choices[0]?.finish_reason, 'error');
      assert.ok(finish.error !== undefined);
      assert.deepEqual(failed.chunks.at(-1)?.choices, []);
      assert.ok(failed.done);
    });

  // Rule 19.1
  it('a script that throws gives turn_failed in the stream and 500 before it', async () => {
    await restart({
      brain: function* () {
        yield { do: 'say', text: 'so far' };
        throw new Error('needle');
      },
    });
    const failed = await ask('anything');
    assert.equal(failed.error?.metadata.reason, 'turn_failed');
    assert.ok(!failed.raw.includes('needle'));
    await restart({
      brain: () => {
        throw new Error('needle');
      },
    });
    const response = await refused(promptBody('anything'));
    assertError(response, 500);
    assert.ok(!JSON.stringify(response.json).includes('needle'));
  });
});

describe('service limits', () => {
  useService();

  // Rules 16.8, 18.15, 21.14
  it('the service limits the runs a minute of a user or organization', async () => {
    await restart({ turnsPerMinute: 2 });
    await ask('hello');
    clock.advance(10_000);
    await ask('hello', { key: 'test-key-rotated' });
    const third = await refused(promptBody('hello'));
    assertError(third, 429, 'rate_limited');
    assert.equal(third.headers.get('retry-after'), '50');
    const other = await ask('hello', { key: 'test-key-second', intern: 'intern_jon' });
    assert.equal(other.finishReason, 'stop');
    clock.advance(50_000);
    assert.equal((await ask('hello')).finishReason, 'stop');
  });

  // Rule 18.20
  it('the service limits the runs that stay open across a question', async () => {
    await restart({ maxPausedRuns: 1 });
    const { answer } = await pause('ask permission');
    assertError(await refused(promptBody('hello')), 503, 'busy');
    assert.equal((await ask('hello', { intern: 'intern_bea' })).finishReason, 'stop');
    await answer('allow_once');
    assert.equal((await ask('hello')).finishReason, 'stop');
  });

  // Rules 18.13, 21.15
  it('the service limits the output that a paused run retains', async () => {
    await restart({ retentionBytes: 4_096 });
    const little = await pause('ask noisily 3');
    const continued = await little.answer('allow_once');
    assert.match(continued.text, /built one more module/);
    assert.match(continued.text, /You chose `allow_once`/);
    const much = await pause('ask noisily 5');
    assertError(await much.refusedAnswer('nonsense'), 400, 'bad_request');
    assertError(await much.refusedAnswer('allow_once'), 410, 'attachment_failed');
    assert.equal(service.state.session(much.session)?.run, 'ended');
    assertError(await much.refusedAnswer('allow_once'), 409, 'interaction_not_pending');
  });
});
