import assert from 'node:assert/strict';
import type { FakeClock } from '../../unit/support/fakeClock.ts';
import {
  ask,
  assertError,
  clock,
  pause,
  promptBody,
  readStream,
  refused,
  answerBody,
  service,
  restart,
  startChat,
  StreamReader,
  useService,
  watch,
} from './support.ts';

describe('service questions in a run', () => {
  useService();

  // Rules 8.12, 8.16, 8.17, 11.3, 17.4, 17.9
  it('a question streams as one complete tool call', async () => {
    const { toolCalls, chunks, finishReason, final, done } = await ask('ask permission');
    assert.equal(toolCalls.length, 1);
    const [call] = toolCalls;
    assert.match(call!.id, /^call_[0-9a-f]{24}$/);
    assert.deepEqual([call!.index, call!.type], [0, 'function']);
    assert.equal(call!.function.name, 'service.provide_input');
    assert.deepEqual(JSON.parse(call!.function.arguments), {
      kind: 'permission',
      operation: 'run_shell',
      options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    });
    assert.equal(chunks.at(-3)?.choices[0]?.finish_reason, null);
    assert.equal(finishReason, 'tool_calls');
    assert.equal(final?.usage, null);
    assert.ok(done);
  });

  // Rules 8.21, 8.23
  it('questions carry a null operation and fields of every type', async () => {
    const unnamed = await ask('ask permission always', { mode: 'self-drive' });
    const permission = JSON.parse(unnamed.toolCalls[0]!.function.arguments) as object;
    assert.equal((permission as { operation: unknown }).operation, null);
    const form = await ask('ask form');
    const { fields } = JSON.parse(form.toolCalls[0]!.function.arguments) as {
      fields: Record<string, unknown>[];
    };
    assert.equal(fields.length, 10);
    for (const field of fields)
      assert.deepEqual(Object.keys(field), ['name', 'type', 'required', 'options']);
  });

  // Rules 8.18, 11.4, 12.7
  it('a question pauses the run until the answer, even without a connection', async () => {
    const { session, answer } = await pause('ask permission');
    await watch.over();
    clock.advance(60_000);
    assert.equal(service.state.session(session)?.run, 'paused');
    const continued = await answer('allow_once');
    assert.match(continued.text, /You chose `allow_once`, so I did it/);
    assert.equal(continued.finishReason, 'stop');
    assert.equal(continued.final?.session_id, session);
    assert.equal(service.state.session(session)?.run, 'completed');
    assert.equal(service.state.session(session)?.turns, 1);
  });

  // Rule 11.12
  it('each question has a deadline of its own', async () => {
    await restart({ interactionDeadlineMs: 1_000 });
    const { session, answer } = await pause('ask twice');
    clock.advance(999);
    assert.equal((await answer('allow_once')).finishReason, 'tool_calls');
    clock.advance(999);
    assert.equal(service.state.session(session)?.run, 'paused');
    clock.advance(1);
    assert.equal(service.state.session(session)?.run, 'cancelled');
  });

  // Rules 12.7, 18.8
  it('a question is unknown in another session and at another intern', async () => {
    const { session, calls } = await pause('ask permission');
    const other = (await ask('hello')).final!.session_id!;
    const unknown = [
      refused(answerBody({ ...calls[0]!, id: 'call_nobody' }, session, 'cancel')),
      refused(answerBody(calls[0]!, other, 'cancel')),
      refused(answerBody(calls[0]!, 'session_nobody', 'cancel')),
      refused(answerBody(calls[0]!, session, 'cancel'), { intern: 'intern_bea' }),
    ];
    for (const response of await Promise.all(unknown))
      assertError(response, 404, 'interaction_unknown');

    assert.equal(service.state.session(session)?.run, 'paused');
  });

  // Rule 18.11
  it('an answered question is no longer pending', async () => {
    const { answer, refusedAnswer } = await pause('ask permission');
    await answer('allow_once');
    assertError(await refusedAnswer('allow_once'), 409, 'interaction_not_pending');
    const first = await pause('ask twice');
    await first.answer('allow_once');
    assertError(await first.refusedAnswer('allow_once'), 409, 'interaction_not_pending');
  });

  // Rule 18.12
  it('a question refuses a second request while its answer streams', async () => {
    await restart({ chunkMs: 10 });
    const asking = startChat(promptBody('ask empty form'));
    const stream = readStream(await play(asking, clock));
    const { final, toolCalls } = await play(stream, clock);
    const body = answerBody(toolCalls[0]!, final!.session_id!, '{"action":"decline"}');
    const reader = new StreamReader(await startChat(body));
    await reader.upTo('assistant');
    assertError(await refused(body), 409, 'attachment_failed');
    const prompt = await refused(promptBody('hi', { session: final!.session_id! }));
    assertError(prompt, 409, 'busy');
    await play(reader.upTo('[DONE]'), clock);
  });

  // Rule 18.10
  it('a question keeps the session busy for new prompts', async () => {
    const { session } = await pause('ask permission');
    assertError(await refused(promptBody('hi', { session })), 409, 'busy');
    assert.equal((await ask('hi')).finishReason, 'stop');
  });
});

/** Advances the clock until `work` settles. */
async function play<T>(work: Promise<T>, clock: FakeClock): Promise<T> {
  const turning = { on: true };
  const stop = (): void => void (turning.on = false);
  work.then(stop, stop);
  while (turning.on) {
    clock.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return work;
}
