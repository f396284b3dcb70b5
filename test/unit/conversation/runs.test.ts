import assert from 'node:assert/strict';
import { MAX_REPLY_CHARACTERS, type ChatEvent } from '../../../src/api/index.ts';
import { shellView } from '../../../src/features/chatPanel/present/messageView.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import {
  Stage,
  type Failure,
  endEvent,
  permissionCall,
  statusContext,
} from './conversationStage.ts';

describe('a run of a conversation', () => {
  it('streams a reply into one message and goes on in the session that the final chunk named', async () => {
    const stage = Stage.asked('Hello');
    stage.last
      .open()
      .say({ kind: 'role' }, { kind: 'text', text: 'Hi ' })
      .say({ kind: 'text', text: 'there' });
    await stage.last.finish('session-7').taken();
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

  it('has its session on record where that was known when it was sent', async () => {
    const stage = Stage.asked('One');
    await stage.finish('session-7');
    stage.submit('Two');
    const prompts = stage.journal.filter((entry) => entry.type === 'prompt');
    assert.deepEqual(
      prompts.map((entry) => ['session' in entry, entry.session]),
      [
        [false, undefined],
        [true, 'session-7'],
      ],
    );
  });

  it('tells of a new session only where one was there to be forgotten', async () => {
    const stage = new Stage();
    const notices = () => stage.journal.filter(({ type }) => type === 'notice').length;
    stage.submit('One');
    await stage.finish(null);
    assert.equal(notices(), 0, 'nothing came before');
    stage.submit('Two');
    assert.equal(notices(), 1);
    await stage.finish('session-1');
    stage.submit('Three');
    assert.equal(notices(), 1, 'the session is known');
  });

  it('has on record what was attached and what went out, where that is not what was typed', () => {
    const stage = new Stage();
    const attachments = [{ label: 'a.ts', size: 3 }];
    const prompt = { text: 'Why?', sent: 'Why? abc', attachments };
    stage.conversation.send({ type: 'resubmit', prompt, edited: true });
    const [edited, first] = stage.journal.slice(1);
    assert.equal(edited?.type === 'notice' && edited.notice, 'edited');
    assert.ok(first?.type === 'prompt');
    assert.deepEqual(
      [first.text, first.sent, first.attachments],
      ['Why?', 'Why? abc', attachments],
    );
    const plain = new Stage();
    const same = { text: 'Why?', sent: 'Why?', attachments: [] };
    plain.conversation.send({ type: 'resubmit', prompt: same, edited: false });
    const [second] = plain.journal.slice(1);
    assert.ok(second?.type === 'prompt');
    assert.deepEqual(['sent' in second, 'attachments' in second], [false, false]);
  });

  it('has on record what the service counted, each only where it did', async () => {
    const counts = { promptTokens: 5, completionTokens: 7, totalTokens: 12 };
    for (const [cachedTokens, cost, more] of [
      [null, null, {}],
      [3, 0.25, { cachedTokens: 3, cost: 0.25 }],
    ] as const) {
      const stage = Stage.asked('One');
      const usage = { ...counts, cachedTokens, cost };
      stage.last.open().say({ kind: 'finish', reason: 'stop' });
      await stage.last
        .say({ ...endEvent('session-1'), usage })
        .done()
        .taken();
      assert.deepEqual(stage.reply.usage, { ...counts, ...more });
    }
  });

  it('has a mode on record only where it changed', () => {
    const stage = new Stage();
    stage.setMode('manual');
    assert.equal(stage.journal.length, 1);
    stage.setMode('self-drive');
    assert.equal(stage.journal.length, 2);
  });

  it('keeps the known session when a later run ends with a null one', async () => {
    const stage = Stage.asked('One');
    await stage.finish('session-1');
    stage.submit('Two');
    await stage.finish(null);
    assert.equal(stage.conversation.transcript.session, 'session-1');
  });

  it('sends the approval mode of the moment with every prompt, and freezes it in the run', async () => {
    const stage = new Stage();
    stage.setMode('self-drive');
    stage.submit('One');
    stage.setMode('manual');
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.approvalMode, 'self-drive');
    assert.equal(stage.reply.mode, 'self-drive');
    await stage.finish();
    stage.submit('Two');
    const { chat: next } = stage.last;
    assert.equal(next.kind === 'prompt' && next.approvalMode, 'manual');
  });

  it('queues a prompt typed while the intern works and sends it when the run ends well', async () => {
    const stage = Stage.asked('One');
    stage.submit('Two');
    assert.equal(stage.exchanges.length, 1);
    await stage.finish();
    assert.equal(stage.exchanges.length, 2);
    assert.equal(stage.state.queue.length, 0);
  });

  it('goes on when the last prompt that waits behind it is taken back', async () => {
    const stage = Stage.asked('One');
    stage.submit('Two');
    stage.conversation.send({ type: 'remove-queued', id: stage.state.queue[0]!.id });
    assert.equal(stage.phase, 'requesting');
    await stage.finish();
    assert.equal(stage.reply.state, 'done');
    assert.equal(stage.exchanges.length, 1);
  });

  it('holds the queue for the user after a failure, and sends it on their word', async () => {
    const stage = Stage.asked('One');
    stage.submit('Two');
    await stage.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.state.queueHeld, true);
    assert.equal(stage.reply.failure?.reason, 'turn_failed');
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('keeps what came when the stream is cut, and says so', async () => {
    const stage = Stage.asked('One');
    await stage.last
      .open()
      .say({ kind: 'text', text: 'Half an ans' })
      .fail({ kind: 'severed', inStream: true })
      .taken();
    assert.equal(stage.text, 'Half an ans');
    assert.equal(stage.reply.state, 'failed');
    assert.equal(stage.reply.failure?.kind, 'severed');
    assert.deepEqual(stage.runs, [false]);
  });

  it('leaves a reply without an end before it fills memory and disk, with its own words, and keeps what came', async () => {
    const stage = Stage.asked('One');
    stage.last.open();
    const mebibyte = 'x'.repeat(1_048_576);
    for (let said = 0; said < 40; said++) {
      await stage.last.say({ kind: 'text', text: mebibyte }).taken();
    }
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    assert.equal(stage.reply.failure.inStream, true);
    assert.equal(stage.text.length, MAX_REPLY_CHARACTERS);
    assert.equal(stage.phase, 'idle');
  });

  it('counts a reply across its questions, and each new part of it, but every reply by itself', async () => {
    const stage = Stage.asked('One');
    const half = 'x'.repeat(MAX_REPLY_CHARACTERS / 2 + 1);
    await stage.last.open().say({ kind: 'text', text: half }).ask().taken();
    await stage.answering();
    await stage.last.open().say({ kind: 'text', text: half }).taken();
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    stage.submit('Two');
    stage.last.open();
    const small: readonly ChatEvent[] = [
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'b' },
    ];
    await stage.last.say(...Array.from({ length: 16_000 }, () => small).flat()).taken();
    assert.equal(stage.phase, 'requesting');
    await stage.last.say(...Array.from({ length: 32_000 }, () => small).flat()).taken();
    assert.equal(stage.reply.failure.kind, 'reply-too-long');
  });

  it('asks a question once that the stream says twice', async () => {
    const stage = Stage.asked('One');
    const question = { kind: 'permission', operation: null, options: [] } as const;
    const call = permissionCall('call-1');
    stage.last.open().say({ kind: 'interaction', call, question });
    stage.last.say({ kind: 'interaction', call, question });
    await stage.last
      .say({ kind: 'finish', reason: 'tool_calls' }, endEvent('session-1'))
      .done()
      .taken();
    assert.equal(stage.state.questions.length, 1);
  });

  it('that waits without a question, or without a session to answer in, is over, and not well', async () => {
    for (const asks of [false, true]) {
      const stage = Stage.asked('One');
      stage.last.open();
      if (asks) stage.last.ask(permissionCall('call-1'), null);
      else stage.last.say({ kind: 'finish', reason: 'tool_calls' }, endEvent('session-1')).done();
      await stage.settle();
      assert.equal(stage.phase, 'idle');
      assert.equal(stage.reply.state, 'failed');
      assert.deepEqual(stage.runs, [false]);
      const whys = stage.reply.parts.map((part) => part.kind === 'question' && part.ending);
      assert.deepEqual(whys, asks ? ['unanswerable'] : []);
    }
  });

  it('tells that it ended well, and how long it took', async () => {
    const stage = Stage.asked('One');
    stage.last.open();
    stage.clock.advance(1_500);
    await stage.last.finish().taken();
    assert.deepEqual([stage.runs, stage.took], [[true], [1_500]]);
  });

  it('counts a run as done when only the final chunk or [DONE] is missing after its stop', async () => {
    const stage = Stage.asked('One');
    stage.last.open().say({ kind: 'text', text: 'All' }, { kind: 'finish', reason: 'stop' });
    await stage.fail({ kind: 'broken-stream', inStream: true });
    assert.equal(stage.reply.state, 'done');
    assert.equal(stage.phase, 'idle');
  });

  it('tells what a chat teaches of the intern', async () => {
    const stage = Stage.asked('One');
    await stage.fail({ kind: 'not-ready', status: 409, reason: 'intern_not_ready' });
    stage.submit('Two');
    await stage.finish();
    stage.submit('Three');
    await stage.fail({ kind: 'signed-out', status: 401 });
    assert.deepEqual(stage.learned, [false, true]);
  });

  it('waits with no timer when nothing is under way', async () => {
    const stage = Stage.asked('One');
    await stage.last
      .open()
      .say({ kind: 'text', text: 'a' }, { kind: 'text', text: 'b' })
      .finish()
      .taken();
    stage.clock.advance(1_000);
    assert.equal(stage.clock.waiting, 0);
  });
});

describe('the approval mode of a prompt that waits', () => {
  const modes = ({ exchanges }: Stage) =>
    exchanges.map(({ chat }) => (chat.kind === 'prompt' ? chat.approvalMode : ''));

  const shown = (stage: Stage) =>
    statusView(stage.state, statusContext).queue.map(({ text, mode }) => [text, mode]);

  /** A run in manual, one prompt that waits in self-drive, and one in manual. */
  function queued(): Stage {
    const stage = Stage.asked('One');
    stage.setMode('self-drive');
    stage.submit('Two');
    stage.setMode('manual');
    stage.submit('Three');
    return stage;
  }

  it('is that of the moment in which it was sent, and is shown where another one is chosen by now', async () => {
    const stage = queued();
    assert.deepEqual(shown(stage), [
      ['Two', 'self-drive'],
      ['Three', undefined],
    ]);
    const [{ id } = { id: '' }] = stage.state.queue;
    const prompt = { text: 'Two!', sent: 'Two!', attachments: [] };
    stage.conversation.send({ type: 'edit-queued', id, prompt });
    stage.setMode('self-drive');
    assert.deepEqual(shown(stage), [
      ['Two!', undefined],
      ['Three', 'manual'],
    ]);
    await stage.finish();
    await stage.finish();
    assert.deepEqual(modes(stage), ['manual', 'self-drive', 'manual']);
  });

  it('is kept by a prompt that is held back', () => {
    const stage = Stage.left();
    stage.submit('Two');
    stage.setMode('manual');
    assert.equal(stage.phase, 'holding');
    assert.deepEqual(shown(stage), [['Two', 'self-drive']]);
    stage.clock.advance(30_000);
    assert.deepEqual(modes(stage), ['self-drive', 'self-drive']);
  });

  it('is never self-drive in a window that is not trusted, whatever a record says', async () => {
    const stage = queued();
    stage.isTrusted = false;
    await stage.finish();
    assert.equal(stage.reply.mode, 'manual');
    await stage.finish();
    await stage.finish();
    stage.setMode('self-drive');
    stage.submit('Four');
    assert.deepEqual(modes(stage), ['manual', 'manual', 'manual', 'manual']);
  });
});

describe('Stop', () => {
  it('closes the connection at once and keeps what came', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'text', text: 'Some' }).taken();
    stage.stop();
    assert.equal(stage.last.aborted, true);
    await stage.settle();
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.text, 'Some');
    assert.equal(stage.phase, 'idle');
  });

  it('lets the next prompt wait by itself while the service still thinks the session busy', async () => {
    const stage = Stage.asked('One');
    await stage.finish();
    stage.submit('Two');
    stage.last.open();
    stage.stop();
    stage.submit('Three');
    await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
    assert.equal(stage.phase, 'backing-off');
    const before = stage.exchanges.length;
    stage.submit('Four');
    assert.deepEqual(stage.queued, ['Four']);
    stage.clock.advance(10_000);
    assert.equal(stage.exchanges.length, before + 1);
    await stage.finish();
    assert.equal(stage.exchanges.length, before + 2);
  });

  for (const [afterMs, phase] of [
    [59_999, 'backing-off'],
    [60_000, 'idle'],
  ] as const)
    it(`lets a busy session wait for the run that was left at most a minute: after ${afterMs} ms it is ${phase}`, async () => {
      const stage = new Stage();
      stage.clock.advance(1_000_000);
      stage.submit('One');
      await stage.finish();
      stage.submit('Two');
      stage.last.open();
      stage.stop();
      stage.clock.advance(afterMs);
      stage.submit('Three');
      await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
      assert.equal(stage.phase, phase);
    });

  it('of a prompt that waits to be sent again changes nothing of the run that was left before', async () => {
    const stage = Stage.asked('One');
    await stage.finish();
    stage.submit('Two');
    stage.last.open();
    stage.stop();
    const { leftAt } = stage.state;
    stage.clock.advance(1_000);
    stage.submit('Three');
    await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
    stage.stop();
    assert.notEqual(leftAt, null);
    assert.equal(stage.state.leftAt, leftAt);
    assert.equal(stage.reply.state, 'stopped');
  });

  it('does not wait for a session that somebody else keeps busy', async () => {
    const stage = Stage.asked('One');
    await stage.finish();
    stage.submit('Two');
    await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.reply.failure?.kind, 'busy');
  });

  it('sends the prompt that was held back, and not those that wait for their user since the run was left', async () => {
    const stage = new Stage();
    stage.setMode('self-drive');
    stage.submit('One');
    stage.last.open();
    stage.submit('Queued');
    stage.stop();
    assert.equal(stage.state.queueHeld, true);
    stage.submit('Next');
    await stage.advance(30_000);
    assert.equal(stage.prompted, 'Next');
    assert.deepEqual(stage.queued, ['Queued']);
    assert.equal(stage.state.queueHeld, true);
  });

  it('goes on holding a prompt when another window says something that is not a run', () => {
    const stage = new Stage();
    stage.setMode('self-drive');
    stage.submit('One');
    stage.last.open().say({ kind: 'text', text: 'Half' });
    stage.stop();
    stage.submit('Two');
    stage.conversation.restore(false);
    assert.equal(stage.phase, 'holding');
    assert.equal(stage.state.queue.length, 1);
    stage.conversation.send({ type: 'due' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('gives up a prompt that is held back where another window went on, and its queue follows that', () => {
    const stage = Stage.left();
    stage.submit('Two');
    const stamp = (n: number) => ({ id: `other-${n}`, at: stage.clock.now() });
    stage.conversation.follow([
      { type: 'prompt', run: 'other', text: 'There', mode: 'manual', ...stamp(1) },
    ]);
    stage.conversation.restore(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.equal(
      stage.clock.waiting,
      0,
      'what was held back waits for the other run, not for a time',
    );
    stage.conversation.follow([
      { type: 'finished', run: 'other', reason: 'stop', ...stamp(2) },
      { type: 'end', run: 'other', session: 's', model: null, usage: null, ...stamp(3) },
    ]);
    assert.equal(stage.exchanges.length, 1);
    stage.conversation.restore(false);
    const { chat } = stage.last;
    assert.deepEqual(chat.kind === 'prompt' && [chat.text, chat.sessionId], ['Two', 's']);
  });

  it('sends a prompt that is held back as soon as another window has found a session for it', () => {
    const stage = holding();
    const stamp = (n: number) => ({ id: `other-${n}`, at: stage.clock.now() });
    stage.conversation.follow([
      { type: 'prompt', run: 'other', text: 'There', mode: 'manual', ...stamp(1) },
      { type: 'finished', run: 'other', reason: 'stop', ...stamp(2) },
      { type: 'end', run: 'other', session: 's', model: null, usage: null, ...stamp(3) },
    ]);
    stage.conversation.restore(false);
    const { chat } = stage.last;
    assert.deepEqual(chat.kind === 'prompt' && [chat.text, chat.sessionId], ['Two', 's']);
    assert.equal(stage.clock.waiting, 0);
    assert.deepEqual(stage.queued, ['Three']);
  });

  it('lets the mended prompt go out at once, in a session of its own, when a first run was stopped in manual', async () => {
    const stage = Stage.asked('Oen');
    await stage.last.open().say({ kind: 'text', text: 'What' }).taken();
    stage.stop();
    stage.submit('One');
    assert.equal(stage.phase, 'requesting');
    const { chat } = stage.last;
    assert.equal(chat.kind === 'prompt' && chat.sessionId, null);
    stage.stop();
    stage.reload();
    stage.submit('Again');
    assert.equal(stage.phase, 'requesting');
  });

  it('holds the next prompt 30 s when a first run was left before its session was known, in self-drive', () => {
    const stage = Stage.left();
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

  it('still holds it after a reload', () => {
    const stage = Stage.left();
    stage.reload();
    stage.submit('Two');
    assert.equal(stage.phase, 'holding');
  });

  it('sends a held prompt at once when the user says so', () => {
    const stage = Stage.left();
    stage.submit('Two');
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
    assert.equal(stage.clock.waiting, 0);
  });

  /** A prompt that is held back after a run in self-drive, and one that waits behind it. */
  function holding(): Stage {
    const stage = Stage.left();
    stage.submit('Two');
    stage.submit('Three');
    return stage;
  }

  it('leaves prompts that are held back to their user, and waits for nothing any more', () => {
    const stage = holding();
    stage.stop();
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.state.queueHeld, true);
    assert.equal(stage.clock.waiting, 0);
    assert.deepEqual(stage.queued, ['Two', 'Three']);
  });

  it('waits for prompts that are held back until the last of them was taken back', () => {
    const stage = holding();
    for (const [left, phase] of [
      ['Three', 'holding'],
      [undefined, 'idle'],
    ] as const) {
      const [first] = stage.state.queue;
      stage.conversation.send({ type: 'remove-queued', id: first!.id });
      assert.equal(stage.state.queue[0]?.text, left);
      assert.equal(stage.phase, phase);
    }
    assert.equal(stage.clock.waiting, 0);
    stage.clock.advance(60_000);
    assert.equal(stage.exchanges.length, 1);
  });

  it('gives a prompt that was taken back no word over the next one', async () => {
    const stage = Stage.asked('One');
    stage.submit('Two');
    await stage.fail({ kind: 'not-ready', status: 409 });
    assert.equal(stage.state.queueHeld, true);
    stage.conversation.send({ type: 'remove-queued', id: stage.state.queue[0]!.id });
    assert.equal(stage.state.queueHeld, false);
    stage.submit('Three');
    stage.submit('Four');
    await stage.finish();
    assert.equal(stage.prompted, 'Four');
  });

  it('ends a countdown and leaves the prompt unsent', async () => {
    const stage = Stage.asked('One');
    await stage.fail({ kind: 'rate-limited', status: 429, reason: 'rate_limited' });
    assert.equal(stage.phase, 'backing-off');
    stage.stop();
    assert.equal(stage.state.leftAt, null, 'no run started');
    stage.clock.advance(600_000);
    assert.equal(stage.exchanges.length, 1);
    assert.equal(stage.phase, 'idle');
  });
});

describe('a prompt whose fate is unknown', () => {
  const unknown: readonly Failure[] = [
    { kind: 'network' },
    { kind: 'network', code: 'ECONNRESET' },
    { kind: 'timeout' },
    { kind: 'timeout', status: 504, reason: 'timeout' },
    { kind: 'unreachable', status: 502, reason: 'intern_unreachable' },
    { kind: 'severed', status: 502, reason: 'stream_severed' },
    { kind: 'server-error', status: 502 },
    { kind: 'server-error', status: 504 },
    { kind: 'severed', inStream: true },
    { kind: 'severed', status: 502, reason: 'stream_severed', inStream: true },
    { kind: 'timeout', status: 504, reason: 'timeout', inStream: true },
  ];
  const known: readonly Failure[] = [
    { kind: 'network', code: 'ECONNREFUSED' },
    { kind: 'network', code: 'ENOTFOUND' },
    { kind: 'timeout', code: 'UND_ERR_CONNECT_TIMEOUT' },
    { kind: 'turn-failed', status: 502, reason: 'turn_failed' },
    { kind: 'rejected', status: 502, reason: 'intern_rejected' },
    { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
    { kind: 'server-error', status: 500 },
    { kind: 'not-ready', status: 409, reason: 'intern_not_ready' },
    { kind: 'turn-failed', status: 502, reason: 'turn_failed', inStream: true },
    { kind: 'run-ended', status: 410, reason: 'run_ended', inStream: true },
  ];

  const nameOf = ({ kind, status, code, inStream }: Failure): string =>
    [kind, status, code, inStream === true ? 'in the stream' : ''].filter(Boolean).join(' ');

  async function failing(failure: Failure, session: string | null = null): Promise<Stage> {
    const stage = new Stage();
    if (session !== null) {
      stage.submit('Before');
      await stage.finish(session);
    }
    stage.submit('One');
    if (failure.inStream !== true) stage.last.fail(failure);
    else if (failure.status === undefined) stage.last.open().fail(failure);
    else stage.last.open().refuse(failure);
    await stage.settle();
    return stage;
  }

  const detail = ({ reply }: Stage): string => {
    const context = {
      author: 'Ada',
      askedQuestion: null,
      editablePrompt: null,
      whenUnanswered: 'expire' as const,
    };
    return shellView(reply, context).failure?.detail ?? '';
  };

  for (const failure of unknown) {
    it(`is perhaps running, so that the next one waits, after ${nameOf(failure)}`, async () => {
      const stage = await failing(failure);
      assert.match(detail(stage), /may be working on it already/);
      stage.reload();
      assert.match(detail(stage), /may be working on it already/);
      stage.submit('Two');
      assert.equal(stage.phase, 'holding');
      stage.conversation.send({ type: 'send-now' });
      assert.equal(stage.phase, 'requesting');
    });

    it(`keeps its session busy for a while, so that the next one is sent until it is taken, after ${nameOf(failure)}`, async () => {
      const stage = await failing(failure, 'session-1');
      stage.submit('Two');
      for (let tries = 0; tries < 5; tries++) {
        await stage.fail({ kind: 'busy', status: 409, reason: 'busy' });
        assert.equal(stage.phase, 'backing-off');
        await stage.advance(9_000);
      }
      await stage.finish();
      assert.equal(stage.reply.state, 'done');
    });
  }

  for (const failure of known)
    it(`is none after ${nameOf(failure)}: nothing runs, and the next one goes out`, async () => {
      const stage = await failing(failure);
      assert.doesNotMatch(detail(stage), /may be working/);
      stage.reload();
      assert.doesNotMatch(detail(stage), /may be working/);
      stage.submit('Two');
      assert.equal(stage.phase, 'requesting');
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
      const stage = Stage.asked('One');
      await stage.fail(failure);
      stage.clock.advance(3_600_000);
      assert.equal(stage.exchanges.length, 1);
      assert.equal(stage.reply.state, 'failed');
    });
  }

  it('is sent again at once on the user’s word, and only where it waits', async () => {
    const stage = new Stage();
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 0);
    stage.submit('One');
    stage.submit('Two');
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 1, 'not beside the run that it waits for');
    await stage.fail({ kind: 'rate-limited', status: 429, reason: 'rate_limited' });
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
    assert.deepEqual(stage.last.chat, stage.exchanges[0]?.chat);
  });

  it('is sent four times, then left to its user', async () => {
    const stage = Stage.asked('One');
    for (let tries = 0; tries < 10 && stage.phase !== 'idle'; tries++) {
      await stage.fail({ kind: 'rate-limited', status: 429, reason: 'rate_limited' });
      await stage.advance(9_000);
    }
    assert.equal(stage.exchanges.length, 4);
    assert.equal(stage.reply.failure?.kind, 'rate-limited');
  });

  it('is sent again after 429, not before retry-after, unchanged', async () => {
    const stage = Stage.asked('One');
    const first = stage.last.chat;
    await stage.fail({
      kind: 'rate-limited',
      status: 429,
      reason: 'rate_limited',
      retryAfterMs: 20_000,
    });
    stage.clock.advance(19_999);
    assert.equal(stage.exchanges.length, 1);
    stage.clock.advance(10_000);
    assert.equal(stage.exchanges.length, 2);
    assert.deepEqual(stage.last.chat, first);
  });
});

describe('what another window recorded', () => {
  it('changes nothing of a run that is read here, which its own stream tells', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
    stage.conversation.restore(false);
    assert.equal(stage.phase, 'requesting');
    await stage.last.finish().taken();
    assert.equal(stage.reply.state, 'done');
    stage.submit('Two');
    await stage.fail({ kind: 'rate-limited', status: 429, reason: 'rate_limited' });
    stage.conversation.restore(false);
    assert.equal(stage.phase, 'backing-off');
  });

  it('is told once', () => {
    const stage = new Stage();
    const news: unknown[] = [];
    stage.conversation.onDidChange(({ transcript, state }) =>
      news.push([transcript.map(({ kind }) => kind), state]),
    );
    const renamed = { type: 'renamed', title: 'Mine', id: 'other', at: 1 } as const;
    stage.conversation.follow([renamed]);
    stage.conversation.follow([renamed]);
    stage.conversation.record({ type: 'consented' });
    assert.deepEqual(news, [
      [['meta'], true],
      [['meta'], true],
    ]);
    assert.equal(stage.conversation.transcript.title, 'Mine');
  });

  it('leaves the state as it is where it is text alone: the run goes on elsewhere', async () => {
    const stage = new Stage();
    stage.submit('One');
    await stage.last.open().taken();
    stage.reload(true);
    const { state } = stage;
    const news: unknown[] = [];
    stage.conversation.onDidChange((change) => news.push(change));
    const { id: run } = stage.reply;
    stage.conversation.follow([{ type: 'text', run, text: 'Half', id: 'other', at: 1 }]);
    await stage.settle();
    assert.deepEqual([stage.phase, stage.text, news.length], ['elsewhere', 'Half', 1]);
    assert.equal(stage.state, state);
  });

  it('a run of another window is not cut off where that took it as the record was read', async () => {
    const stage = new Stage();
    const stamp = { id: 'other', at: stage.clock.now() };
    stage.elsewhere.push({ type: 'prompt', run: 'theirs', text: 'One', mode: 'manual', ...stamp });
    const resumed = stage.conversation.resume();
    stage.isOwnedElsewhere = true;
    await resumed;
    assert.deepEqual([stage.phase, stage.reply.state], ['elsewhere', 'working']);
    assert.ok(stage.journal.every(({ type }) => type !== 'cut'));
  });

  it('is found as it was left where a question had no answer and its run is over', async () => {
    const stage = await Stage.paused('One');
    const { id } = stage.asked[0]!;
    const stamp = { id: 'other', at: stage.clock.now() };
    stage.conversation.follow([{ type: 'closed', question: id, why: 'gone', ...stamp }]);
    stage.conversation.restore(false);
    assert.equal(stage.phase, 'idle');
    assert.deepEqual(stage.state.questions, []);
    assert.deepEqual(stage.ended, [id]);
  });
});

describe('a window that goes away', () => {
  it('in mid-stream: closes its connection', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
    stage.conversation.dispose();
    assert.equal(stage.last.aborted, true);
    assert.equal(stage.clock.waiting, 0);
  });

  it('after a question in mid-stream: nothing is open, and the run may go on for a while', async () => {
    const stage = new Stage();
    stage.setMode('self-drive');
    stage.submit('One');
    await stage.last
      .open()
      .say({
        kind: 'interaction',
        call: permissionCall('call-1'),
        question: { kind: 'permission', operation: null, options: [] },
      })
      .taken();
    stage.reload();
    assert.equal(stage.phase, 'idle');
    assert.deepEqual(stage.state.questions, []);
    assert.equal(stage.reply.state, 'cut');
    assert.equal(stage.state.leftAt, stage.reply.endedAt);
    assert.notEqual(stage.state.leftAt, null);
  });

  it('in mid-stream: the next one finds what came, cut', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
    stage.reload();
    assert.equal(stage.reply.state, 'cut');
    assert.equal(stage.text, 'Half');
    assert.equal(stage.phase, 'idle');
  });

  it('in mid-thought, until the next morning: it thought no longer than it was heard, and nothing is waited for', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'reasoning', text: 'Hm' }).taken();
    const lastHeard = stage.journal.at(-1)?.at;
    stage.clock.advance(50_000_000);
    stage.reload();
    const [thought] = stage.reply.parts;
    assert.equal(thought?.kind === 'reasoning' && thought.endedAt, lastHeard);
    stage.submit('Two');
    assert.equal(stage.phase, 'requesting');
  });

  it('in mid-stream, while another window reads the run: that is followed, not cut', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
    stage.reload(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.equal(stage.reply.state, 'working');
  });

  for (const how of ['well', 'badly'] as const)
    it(`in mid-stream, to one that reads the run to its end: where it ends ${how}, the queue here ${how === 'well' ? 'goes on' : 'waits for its user'}`, async () => {
      const stage = Stage.asked('One');
      await stage.last.open().say({ kind: 'text', text: 'Half' }).taken();
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

  it('with a question pending that another window answers now: it is asked by that one alone', async () => {
    const stage = await Stage.paused('One');
    await stage.answering();
    stage.reload(true);
    assert.equal(stage.phase, 'elsewhere');
    assert.equal(stage.asked.length, 1);
  });

  it('with a question pending: it is asked again with the time that is left', async () => {
    const stage = Stage.asked('One');
    await stage.last.open().ask(permissionCall('call-9')).taken();
    const [first] = stage.asked;
    stage.clock.advance(60_000);
    stage.reload();
    assert.equal(stage.phase, 'paused');
    assert.equal(stage.asked.length, 2);
    assert.equal(stage.asked.at(-1)?.deadline, first?.deadline);
    assert.equal(stage.asked.at(-1)?.call.arguments, permissionCall('call-9').arguments);
  });

  it('and comes back with prompts that waited: they are held for the user', () => {
    const stage = new Stage();
    const queue = [
      { id: 'q1', text: 'Later', sent: 'Later', attachments: [], mode: 'manual' } as const,
    ];
    stage.conversation.send({ type: 'requeue', queue });
    assert.equal(stage.exchanges.length, 0);
    assert.equal(stage.state.queueHeld, true);
  });
});
