import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/api/index.ts';
import { mostReplyCharacters } from '../../../src/chat/replyMeter.ts';
import { Stage, permissionCall } from './conversationStage.ts';

describe('a run of a conversation', () => {
  it('streams a reply into one message and goes on in the session that the final chunk named', async () => {
    const stage = new Stage();
    stage.submit('Hello');
    stage.last
      .open()
      .say({ kind: 'role' }, { kind: 'text', text: 'Hi ' })
      .say({ kind: 'text', text: 'there' });
    stage.last.finish('session-7');
    await stage.settle();
    assert.equal(stage.text, 'Hi there');
    assert.equal(stage.reply.state, 'done');
    assert.equal(stage.phase, 'idle');
    stage.submit('Again');
    assert.deepEqual(stage.last.chat, {
      kind: 'prompt',
      text: 'Again',
      approvalMode: 'manual',
      sessionId: 'session-7',
    });
  });

  it('keeps the known session when a later run ends with a null one', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().finish('session-1');
    await stage.settle();
    stage.submit('Two');
    stage.last.open().finish(null);
    await stage.settle();
    assert.equal(stage.state.session, 'session-1');
  });

  it('sends the approval mode of the moment with every prompt, and freezes it in the run', async () => {
    const stage = new Stage();
    stage.conversation.send({ type: 'set-mode', mode: 'self-drive' });
    stage.submit('One');
    stage.conversation.send({ type: 'set-mode', mode: 'manual' });
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.approvalMode, 'self-drive');
    assert.equal(stage.reply.mode, 'self-drive');
    stage.last.open().finish();
    await stage.settle();
    stage.submit('Two');
    const { chat: next } = stage.last;
    assert.equal(next.kind === 'prompt' && next.approvalMode, 'manual');
  });

  it('queues a prompt typed while the intern works and sends it when the run ends well', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.submit('Two');
    assert.equal(stage.exchanges.length, 1);
    stage.last.open().finish();
    await stage.settle();
    assert.equal(stage.exchanges.length, 2);
    assert.equal(stage.state.queue.length, 0);
  });

  it('holds the queue for the user after a failure, and sends it on their word', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.submit('Two');
    stage.last.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    await stage.settle();
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.state.queueHeld, true);
    assert.equal(stage.reply.failure?.reason, 'turn_failed');
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('keeps what came when the stream is cut, and says so', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last
      .open()
      .say({ kind: 'text', text: 'Half an ans' })
      .fail({ kind: 'severed', inStream: true });
    await stage.settle();
    assert.equal(stage.text, 'Half an ans');
    assert.equal(stage.reply.state, 'failed');
    assert.equal(stage.reply.failure?.kind, 'severed');
    assert.deepEqual(stage.runs, [false]);
  });

  it('leaves a reply without an end before it fills memory and disk, with its own words, and keeps what came', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open();
    const mebibyte = 'x'.repeat(1_048_576);
    for (let said = 0; said < 40; said++) {
      stage.last.say({ kind: 'text', text: mebibyte });
      await stage.settle();
    }
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    assert.equal(stage.reply.failure.inStream, true);
    assert.equal(stage.text.length, mostReplyCharacters);
    assert.equal(stage.phase, 'idle');
  });

  it('counts a reply across its questions, and each new part of it, but every reply by itself', async () => {
    const stage = new Stage();
    stage.submit('One');
    const half = 'x'.repeat(mostReplyCharacters / 2 + 1);
    stage.last.open().say({ kind: 'text', text: half }).ask();
    await stage.settle();
    void stage.conversation.answer(stage.asked.at(-1)!.id, {
      kind: 'permission',
      choice: 'allow_once',
    });
    await stage.settle();
    stage.last.open().say({ kind: 'text', text: half });
    await stage.settle();
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    stage.submit('Two');
    stage.last.open();
    const small: readonly ChatEvent[] = [
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'b' },
    ];
    stage.last.say(...Array.from({ length: 16_000 }, () => small).flat());
    await stage.settle();
    assert.equal(stage.phase, 'requesting');
    stage.last.say(...Array.from({ length: 32_000 }, () => small).flat());
    await stage.settle();
    assert.equal(stage.reply.failure.kind, 'reply-too-long');
  });

  it('counts a run as done when only the final chunk or [DONE] is missing after its stop', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'All' }, { kind: 'finish', reason: 'stop' });
    stage.last.fail({ kind: 'broken-stream', inStream: true });
    await stage.settle();
    assert.equal(stage.reply.state, 'done');
    assert.equal(stage.phase, 'idle');
  });

  it('tells what a chat teaches of the intern', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.fail({ kind: 'not-ready', status: 409, reason: 'intern_not_ready' });
    await stage.settle();
    stage.submit('Two');
    stage.last.open().finish();
    await stage.settle();
    stage.submit('Three');
    stage.last.fail({ kind: 'signed-out', status: 401 });
    await stage.settle();
    assert.deepEqual(stage.learned, [false, true]);
  });

  it('waits with no timer when nothing is under way', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' }).finish();
    await stage.settle();
    stage.clock.advance(1_000);
    assert.equal(stage.clock.waiting, 0);
  });
});

describe('Stop', () => {
  it('closes the connection at once and keeps what came', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'Some' });
    await stage.settle();
    stage.stop();
    assert.equal(stage.last.aborted, true);
    await stage.settle();
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.text, 'Some');
    assert.equal(stage.phase, 'idle');
  });

  it('lets the next prompt wait by itself while the service still thinks the session busy', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().finish();
    await stage.settle();
    stage.submit('Two');
    stage.last.open();
    stage.stop();
    stage.submit('Three');
    stage.last.fail({ kind: 'busy', status: 409, reason: 'busy' });
    await stage.settle();
    assert.equal(stage.phase, 'backing-off');
    const before = stage.exchanges.length;
    stage.clock.advance(10_000);
    assert.equal(stage.exchanges.length, before + 1);
    stage.last.open().finish();
    await stage.settle();
    assert.equal(stage.reply.state, 'done');
  });

  it('does not wait for a session that somebody else keeps busy', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().finish();
    await stage.settle();
    stage.submit('Two');
    stage.last.fail({ kind: 'busy', status: 409, reason: 'busy' });
    await stage.settle();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.failure?.kind, 'busy');
  });

  it('sends the prompt that was held back, and not those that wait for their user since the run was left', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open();
    stage.submit('Queued');
    stage.stop();
    assert.equal(stage.state.queueHeld, true);
    stage.submit('Next');
    stage.clock.advance(30_000);
    await stage.settle();
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.text, 'Next');
    assert.deepEqual(
      stage.state.queue.map(({ text }) => text),
      ['Queued'],
    );
    assert.equal(stage.state.queueHeld, true);
  });

  it('goes on holding a prompt when another window says something that is not a run', () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'Half' });
    stage.conversation.send({ type: 'stop' });
    stage.submit('Two');
    stage.conversation.restore(false);
    assert.equal(stage.phase, 'holding');
    assert.equal(stage.state.queue.length, 1);
    stage.conversation.send({ type: 'due' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('holds the next prompt 30 s when a first run was left before its session was known', () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open();
    stage.stop();
    stage.submit('Two');
    assert.equal(stage.phase, 'holding');
    assert.equal(stage.exchanges.length, 1);
    stage.clock.advance(29_999);
    assert.equal(stage.exchanges.length, 1);
    stage.clock.advance(1);
    assert.equal(stage.exchanges.length, 2);
    const [notice] = stage.conversation.transcript.messages.filter(({ kind }) => kind === 'notice');
    assert.ok(notice, 'says that a new session starts');
  });

  it('sends a held prompt at once when the user says so', () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open();
    stage.stop();
    stage.submit('Two');
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
    assert.equal(stage.clock.waiting, 0);
  });

  it('ends a countdown and leaves the prompt unsent', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.fail({ kind: 'rate-limited', status: 429, reason: 'rate_limited' });
    await stage.settle();
    assert.equal(stage.phase, 'backing-off');
    stage.stop();
    stage.clock.advance(600_000);
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.phase, 'idle');
  });
});

describe('a prompt that was refused', () => {
  const never = [
    { kind: 'unreachable', status: 502, reason: 'intern_unreachable' },
    { kind: 'timeout', status: 504, reason: 'timeout' },
    { kind: 'network' },
    { kind: 'severed', status: 502, reason: 'stream_severed' },
  ] as const;
  for (const failure of never) {
    it(`is never sent twice by itself after ${failure.kind}: it might run twice`, async () => {
      const stage = new Stage();
      stage.submit('One');
      stage.last.fail(failure);
      await stage.settle();
      stage.clock.advance(3_600_000);
      assert.equal(stage.exchanges.length, 1);
      assert.equal(stage.reply.state, 'failed');
    });
  }

  it('is sent again after 429, not before retry-after, unchanged', async () => {
    const stage = new Stage();
    stage.submit('One');
    const first = stage.last.chat;
    stage.last.fail({
      kind: 'rate-limited',
      status: 429,
      reason: 'rate_limited',
      retryAfterMs: 20_000,
    });
    await stage.settle();
    stage.clock.advance(19_999);
    assert.equal(stage.exchanges.length, 1);
    stage.clock.advance(10_000);
    assert.equal(stage.exchanges.length, 2);
    assert.deepEqual(stage.last.chat, first);
  });
});

describe('a window that goes away', () => {
  it('in mid-stream: the next one finds what came, cut', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'Half' });
    await stage.settle();
    stage.reload();
    assert.equal(stage.reply.state, 'cut');
    assert.equal(stage.text, 'Half');
    assert.equal(stage.phase, 'idle');
  });

  it('in mid-thought, until the next morning: it thought no longer than it was heard, and nothing is waited for', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'reasoning', text: 'Hm' });
    await stage.settle();
    const lastHeard = stage.journal.at(-1)?.at;
    stage.clock.advance(50_000_000);
    stage.reload();
    const [thought] = stage.reply.parts;
    assert.equal(thought?.kind === 'reasoning' && thought.endedAt, lastHeard);
    stage.submit('Two');
    assert.equal(stage.phase, 'requesting');
  });

  it('in mid-stream, while another window reads the run: that is followed, not cut', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'Half' });
    await stage.settle();
    stage.reload(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.equal(stage.reply.state, 'working');
  });

  for (const how of ['well', 'badly'] as const)
    it(`in mid-stream, to one that reads the run to its end: where it ends ${how}, the queue here ${how === 'well' ? 'goes on' : 'waits for its user'}`, async () => {
      const stage = new Stage();
      stage.submit('One');
      stage.last.open().say({ kind: 'text', text: 'Half' });
      await stage.settle();
      const known = stage.journal.length;
      if (how === 'well') stage.last.finish();
      else stage.last.fail({ kind: 'severed', inStream: true });
      await stage.settle();
      const elsewhere = stage.journal.splice(known);
      stage.reload(true);
      stage.submit('Next');
      stage.conversation.follow(elsewhere);
      stage.conversation.restore(false);
      await stage.settle();
      assert.equal(stage.exchanges.length, how === 'well' ? 2 : 1);
      assert.equal(stage.state.queue.length, how === 'well' ? 0 : 1);
      assert.equal(stage.state.queueHeld, how === 'badly');
    });

  it('with a question pending: it is asked again with the time that is left', async () => {
    const stage = new Stage();
    stage.submit('One');
    stage.last.open().ask(permissionCall('call-9'));
    await stage.settle();
    const [first] = stage.asked;
    stage.clock.advance(60_000);
    stage.reload();
    assert.equal(stage.phase, 'paused');
    assert.equal(stage.asked.at(-1)?.deadline, first?.deadline);
    assert.equal(stage.asked.at(-1)?.call.arguments, permissionCall('call-9').arguments);
  });

  it('and comes back with prompts that waited: they are held for the user', () => {
    const stage = new Stage();
    const queue = [{ id: 'q1', text: 'Later', sent: 'Later', attachments: [] }];
    stage.conversation.send({ type: 'requeue', queue });
    assert.equal(stage.exchanges.length, 0);
    assert.equal(stage.state.queueHeld, true);
  });
});
