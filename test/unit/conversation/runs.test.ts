import assert from 'node:assert/strict';
import { MAX_REPLY_CHARACTERS, type ChatEvent } from '../../../src/api/index.ts';
import { headerView } from '../../../src/features/chatPanel/present/messageView.ts';
import { Stage, type Failure, endEvent, permissionCall } from './conversationStage.ts';
import { playAll } from './plays.ts';

describe('a run', () => {
  playAll(`
    keeps the known session when a later run ends with a null one
      submit One | finish session-1 | submit Two | finish null => session session-1
    keeps what came when the stream is cut, and says so
      submit One | say Half an ans | fail severed => text Half an ans; state failed; failure severed; runs false
    is done when only the final chunk or [DONE] is missing after its stop
      submit One | say All | end stop | fail broken-stream => state done; phase idle
    tells that it ended well, and how long it took
      submit One | open | wait 1500 | finish => runs true; took 1500
    tells what it learns of the intern
      submit One | fail not-ready | submit Two | finish | submit Three | fail signed-out => observed false, true
    tells of no new session in the first one
      submit One | finish null => notices 0
    tells of a new session if the last one is not known
      submit One | finish null | submit Two => notices 1
    tells of no new session once one is known
      submit One | finish null | submit Two | finish session-1 | submit Three => notices 1
    has no mode on record that it had before
      mode manual => entries 1
    has a new mode on record
      mode self-drive => entries 2
    keeps the mode that its prompt went out in
      mode self-drive | submit One | mode manual => modes self-drive; runMode self-drive
    leaves its mode to itself
      mode self-drive | submit One | mode manual | finish | submit Two => modes self-drive, manual
    is left by Stop at once, with what came
      submit One | say Some | stop => isAborted true; phase idle; state stopped; text Some
    is asked for four times while turns are limited, then left to its user
      submit One | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 |
      fail rate-limited => sent One, One, One, One; phase idle; failure rate-limited
    asks a question once that the stream says twice
      submit One | asking | asking | pause => open 1; asked 1
    is over, and not well, if it waits without a question
      submit One | open | pause => phase idle; state failed; runs false; endings none
    is over, and not well, if it asks without a session to answer in
      submit One | asking | pause null => phase idle; state failed; runs false; endings unanswerable
    leaves no timer behind
      submit One | say a | say b | finish | wait 1000 => timers 0
  `);
});

describe('a prompt that is typed while the intern works', () => {
  playAll(`
    waits
      submit One | submit Two => sent One; queued Two
    is sent when the run ends well
      submit One | submit Two | finish => sent One, Two; queued none
    can be taken back, and the run goes on
      submit One | submit Two | take-back => phase requesting; queued none
    is not sent once it was taken back
      submit One | submit Two | take-back | finish => state done; sent One
    is held after a failure
      submit One | submit Two | fail turn-failed => sent One; queued Two; isHeld true; failure turn-failed
    is sent on the user’s word after a failure
      submit One | submit Two | fail turn-failed | send-now => sent One, Two
    has the mode of the moment, which is shown if it is another one now
      submit One | mode self-drive | submit Two | mode manual | submit Three => shown Two self-drive, Three
    keeps that mode when it is edited
      submit One | mode self-drive | submit Two | mode manual | submit Three | edit Two! | mode self-drive =>
      shown Two!, Three manual
    goes out in that mode
      submit One | mode self-drive | submit Two | mode manual | submit Three | finish | finish =>
      modes manual, self-drive, manual
    never goes out in self-drive from a window that is not trusted
      submit One | mode self-drive | submit Two | mode manual | distrust | finish | finish | mode self-drive |
      submit Three => modes manual, manual, manual
    holds nothing back once it was taken back
      submit One | submit Two | fail not-ready | take-back | submit Three | submit Four | finish =>
      sent One, Three, Four; isHeld false
  `);
});

describe('a prompt that waits to be sent again', () => {
  playAll(`
    goes out at once on the user’s word
      send-now | submit One | submit Two | fail rate-limited | send-now => sent One, One; queued Two
    is not sent beside the run that it waits for
      submit One | submit Two | send-now => sent One
    is not sent after Stop
      submit One | fail rate-limited | stop | wait 600000 => sent One; phase idle; leftAt none
    changes nothing of a run that was left before when it is stopped
      submit One | finish | submit Two | open | stop | wait 1000 | submit Three | fail busy | stop =>
      leftAt 0; state stopped
    waits while the session is busy with the run that was stopped
      submit One | finish | submit Two | open | stop | submit Three | fail busy | submit Four => phase backing-off;
      queued Four
    goes out once that session is free, and the queue after it
      submit One | finish | submit Two | open | stop | submit Three | fail busy | submit Four | wait 10000 | finish =>
      sent One, Two, Three, Three, Four
    waits for the run that was stopped for a minute
      wait 1000000 | submit One | finish | submit Two | open | stop | wait 59999 | submit Three | fail busy =>
      phase backing-off
    waits for it no longer than that
      wait 1000000 | submit One | finish | submit Two | open | stop | wait 60000 | submit Three | fail busy =>
      phase idle
    does not wait for a session that somebody else keeps busy
      submit One | finish | submit Two | fail busy => phase idle; failure busy
  `);
});

describe('a prompt after a first run that was stopped', () => {
  playAll(`
    goes out at once in manual
      submit Oen | say What | stop | submit One => sent Oen, One
    goes out at once in manual after a reload
      submit Oen | say What | stop | reload | submit One => sent Oen, One; notices 1
    is held back in self-drive
      mode self-drive | submit One | open | stop | submit Two | wait 29999 => phase holding; sent One
    is sent after 30 s in self-drive, in a session of its own
      mode self-drive | submit One | open | stop | submit Two | wait 30000 => sent One, Two; notices 1
    is held back in the mode of the moment
      mode self-drive | submit One | open | stop | submit Two | mode manual => phase holding; shown Two self-drive
    goes out in that mode
      mode self-drive | submit One | open | stop | submit Two | mode manual | wait 30000 =>
      modes self-drive, self-drive
    is held back after a reload
      mode self-drive | submit One | open | stop | reload | submit Two => phase holding
    is held back when another window records something that is no run
      mode self-drive | submit One | say Half | stop | submit Two | restore => phase holding; queued Two
    is sent in its time after that
      mode self-drive | submit One | say Half | stop | submit Two | restore | wait 30000 => sent One, Two
    is sent at once on the user’s word
      mode self-drive | submit One | open | stop | submit Two | send-now => sent One, Two; timers 0
    is left to its user by Stop
      mode self-drive | submit One | open | stop | submit Two | submit Three | stop => phase idle; queued Two, Three;
      isHeld true; timers 0
    goes before those that were queued in the run
      mode self-drive | submit One | open | submit Queued | stop | submit Next | wait 30000 => sent One, Next;
      queued Queued; isHeld true
    makes way for the next one when it is taken back
      mode self-drive | submit One | open | stop | submit Two | submit Three | take-back => phase holding;
      queued Three
    leaves nothing to wait for when all are taken back
      mode self-drive | submit One | open | stop | submit Two | submit Three | take-back | take-back | wait 60000 =>
      phase idle; sent One; timers 0
  `);
});

describe('a window that goes away', () => {
  playAll(`
    hangs up
      submit One | say Half | close => isAborted true; timers 0
    leaves a question that it read the half of to nobody
      mode self-drive | submit One | asking | wait 10 | reload => phase idle; open 0; state cut; leftAt 0
    leaves the prompts that waited to their user
      requeue Later => sent none; isHeld true
    leaves what came, cut
      submit One | say Half | reload => phase idle; state cut; text Half
    leaves a run that another window reads
      submit One | say Half | reload elsewhere => phase elsewhere; state working
    leaves a question to the window that answers it
      submit One | open | ask | answer allow_once | reload elsewhere => phase elsewhere; asked 1
  `);
});

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
});

describe('Stop', () => {
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

  /** A prompt that is held back after a run in self-drive, and one that waits behind it. */
  function holding(): Stage {
    const stage = Stage.left();
    stage.submit('Two');
    stage.submit('Three');
    return stage;
  }
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
    return headerView(reply, context).failure?.detail ?? '';
  };

  for (const failure of unknown) {
    it(`is perhaps running, so that the next one waits, after ${nameOf(failure)}`, async () => {
      const stage = await failing(failure);
      assert.equal(stage.exchanges.length, 1);
      assert.equal(stage.clock.waiting, 0, 'it is never sent twice by itself');
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
});
