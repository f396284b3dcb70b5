import assert from 'node:assert/strict';
import { leavePatienceMs } from '../../../src/chat/conversation/state.ts';
import { questionView } from '../../../src/host/chat/present/questionView.ts';
import { Stage, allowOnce, permissionCall } from './conversationStage.ts';

async function paused(): Promise<Stage> {
  const stage = new Stage();
  stage.submit('Go');
  stage.last.open().say({ kind: 'text', text: 'Before. ' }).ask();
  await stage.settle();
  return stage;
}

describe('a question', () => {
  it('is asked only after the final chunk and [DONE], when the session is known', async () => {
    const stage = new Stage();
    stage.submit('Go');
    const call = permissionCall('call-1');
    stage.last.open().say({
      kind: 'interaction',
      call,
      question: { kind: 'permission', operation: 'shell', options: ['allow_once'] },
    });
    stage.last.say({ kind: 'finish', reason: 'tool_calls' });
    await stage.settle();
    assert.equal(stage.asked.length, 0);
    stage.last.say({ kind: 'end', sessionId: 'session-1', usage: null, model: null }).done();
    await stage.settle();
    assert.equal(stage.asked.length, 1);
    assert.equal(stage.phase, 'paused');
  });

  it('is answered with the echo, the same session and the tool message, and the reply goes on in the same message', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    assert.deepEqual(stage.last.chat, {
      kind: 'reply',
      sessionId: 'session-1',
      call: permissionCall('call-1'),
      answer: allowOnce,
    });
    stage.last.open().say({ kind: 'text', text: 'After.' }).finish();
    assert.deepEqual(await outcome, { kind: 'accepted' });
    await stage.settle();
    const replies = stage.conversation.transcript.messages.filter(({ kind }) => kind === 'reply');
    assert.equal(replies.length, 1);
    assert.equal(stage.text, 'Before. After.');
    assert.equal(stage.reply.state, 'done');
  });

  it('is answered once the record says so on disk: after a crash nobody may take it for unanswered', async () => {
    const stage = await paused();
    let written: () => void = () => undefined;
    stage.recorded = new Promise<void>((resolve) => (written = resolve));
    void stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    assert.equal(stage.journal.at(-1)?.type, 'answering');
    assert.equal(stage.last.chat.kind, 'prompt');
    written();
    await stage.settle();
    assert.equal(stage.last.chat.kind, 'reply');
  });

  it('is not answered where Stop comes before the record is on disk', async () => {
    const stage = await paused();
    let written: () => void = () => undefined;
    stage.recorded = new Promise<void>((resolve) => (written = resolve));
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
    written();
    await stage.settle();
    assert.ok(stage.exchanges.every(({ chat }) => chat.kind === 'prompt'));
  });

  it('is asked when the stream was cut after tool_calls only if the session was known before', async () => {
    const unknown = new Stage();
    unknown.submit('Go');
    unknown.last.open().say(
      {
        kind: 'interaction',
        call: permissionCall('call-1'),
        question: { kind: 'permission', operation: null, options: [] },
      },
      { kind: 'finish', reason: 'tool_calls' },
    );
    unknown.last.fail({ kind: 'severed', inStream: true });
    await unknown.settle();
    assert.equal(unknown.asked.length, 0);
    assert.equal(unknown.phase, 'idle');

    const known = new Stage();
    known.submit('One');
    known.last.open().finish('session-1');
    await known.settle();
    known.submit('Go');
    known.last.open().say(
      {
        kind: 'interaction',
        call: permissionCall('call-1'),
        question: { kind: 'permission', operation: null, options: [] },
      },
      { kind: 'finish', reason: 'tool_calls' },
    );
    known.last.fail({ kind: 'severed', inStream: true });
    await known.settle();
    assert.equal(known.asked.length, 1);
  });

  it('that cannot be read is shown, sends nothing, and leaves the run', async () => {
    const stage = new Stage();
    stage.submit('Go');
    const call = { ...permissionCall('call-1'), arguments: 'not json' };
    stage.last
      .open()
      .say(
        { kind: 'interaction', call, question: { kind: 'unreadable', problem: 'not-json' } },
        { kind: 'finish', reason: 'tool_calls' },
        { kind: 'end', sessionId: 'session-1', usage: null, model: null },
      );
    stage.last.done();
    await stage.settle();
    assert.equal(stage.asked.length, 0);
    assert.equal(stage.exchanges.length, 1);
    const part = stage.reply.parts.find(({ kind }) => kind === 'question');
    assert.equal(part?.kind === 'question' && part.why, 'unanswerable');
    assert.equal(part?.kind === 'question' && part.call.arguments, 'not json');
  });

  it('that comes with another one is asked after it', async () => {
    const stage = new Stage();
    stage.submit('Go');
    stage.last.open();
    for (const id of ['call-1', 'call-2'])
      stage.last.say({
        kind: 'interaction',
        call: permissionCall(id),
        question: { kind: 'permission', operation: 'shell', options: ['allow_once'] },
      });
    stage.last.say(
      { kind: 'finish', reason: 'tool_calls' },
      { kind: 'end', sessionId: 'session-1', usage: null, model: null },
    );
    stage.last.done();
    await stage.settle();
    assert.deepEqual(
      stage.asked.map(({ call }) => call.id),
      ['call-1'],
    );
    void stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    stage.last
      .open()
      .say(
        { kind: 'finish', reason: 'tool_calls' },
        { kind: 'end', sessionId: null, usage: null, model: null },
      );
    stage.last.done();
    await stage.settle();
    assert.deepEqual(
      stage.asked.map(({ call }) => call.id),
      ['call-1', 'call-2'],
    );
  });

  it('never has the value of an answer on record', async () => {
    const stage = await paused();
    void stage.conversation.answer(stage.asked[0]!.id, {
      kind: 'elicitation',
      action: 'accept',
      content: { password: 'placeholder-value-x' },
    });
    await stage.settle();
    stage.last.open().finish();
    await stage.settle();
    assert.ok(!JSON.stringify(stage.journal).includes('placeholder-value-x'));
  });
});

describe('an answer that was refused', () => {
  const gone = [
    { kind: 'interaction-unknown', status: 404, reason: 'interaction_unknown' },
    { kind: 'interaction-not-pending', status: 409, reason: 'interaction_not_pending' },
    { kind: 'run-output-lost', status: 410, reason: 'attachment_failed' },
    { kind: 'intern-not-found', status: 404, reason: 'not_found' },
  ] as const;
  for (const failure of gone) {
    it(`is the end of the question after ${failure.kind}`, async () => {
      const stage = await paused();
      const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
      await stage.settle();
      stage.last.fail(failure);
      assert.equal((await outcome).kind, 'gone');
      await stage.settle();
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.state, 'failed');
    });
  }

  const kept = [
    { kind: 'invalid-request', status: 400, reason: 'bad_request' },
    { kind: 'rejected', status: 502, reason: 'intern_rejected' },
    { kind: 'signed-out', status: 401 },
    { kind: 'not-ready', status: 409, reason: 'intern_not_ready' },
  ] as const;
  for (const failure of kept) {
    it(`leaves the question pending after ${failure.kind}`, async () => {
      const stage = await paused();
      const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
      await stage.settle();
      stage.last.fail(failure);
      assert.equal((await outcome).kind, 'kept');
      assert.equal(stage.phase, 'paused');
      const again = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
      await stage.settle();
      stage.last.open().finish();
      assert.equal((await again).kind, 'accepted');
    });
  }

  it('because another request is attached is repeated for 30 s, then kept', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    for (let tries = 0; tries < 40 && stage.phase !== 'paused'; tries++) {
      stage.last.fail({ kind: 'attachment-failed', status: 409, reason: 'attachment_failed' });
      await stage.settle();
      stage.clock.advance(9_000);
    }
    assert.equal((await outcome).kind, 'kept');
    assert.ok(stage.exchanges.length > 3);
  });

  it('by a lost connection is sent again unchanged, and a question that is no longer pending was probably answered', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    const sent = stage.last.chat;
    stage.last.fail({ kind: 'network' });
    await stage.settle();
    assert.equal(stage.phase, 'backing-off');
    stage.clock.advance(20_000);
    await stage.settle();
    assert.deepEqual(stage.last.chat, sent);
    stage.last.fail({
      kind: 'interaction-not-pending',
      status: 409,
      reason: 'interaction_not_pending',
    });
    assert.deepEqual(await outcome, {
      kind: 'maybe-answered',
      how: 'allow_once',
      isEarlier: false,
    });
  });

  it('by a lost connection is not told as received where Stop ends its repetitions: nobody can say so', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    stage.last.fail({ kind: 'network' });
    await stage.settle();
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
    const part = stage.reply.parts.find(({ kind }) => kind === 'question');
    assert.ok(part?.kind === 'question');
    assert.equal(part.why, 'abandoned');
    assert.match(questionView(part, false).stateText, /Nobody can say whether it arrived/);
    assert.equal(stage.phase, 'idle');
  });

  it('tells an earlier answer, which was probably received, from a different one after it, which was not', async () => {
    const stage = await paused();
    const { id } = stage.asked[0]!;
    const first = stage.conversation.answer(id, allowOnce);
    await stage.settle();
    stage.last.fail({ kind: 'network' });
    await stage.settle();
    stage.clock.advance(20_000);
    await stage.settle();
    stage.last.fail({ kind: 'invalid-request', status: 400 });
    assert.equal((await first).kind, 'kept');
    const second = stage.conversation.answer(id, { kind: 'permission', choice: 'reject_once' });
    await stage.settle();
    stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await second, received);
  });

  it('by a lost connection is not sent again after the deadline', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    for (let tries = 0; tries < 200 && stage.phase !== 'paused'; tries++) {
      stage.last.fail({ kind: 'network' });
      await stage.settle();
      stage.clock.advance(9_000);
    }
    assert.equal((await outcome).kind, 'kept');
    assert.ok(stage.clock.now() - stage.asked[0]!.arrivedAt < 330_000);
  });
});

describe('a paused run', () => {
  it('is stopped by cancelling its question, and left when that is taken', async () => {
    const stage = await paused();
    stage.stop();
    await stage.settle();
    const { chat } = stage.last;
    assert.deepEqual(chat.kind === 'reply' && chat.answer, {
      kind: 'permission',
      choice: 'cancel',
    });
    stage.last.open();
    await stage.settle();
    assert.equal(stage.last.aborted, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.phase, 'idle');
  });

  it('goes on waiting when the cancel of a Stop is refused', async () => {
    const stage = await paused();
    stage.stop();
    await stage.settle();
    stage.last.fail({ kind: 'unreachable', status: 502, reason: 'intern_unreachable' });
    await stage.settle();
    for (let tries = 0; tries < 10 && stage.phase === 'backing-off'; tries++) {
      stage.clock.advance(30_000);
      await stage.settle();
      stage.last.fail({ kind: 'unreachable', status: 502, reason: 'intern_unreachable' });
      await stage.settle();
    }
    assert.equal(stage.phase, 'paused');
  });

  it('is left for good only when the service took the cancel: until then its key and its record are needed', async () => {
    const stage = await paused();
    let isLeft = false;
    void stage.conversation.leave().then(() => (isLeft = true));
    await stage.settle();
    stage.clock.advance(leavePatienceMs - 1);
    await stage.settle();
    assert.equal(isLeft, false);
    stage.last.open();
    await stage.settle();
    assert.equal(isLeft, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.clock.waiting, 0);
  });

  it('is left for good without the service where that does not respond', async () => {
    const stage = await paused();
    const left = stage.conversation.leave();
    await stage.settle();
    stage.clock.advance(leavePatienceMs);
    await left;
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.last.aborted, true);
  });

  it('is left by Stop where nobody can answer its question any more: it would wait for ever', async () => {
    const stage = await paused();
    stage.deskRefuses = 'unknown';
    stage.stop();
    await stage.settle();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.state, 'stopped');
    assert.deepEqual(stage.ended, [stage.asked[0]!.id]);
  });

  it('can be stopped again where Stop came while another answer was on its way', async () => {
    const stage = await paused();
    stage.deskRefuses = 'answering';
    stage.stop();
    await stage.settle();
    assert.equal(stage.state.phase.kind === 'paused' && stage.state.phase.stopping, false);
    stage.deskRefuses = undefined;
    stage.stop();
    await stage.settle();
    stage.last.open();
    await stage.settle();
    assert.equal(stage.phase, 'idle');
  });

  it('keeps its question while another window answers it, and asks on where the service refuses that answer', async () => {
    const stage = await paused();
    const { id } = stage.asked[0]!;
    const { conversation } = stage;
    const stamp = (n: number) => ({ id: `other-${n}`, at: stage.clock.now() });
    conversation.follow([{ type: 'answering', question: id, how: 'allow_once', ...stamp(1) }]);
    conversation.restore(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.deepEqual(stage.ended, []);
    const failure = { kind: 'timeout', status: 504, message: '', inStream: false };
    conversation.follow([{ type: 'refused', question: id, failure, ...stamp(2) }]);
    conversation.restore(false);
    assert.equal(stage.phase, 'paused');
    assert.deepEqual(stage.ended, []);
    conversation.follow([{ type: 'answering', question: id, how: 'allow_once', ...stamp(3) }]);
    conversation.restore(true);
    conversation.follow([{ type: 'answered', question: id, how: 'allow_once', ...stamp(4) }]);
    conversation.restore(true);
    assert.deepEqual(stage.ended, [id]);
  });

  it('queues a prompt, and cancels the question and sends it on the user’s word', async () => {
    const stage = await paused();
    stage.submit('Something else');
    assert.equal(stage.exchanges.length, 1);
    stage.conversation.send({ type: 'cancel-and-send' });
    await stage.settle();
    stage.last.open();
    await stage.settle();
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.text, 'Something else');
  });

  it('whose question ran out makes way for a new prompt', async () => {
    const stage = await paused();
    stage.clock.advance(300_000);
    stage.submit('Anyway');
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.text, 'Anyway');
    assert.deepEqual(stage.ended, [stage.asked[0]!.id]);
  });

  it('whose reply stream fails counts the question as answered and keeps the text', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    stage.last.open().say({ kind: 'text', text: 'More' }).fail({ kind: 'severed', inStream: true });
    assert.equal((await outcome).kind, 'accepted');
    await stage.settle();
    assert.equal(stage.text, 'Before. More');
    const part = stage.reply.parts.find(({ kind }) => kind === 'question');
    assert.equal(part?.kind === 'question' && part.state, 'answered');
    assert.equal(stage.reply.state, 'failed');
  });

  it('keeps a question open whose answer comes while the run is not waiting', async () => {
    const stage = await paused();
    const first = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    const second = await stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    assert.equal(second.kind, 'kept');
    assert.equal(stage.exchanges.length, 2);
    stage.last.open().finish();
    void first;
  });

  it('is over when nobody answered long after the countdown', async () => {
    const stage = await paused();
    stage.conversation.send({ type: 'expire', question: stage.asked[0]!.id });
    assert.equal(stage.phase, 'idle');
    const part = stage.reply.parts.find(({ kind }) => kind === 'question');
    assert.equal(part?.kind === 'question' && part.why, 'expired');
  });

  it('may be answered again where the window that was sending an answer is gone, and the service decides', async () => {
    const stage = await paused();
    void stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    await stage.settle();
    stage.reload();
    assert.equal(stage.phase, 'paused');
    const outcome = stage.conversation.answer(stage.asked.at(-1)!.id, allowOnce);
    await stage.settle();
    stage.last.fail({ kind: 'interaction-not-pending', status: 409 });
    const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
    assert.deepEqual(await outcome, received);
  });

  it('answers a question that is not asked any more with nothing', async () => {
    const stage = await paused();
    const outcome = await stage.conversation.answer('another', allowOnce);
    assert.equal(outcome.kind, 'gone');
    assert.equal(stage.exchanges.length, 1);
  });
});
