import assert from 'node:assert/strict';
import { MAX_REPLY_CHARACTERS, type ChatEvent } from '../../../src/api/index.ts';
import { Stage } from './conversationStage.ts';
import { endEvent } from './fakeExchange.ts';
import { playAll } from './plays.ts';

describe('a run', () => {
  playAll(`
    the conversation keeps the known session when a later run reports none
      submit One | finish session-1 | submit Two | finish null => session session-1
    the conversation keeps the text of a severed stream and marks the reply as failed
      submit One | say Half an ans | fail severed => text Half an ans; state failed; failure severed; runs false
    a run is done though only its final chunk or [DONE] is missing
      submit One | say All | end stop | fail broken-stream => state done; phase idle
    the conversation reports the success and the duration of a run
      submit One | open | wait 1500 | finish => runs true; took 1500
    the conversation reports whether the intern is running
      submit One | fail not-ready | submit Two | finish | submit Three | fail signed-out => observed false, true
    the conversation announces no new session during the first run
      submit One | finish null => notices 0
    the conversation announces a new session if the last one is unknown
      submit One | finish null | submit Two => notices 1
    the conversation announces no new session once one is known
      submit One | finish null | submit Two | finish session-1 | submit Three => notices 1
    the conversation records no mode that is already set
      mode manual => entries 1
    the conversation records a new mode
      mode self-drive => entries 2
    a run keeps the mode of its prompt
      mode self-drive | submit One | mode manual => modes self-drive; runMode self-drive
    the next run uses the mode that was set meanwhile
      mode self-drive | submit One | mode manual | finish | submit Two => modes self-drive, manual
    Stop ends a run at once and keeps its text
      submit One | say Some | stop => isAborted true; phase idle; state stopped; text Some
    the conversation sends a prompt four times while runs are limited
      submit One | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 |
      fail rate-limited => sent One, One, One, One; phase idle; failure rate-limited
    the conversation shows a question once that the stream repeats
      submit One | asking | asking | pause => open 1; asked 1
    a run fails if it waits without a question
      submit One | open | pause => phase idle; state failed; runs false; endings none
    a run fails if it asks without a session
      submit One | asking | pause null => phase idle; state failed; runs false; endings unanswerable
    a finished run leaves no timer
      submit One | say a | say b | finish | wait 1000 => timers 0
    the conversation continues in the session that the final chunk named
      submit One | finish session-7 | submit Two => sessions none, session-7; recordedSessions none, session-7
    the conversation repeats no prompt before the Retry-After of a 429
      submit One | fail rate-limited-long | wait 19999 => sent One
    the conversation repeats a prompt after the Retry-After of a 429
      submit One | fail rate-limited-long | wait 19999 | wait 10000 => sent One, One; sessions none, none
  `);
});

describe('a queued prompt', () => {
  playAll(`
    the conversation queues a prompt during a run
      submit One | submit Two => sent One; queued Two
    the conversation sends a queued prompt when the run succeeds
      submit One | submit Two | finish => sent One, Two; queued none
    the conversation sends no prompt that was removed from the queue
      submit One | submit Two | take-back | finish => state done; sent One
    the conversation holds the queue after a failure
      submit One | submit Two | fail turn-failed => sent One; queued Two; isHeld true; failure turn-failed
    the conversation sends a held prompt after a failure when the user asks for it
      submit One | submit Two | fail turn-failed | send-now => sent One, Two
    the conversation shows the mode of a queued prompt if it differs from the current one
      submit One | mode self-drive | submit Two | mode manual | submit Three => shown Two self-drive, Three
    an edited prompt keeps the mode it was queued in
      submit One | mode self-drive | submit Two | mode manual | submit Three | edit Two! | mode self-drive =>
      shown Two!, Three manual
    the conversation sends a queued prompt in the mode it was queued in
      submit One | mode self-drive | submit Two | mode manual | submit Three | finish | finish =>
      modes manual, self-drive, manual
    an untrusted window sends no prompt in self-drive
      submit One | mode self-drive | submit Two | mode manual | distrust | finish | finish | mode self-drive |
      submit Three => modes manual, manual, manual
    removing the held prompt releases the queue
      submit One | submit Two | fail not-ready | take-back | submit Three | submit Four | finish =>
      sent One, Three, Four; isHeld false
    the conversation sends no prompt that is being edited
      submit One | submit Two | submit Three | editing 0 | finish => sent One; queued Two, Three; phase idle; isHeld false
    the conversation sends the saved text once the edit ends
      submit One | submit Two | editing 0 | finish | edit Two! | editing => sent One, Two!; queued none
    the conversation sends the prompts before the one that is being edited
      submit One | submit Two | submit Three | editing 1 | finish | finish => sent One, Two; queued Three
    a prompt that waits for the end of its edit does not hold back a new one
      submit One | submit Two | editing 0 | finish | submit Three => sent One, Three; queued Two
    the conversation holds the queue after a failure, also when an edit ends
      submit One | submit Two | editing 0 | fail turn-failed | editing => sent One; queued Two; isHeld true
    a held prompt that the user sends during its edit goes out once that ends
      submit One | submit Two | fail turn-failed | editing 0 | send-now | editing => sent One, Two
    Stop holds a prompt that waits for the end of its edit
      submit One | submit Two | editing 0 | finish | stop | editing => sent One; queued Two; isHeld true
  `);
});

describe('a prompt that waits to be sent again', () => {
  playAll(`
    the conversation sends a waiting prompt again at once when the user asks for it
      send-now | submit One | submit Two | fail rate-limited | send-now => sent One, One; queued Two
    the conversation sends no queued prompt during a run, even if the user asks for it
      submit One | submit Two | send-now => sent One
    Stop ends the repetition of a prompt
      submit One | fail rate-limited | stop | wait 600000 => sent One; phase idle; leftAt none
    stopping a repeated prompt does not change when the last run was left
      submit One | finish | submit Two | open | stop | wait 1000 | submit Three | fail busy | stop =>
      leftAt 0; state stopped
    the conversation waits while a stopped run keeps the session busy
      submit One | finish | submit Two | open | stop | submit Three | fail busy | submit Four => phase backing-off;
      queued Four
    the conversation sends the waiting prompt and then the queue once the session is free
      submit One | finish | submit Two | open | stop | submit Three | fail busy | submit Four | wait 10000 | finish =>
      sent One, Two, Three, Three, Four
    the conversation waits up to a minute for a stopped run
      wait 1000000 | submit One | finish | submit Two | open | stop | wait 59999 | submit Three | fail busy =>
      phase backing-off
    the conversation gives up waiting for a stopped run after a minute
      wait 1000000 | submit One | finish | submit Two | open | stop | wait 60000 | submit Three | fail busy =>
      phase idle
    the conversation waits no longer for a stopped run if the clock was set back
      submit One | finish | submit Two | open | stop | jump -3600000 | submit Three | fail busy | wait 60000 |
      fail busy => phase idle
    the conversation waits no longer for a busy session if the clock is set back meanwhile
      submit One | finish | submit Two | open | stop | submit Three | fail busy | jump -3600000 | wait 8000 |
        fail busy => phase idle; failure busy
    the conversation never waits for a session that another client keeps busy
      submit One | finish | submit Two | fail busy => phase idle; failure busy
  `);
});

describe('a prompt after a stopped first run', () => {
  playAll(`
    the conversation sends a prompt at once after a stopped first run in manual
      submit Oen | say What | stop | submit One => sent Oen, One
    the conversation sends a prompt at once after a stopped first run in manual and a reload
      submit Oen | say What | stop | reload | submit One => sent Oen, One; notices 1
    the conversation holds back a prompt after a stopped first run in self-drive
      mode self-drive | submit One | open | stop | submit Two | wait 29999 => phase holding; sent One
    the conversation sends a prompt 30 s after a stopped first run in self-drive
      mode self-drive | submit One | open | stop | submit Two | wait 30000 => sent One, Two; notices 1
    the conversation sends a prompt 30 s after it was held back if the clock was set back
      mode self-drive | submit One | open | stop | jump -3600000 | submit Two | wait 30000 => sent One, Two
    the conversation sends a held-back prompt in its own mode
      mode self-drive | submit One | open | stop | submit Two | mode manual | wait 30000 =>
      modes self-drive, self-drive
    the conversation holds back a prompt after a stopped first run and a reload
      mode self-drive | submit One | open | stop | reload | submit Two => phase holding
    the conversation keeps holding a prompt back when the record is read again
      mode self-drive | submit One | say Half | stop | submit Two | restore => phase holding; queued Two
    the conversation sends a held-back prompt in time after the record is read again
      mode self-drive | submit One | say Half | stop | submit Two | restore | wait 30000 => sent One, Two
    the conversation sends a held-back prompt at once when the user asks for it
      mode self-drive | submit One | open | stop | submit Two | send-now => sent One, Two; timers 0
    Stop leaves a held-back prompt in the queue
      mode self-drive | submit One | open | stop | submit Two | submit Three | stop => phase idle; queued Two, Three;
      isHeld true; timers 0
    the conversation sends a held-back prompt before those queued during the run
      mode self-drive | submit One | open | submit Queued | stop | submit Next | wait 30000 => sent One, Next;
      queued Queued; isHeld true
    the end of a run sends the prompts queued during it if an earlier one was removed
      mode self-drive | submit One | open | submit Queued | stop | submit Next | take-queued-back | wait 30000 |
      submit Later | finish => sent One, Next, Later; isHeld false
    the conversation holds back the next prompt when the first is removed
      mode self-drive | submit One | open | stop | submit Two | submit Three | take-back => phase holding;
      queued Three
    the conversation sends a held-back prompt after the run of another window
      mode self-drive | submit One | open | stop | submit Two | owner elsewhere | other prompt | owner nobody |
      other finished end => sent One, Two; sessions none, theirs
    the conversation sends a held-back prompt as soon as another window has a session
      mode self-drive | submit One | open | stop | submit Two | submit Three | other prompt finished end =>
      sent One, Two; sessions none, theirs; timers 0; queued Three
    removing all held-back prompts ends the wait at once
      mode self-drive | submit One | open | stop | submit Two | submit Three | take-back | take-back =>
      phase idle; sent One; timers 0
    the end of self-drive sends no prompt that is held back for longer
      drive 30-minutes | wait 1790000 | submit One | open | stop | submit Two | wait 10001 =>
      phase holding; sent One; mode manual
  `);
});

describe('a reload', () => {
  playAll(`
    a closing window aborts its request
      submit One | say Half | close => isAborted true; timers 0
    a reload drops a question whose response was incomplete
      mode self-drive | submit One | asking | wait 10 | reload => phase idle; open 0; state cut; leftAt 0; endings run-ended
    a reload drops a question whose session is not on record
      submit One | asking | end tool_calls | reload => phase idle; asked 0; state cut; endings run-ended
    the conversation holds the queue after a reload
      requeue Later => sent none; isHeld true
    the conversation says after a reload that an answer does not send the queue
      submit One | open | ask | submit Later | reopen => isHeld true; banner The prompts below weren’t sent.
    a reload keeps the text of an interrupted reply
      submit One | say Half | reload => phase idle; state cut; text Half
    a reload shows that the service refused a prompt that was to be sent again
      submit One | finish | submit Two | open | stop | submit Three | fail busy | reload => phase idle; state failed;
      failure busy; failureOffers retry, newConversation
    a reload does not take an earlier refusal for the fate of a prompt that was sent again
      submit One | fail rate-limited | send-now | reload => state cut
    a reload while a stopped prompt waited to be sent again shows that it was stopped
      submit One | fail rate-limited | stop | reload => state stopped
    a reload does not touch a run that another window reads
      submit One | say Half | reload elsewhere => phase elsewhere; state working
    a reload leaves a question to the window that answers it
      submit One | open | ask | answer allow_once | reload elsewhere => phase elsewhere; asked 1
    the conversation sends the queue when a run succeeds in another window
      submit One | say Half | reload elsewhere | submit Next | other finished end => sent One, Next; queued none
    a prompt waits for a run elsewhere until the session of that run is on record
      submit One | say Half | owner elsewhere | reload elsewhere | submit Next | other finished => phase elsewhere; sent One
    a prompt that waited for a run elsewhere is sent in the session of that run
      submit One | say Half | owner elsewhere | reload elsewhere | submit Next | other finished | other end |
      owner nobody | wait 250 => sent One, Next; sessions none, theirs; notices 0
    a prompt waits until the window that read the run has released the conversation
      submit One | say Half | owner elsewhere | reload elsewhere | submit Next | other finished end | wait 1000 =>
      phase elsewhere; sent One
    the conversation holds the queue when a run fails in another window
      submit One | say Half | reload elsewhere | submit Next | other failed => sent One; queued Next; isHeld true
    a reload shows the question again with the time that is left
      submit One | open | ask call-9 | wait 60000 | reload => phase paused; asked 2; deadline 300000
  `);
});

describe('a record that another window changed', () => {
  playAll(`
    a change of the record does not affect a run that this window reads
      submit One | say Half | restore => phase requesting; state working
    a change of the record does not affect a prompt that this window repeats
      submit One | fail rate-limited | restore => phase backing-off
    the conversation ends a question that another window closed
      submit Go | open | ask | other closed => phase idle; open 0; ended 1
    the conversation reopens a question if the answer of another window is refused
      submit Go | open | ask | owner elsewhere | other answering | owner nobody | other refused => phase paused;
      ended 0
    the conversation holds the queue if a run that asked here ends in another window
      submit Go | open | ask | submit Next | other answering answered finished end =>
      phase idle; sent Go; queued Next; isHeld true
    the conversation ends a question if the answer of another window is accepted
      submit Go | open | ask | owner elsewhere | other answering | other answered => phase elsewhere; ended 1
  `);
});

describe('a run of a conversation', () => {
  it('a prompt records attachments and the sent text if they differ from what was typed', () => {
    const stage = new Stage();
    const prompt = { text: 'Why?', sent: 'Why? abc', attachments: [{ label: 'a.ts', size: 3 }] };
    stage.conversation.send({ type: 'submit', prompt });
    const [first] = stage.journal.slice(1);
    assert.partialDeepStrictEqual(first, { type: 'prompt', ...prompt });
    const plain = Stage.asked('Why?').journal.at(-2)!;
    assert.deepEqual(
      [plain.type, 'sent' in plain, 'attachments' in plain],
      ['prompt', false, false],
    );
  });

  it('a run records the usage that the service reported', async () => {
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

  it('a run stops a reply that is too long and keeps its text', async () => {
    const stage = Stage.asked('One');
    stage.last.open();
    const mebibyte = 'x'.repeat(1_048_576);
    for (let said = 0; said < 40; said++)
      await stage.last.say({ kind: 'text', text: mebibyte }).taken();
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    assert.equal(stage.reply.failure.inStream, true);
    assert.equal(stage.text.length, MAX_REPLY_CHARACTERS);
    assert.equal(stage.phase, 'idle');
  });

  it('a run limits the size of a reply across its questions and parts', async () => {
    const stage = Stage.asked('One');
    const half = 'x'.repeat(MAX_REPLY_CHARACTERS / 2 + 1);
    await stage.last.open().say({ kind: 'text', text: half }).ask().taken();
    await stage.answering();
    await stage.last.open().say({ kind: 'text', text: half }).taken();
    assert.equal(stage.reply.failure?.kind, 'reply-too-long');
    stage.submit('Two');
    await stage.settle();
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

describe('entries of another window', () => {
  it('a conversation fires one change for an entry that is read twice', () => {
    const stage = new Stage();
    const news: unknown[] = [];
    stage.conversation.onDidChange(({ transcript, stateChanged }) =>
      news.push([transcript.map(({ kind }) => kind), stateChanged]),
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

  it('a conversation keeps its state if another window records only text', async () => {
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

  it('a conversation leaves a run alone that another window begins while the record is read', async () => {
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

describe('an interrupted reply', () => {
  it('the reasoning of an interrupted reply ends at the last chunk when reopened the next day', async () => {
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
