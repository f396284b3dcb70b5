import assert from 'node:assert/strict';
import { IN_STREAM_CODES } from '../core/problems.ts';
import type { FakeClock } from '../../unit/support/fakeClock.ts';
import {
  ask,
  assertError,
  chatPath,
  clock,
  pause,
  promptBody,
  readStream,
  refused,
  replyBody,
  send,
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
  it('come as one complete tool call, then tool_calls, then the final chunk, then [DONE]', async () => {
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
  it('carry a null operation, and fields of every type', async () => {
    const unnamed = await ask('ask permission always', { mode: 'self-drive' });
    const permission = JSON.parse(unnamed.toolCalls[0]!.function.arguments) as object;
    assert.equal((permission as { operation: unknown }).operation, null);
    const form = await ask('ask form');
    const { fields } = JSON.parse(form.toolCalls[0]!.function.arguments) as {
      fields: Record<string, unknown>[];
    };
    assert.equal(fields.length, 10);
    for (const field of fields) {
      assert.deepEqual(Object.keys(field), ['name', 'type', 'required', 'options']);
    }
  });

  // Rules 8.18, 11.4, 12.7
  it('pause the run, which outlives the closed connection and goes on with the answer', async () => {
    const { session, reply } = await pause('ask permission');
    await watch.over();
    clock.advance(60_000);
    assert.equal(service.state.session(session)?.run, 'paused');
    const continued = await reply('allow_once');
    assert.match(continued.text, /You chose `allow_once`, so I did it/);
    assert.equal(continued.finishReason, 'stop');
    assert.equal(continued.final?.session_id, session);
    assert.equal(service.state.session(session)?.run, 'completed');
    assert.equal(service.state.session(session)?.turns, 1);
  });

  for (const option of ['allow_always', 'reject_once', 'reject_always']) {
    // Rule 7.1
    it(`tell that ${option} was chosen`, async () => {
      const { text } = await (await pause('ask permission')).reply(option);
      assert.match(text, new RegExp(`You chose \`${option}\``));
    });
  }

  // Rule 7.2
  it('end with cancel, and so may the run', async () => {
    const cancelled = await (await pause('ask permission')).reply('cancel');
    assert.match(cancelled.text, /You cancelled the question/);
    assert.equal(cancelled.finishReason, 'stop');
    const ended = await (await pause('ask or end')).reply('cancel');
    assert.equal(ended.finishReason, 'error');
    assert.equal(ended.error?.metadata.reason, 'run_ended');
  });

  // Rule 18.3
  it('quote a value in a refusal, cut after 20 characters, and whole when the turn fails for it', async () => {
    const { refusedReply, reply } = await pause('ask url');
    const accept = (dsn: string) => JSON.stringify({ action: 'accept', content: { dsn } });
    const refusal = await refusedReply(accept('admin hunter2 at db.example'));
    assertError(refusal, 400, 'bad_request');
    assert.match(JSON.stringify(refusal.json), /is not a URL: ..admin hunter2 at db\.…/);
    const { error, text } = await reply(accept('sql://admin:hunter2@nowhere'));
    assert.match(text, /You accepted/);
    assert.equal(error?.message, 'There is no database at sql://admin:hunter2@nowhere.');
  });

  // Rule 7.2
  it('accept cancel alone where no option was offered', async () => {
    const { refusedReply, reply } = await pause('ask permission without options');
    assertError(await refusedReply('allow_once'), 400, 'bad_request');
    assert.equal((await reply('cancel')).finishReason, 'stop');
  });

  // Rule 18.3
  it('accept no answer to a call that cannot be understood, but to cancel one of their own tool', async () => {
    const { refusedReply } = await pause('ask unknown tool');
    assertError(await refusedReply('cancel'), 400, 'bad_request');
    for (const prompt of ['ask unknown kind', 'ask bad arguments']) {
      const asked = await pause(prompt);
      assertError(await asked.refusedReply('allow_once'), 400, 'bad_request');
      assert.equal((await asked.reply('cancel')).finishReason, 'stop');
    }
  });

  // Rule 11.12
  it('have a deadline of their own each, as long as was chosen', async () => {
    await restart({ interactionDeadlineMs: 1_000 });
    const { session, reply } = await pause('ask twice');
    clock.advance(999);
    assert.equal((await reply('allow_once')).finishReason, 'tool_calls');
    clock.advance(999);
    assert.equal(service.state.session(session)?.run, 'paused');
    clock.advance(1);
    assert.equal(service.state.session(session)?.run, 'cancelled');
  });

  // Rules 12.7, 18.8
  it('are unknown by another id, in another session, and at another intern', async () => {
    const { session, calls } = await pause('ask permission');
    const other = (await ask('hello')).final!.session_id!;
    const unknown = [
      refused(replyBody({ ...calls[0]!, id: 'call_nobody' }, session, 'cancel')),
      refused(replyBody(calls[0]!, other, 'cancel')),
      refused(replyBody(calls[0]!, 'session_nobody', 'cancel')),
      refused(replyBody(calls[0]!, session, 'cancel'), { intern: 'intern_bea' }),
    ];
    for (const reply of await Promise.all(unknown)) {
      assertError(reply, 404, 'interaction_unknown');
    }
    assert.equal(service.state.session(session)?.run, 'paused');
  });

  // Rule 18.11
  it('are no longer pending once they were answered', async () => {
    const { reply, refusedReply } = await pause('ask permission');
    await reply('allow_once');
    assertError(await refusedReply('allow_once'), 409, 'interaction_not_pending');
    const first = await pause('ask twice');
    await first.reply('allow_once');
    assertError(await first.refusedReply('allow_once'), 409, 'interaction_not_pending');
  });

  // Rule 18.12
  it('refuse a second request while the answer streams: attachment_failed', async () => {
    await restart({ chunkMs: 10 });
    const asking = startChat(promptBody('ask empty form'));
    const stream = readStream(await play(asking, clock));
    const { final, toolCalls } = await play(stream, clock);
    const body = replyBody(toolCalls[0]!, final!.session_id!, '{"action":"decline"}');
    const reader = new StreamReader(await startChat(body));
    await reader.upTo('assistant');
    assertError(await refused(body), 409, 'attachment_failed');
    const prompt = await refused(promptBody('hi', { session: final!.session_id! }));
    assertError(prompt, 409, 'busy');
    await play(reader.upTo('[DONE]'), clock);
  });

  for (const [reason, code] of Object.entries(IN_STREAM_CODES)) {
    const isOver = ['interaction_not_pending', 'interaction_unknown', 'run_ended'].includes(reason);
    it(`refuse a reply in its stream on command: ${reason}, after which the question ${isOver ? 'is over' : 'waits on'}`, async () => {
      const { session, reply, refusedReply } = await pause(`ask refused ${reason}`);
      const { text, error, final, done } = await reply('allow_always');
      assert.equal(text, '');
      assert.deepEqual([error?.code, error?.metadata.reason], [code, reason]);
      assert.deepEqual([final?.session_id, done], [session, true]);
      assert.equal(service.state.session(session)?.run, isOver ? 'ended' : 'paused');
      if (isOver) assertError(await refusedReply('allow_once'), 409, 'interaction_not_pending');
      else assert.match((await reply('allow_once')).text, /You chose `allow_once`/);
    });
  }

  for (const reason of ['run_ended', 'turn_failed', 'stream_severed'])
    it(`accept a reply whose run then fails without a word: ${reason}`, async () => {
      const { session, reply, refusedReply } = await pause(`ask then fail ${reason}`);
      const { text, error } = await reply('allow_always');
      assert.deepEqual([text, error?.metadata.reason], ['', reason]);
      assert.equal(service.state.session(session)?.run, 'ended');
      assertError(await refusedReply('allow_once'), 409, 'interaction_not_pending');
    });

  // Rule 18.10
  it('keep the session busy for new prompts', async () => {
    const { session } = await pause('ask permission');
    assertError(await refused(promptBody('hi', { session })), 409, 'busy');
    assert.equal((await ask('hi')).finishReason, 'stop');
  });

  // Rule 18.9
  it('are kept while the intern is not running', async () => {
    const { reply, refusedReply } = await pause('ask permission');
    service.state.setIntern('intern_ada', { status: 'stopped' });
    assertError(await refusedReply('allow_once'), 409, 'intern_not_ready');
    service.state.setIntern('intern_ada', { status: 'running' });
    assert.equal((await reply('allow_once')).finishReason, 'stop');
  });

  // Rules 6.12, 8.17
  it('refuse an echo that is not the tool call as it was streamed, and wait on', async () => {
    const { session, calls, reply } = await pause('ask at index 3');
    const [call] = calls;
    assert.equal(call!.index, 3);
    const changed = [
      { ...call!, index: 0 },
      { ...call!, function: { ...call!.function, name: 'service.other' } },
      { ...call!, function: { ...call!.function, arguments: '{}' } },
    ];
    for (const echo of changed)
      assertError(await refused(replyBody(echo, session, 'allow_once')), 400, 'bad_request');
    assert.match((await reply('allow_once')).text, /allow_once/);
  });

  // Rule 6.12
  it('take text parts as an answer, and need no echo', async () => {
    const { session, calls } = await pause('ask permission');
    const content = [
      { type: 'text', text: 'allow' },
      { type: 'text', text: '_once' },
    ];
    const tool = { role: 'tool', tool_call_id: calls[0]!.id, content };
    const response = await send(chatPath(), {
      body: { stream: true, session_id: session, messages: [tool] },
    });
    assert.match((await readStream(response)).text, /allow_once/);
  });
});

/** Turns the clock until `work` settles. */
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
