import assert from 'node:assert/strict';
import { MAX_REPLY_CHARACTERS, type ChatEvent } from '../../../src/api/index.ts';
import { headerView } from '../../../src/features/chatPanel/present/messageView.ts';
import { Stage, endEvent, messageContext } from './conversationStage.ts';
import { play, playAll } from './plays.ts';

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
    streams its reply into one message
      submit One | role | say Hi | say there | finish => text Hithere; state done; phase idle
    goes on in the session that the final chunk named, and records it
      submit One | finish session-7 | submit Two => sessions none, session-7; recordedSessions none, session-7
    is sent again after 429, not before retry-after
      submit One | fail rate-limited-long | wait 19999 => sent One
    is sent again after retry-after
      submit One | fail rate-limited-long | wait 19999 | wait 10000 => sent One, One; sessions none, none
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
    sends what is queued during the run at its end if an earlier prompt was taken back
      mode self-drive | submit One | open | submit Queued | stop | submit Next | take-queued-back | wait 30000 |
      submit Later | finish => sent One, Next, Later; isHeld false
    makes way for the next one when it is taken back
      mode self-drive | submit One | open | stop | submit Two | submit Three | take-back => phase holding;
      queued Three
    waits for a run that another window has begun
      mode self-drive | submit One | open | stop | submit Two | owner elsewhere | other prompt => phase elsewhere;
      sent One; timers 1
    follows that run
      mode self-drive | submit One | open | stop | submit Two | owner elsewhere | other prompt | owner nobody |
      other finished end => sent One, Two; sessions none, theirs
    is sent as soon as another window has a session for it
      mode self-drive | submit One | open | stop | submit Two | submit Three | other prompt finished end =>
      sent One, Two; sessions none, theirs; timers 0; queued Three
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
    sends the queue if another window reads the run to a good end
      submit One | say Half | reload elsewhere | submit Next | other finished end => sent One, Next; queued none
    holds the queue if the run fails in another window
      submit One | say Half | reload elsewhere | submit Next | other failed => sent One; queued Next; isHeld true
    asks its question again, with the time that is left
      submit One | open | ask call-9 | wait 60000 | reload => phase paused; asked 2; deadline 300000
  `);
});

describe('a record that another window changed', () => {
  playAll(`
    does not change a run that is read here
      submit One | say Half | restore => phase requesting; state working
    does not change a run that is repeated here
      submit One | fail rate-limited | restore => phase backing-off
    ends a question that was closed there
      submit Go | open | ask | other closed => phase idle; open 0; ended 1
    does not end a question that is answered there
      submit Go | open | ask | owner elsewhere | other answering => phase elsewhere; ended 0
    opens the question again if that answer is refused
      submit Go | open | ask | owner elsewhere | other answering | owner nobody | other refused => phase paused;
      ended 0
    ends the question if that answer is taken
      submit Go | open | ask | owner elsewhere | other answering | other answered => phase elsewhere; ended 1
  `);
});

describe('a run of a conversation', () => {
  it('records attachments and the sent text if they differ from what was typed', () => {
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

  it('records the usage that the service reported', async () => {
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

  it('stops a reply that is too long, and keeps what came', async () => {
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

  it('limits the size of each reply, across its questions and with each part', async () => {
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

describe('a failed prompt', () => {
  const unknown = [
    ...['fail network', 'fail network ECONNRESET', 'fail timeout', 'fail timeout 504'],
    ...[
      'fail unreachable 502',
      'fail severed 502',
      'fail server-error 502',
      'fail server-error 504',
    ],
    ...['open | fail severed', 'refuse severed 502', 'refuse timeout 504'],
  ];
  const known = [
    ...['fail network ECONNREFUSED', 'fail network ENOTFOUND'],
    ...['fail timeout UND_ERR_CONNECT_TIMEOUT', 'fail turn-failed 502', 'fail rejected 502'],
    ...['fail tls CERT_HAS_EXPIRED', 'fail server-error 500', 'fail not-ready'],
    ...['refuse turn-failed 502', 'refuse run-ended 410'],
  ];
  const mayRun = ({ reply }: Stage): boolean =>
    (headerView(reply, messageContext).failure?.detail ?? '').includes(
      'may already be working on it',
    );

  for (const failure of unknown) {
    it(`may be running, so that the next one waits, after "${failure}"`, async () => {
      const stage = await play(`submit One | ${failure}`);
      assert.deepEqual([stage.exchanges.length, stage.clock.waiting, mayRun(stage)], [1, 0, true]);
      stage.reload();
      assert.equal(mayRun(stage), true);
      stage.submit('Two');
      assert.equal(stage.phase, 'holding');
      stage.conversation.send({ type: 'send-now' });
      assert.equal(stage.phase, 'requesting');
    });

    it(`keeps its session busy, so that the next one is repeated, after "${failure}"`, async () => {
      const stage = await play(`submit Before | finish | submit One | ${failure} | submit Two`);
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
    it(`is not running, so that the next one is sent, after "${failure}"`, async () => {
      const stage = await play(`submit One | ${failure}`);
      assert.equal(mayRun(stage), false);
      stage.reload();
      assert.equal(mayRun(stage), false);
      stage.submit('Two');
      assert.equal(stage.phase, 'requesting');
    });
});

describe('what another window recorded', () => {
  it('fires a change once for an entry that comes twice', () => {
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

  it('keeps the state if another window records only text', async () => {
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

  it('does not cut a run that another window begins while the record is read', async () => {
    const stage = new Stage();
    const stamp = { id: 'other', at: stage.clock.now() };
    stage.elsewhere.push({ type: 'prompt', run: 'theirs', text: 'One', mode: 'manual', ...stamp });
    const resumed = stage.conversation.resume();
    stage.isOwnedElsewhere = true;
    await resumed;
    assert.deepEqual([stage.phase, stage.reply.state], ['elsewhere', 'working']);
    assert.ok(stage.journal.every(({ type }) => type !== 'cut'));
  });
});

describe('a window that goes away', () => {
  it('ends the reasoning time at the last chunk when reopened the next day', async () => {
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
});
