import assert from 'node:assert/strict';
import { STOP_TIMEOUT_MS } from '../../../src/conversation/machine/state.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { Stage, allowOnce } from './conversationStage.ts';
import { permissionCall } from './fakeExchange.ts';
import { factsOf, play, playAll, unreadable } from './plays.ts';

const paused = () => Stage.paused('Go', 'Before. ');

describe('answers to a question', () => {
  playAll(`
    a question takes an answer days later, after a reload
      submit Go | open | ask | wait 259200000 | reload | answer allow_once | finish => state done; endings answered
    a question takes no second answer while one is being sent
      submit Go | open | ask | answer allow_once | answer reject_once | finish => sent Go, allow_once; endings answered
    a question counts as answered when the stream fails after the answer
      submit Go | open | say Before. | ask | answer allow_once | say More | fail severed => state failed;
      text Before.More; endings answered
  `);
});

describe('the outcome of an answer', () => {
  playAll(`
    an answer does not count before the service reacts to it
      submit Go | open | ask | answer allow_once | role | wait 100 => card Sending your answer; endings none
    an answer may have been received if its stream breaks after the deadline
      submit Go | open | ask | answer allow_once | role | wait 300000 | fail severed => phase paused; received allow_once
    a cancel counts as an answer if the intern then ends the run
      submit Go | open | ask | answer cancel | role | refuse run-ended => endings answered; card Canceled; failure run-ended
    Stop gives up an answer that the service has not reacted to
      submit Go | open | ask | answer allow_once | wait 700 | role | stop => endings abandoned; isAborted true; leftAt 700;
      card You stopped the run while your answer was being sent. It may have been received.
    an answer whose last try was refused may have been received, also after a reload
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | fail invalid-request | reload => phase paused; received allow_once
    an answer may have been received though a later one was refused
      submit Go | open | ask | answer allow_once | fail client-closed | answer reject_once | fail not-ready => phase paused; received allow_once
    an answer may have been received if the question is over when the next one is sent
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | fail invalid-request | reload | answer reject_once | fail not-pending =>
      endings maybe-answered; received allow_once
    the conversation sends an answer four times while runs are limited
      submit Go | open | ask | answer allow_once | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 |
      fail rate-limited | wait 9000 | fail rate-limited => phase paused;
      sent Go, allow_once, allow_once, allow_once, allow_once
    the conversation sends an answer again while a gateway says that the service restarts
      submit Go | open | ask | answer allow_once | fail server-error 502 | wait 9000 | fail server-error 503 | wait 9000 |
      fail server-error 503 | wait 9000 | fail timeout 504 | wait 9000 | fail server-error 503 | wait 9000 | finish =>
      state done; endings answered
    the conversation asks again if the service answers four times that it failed
      submit Go | open | ask | answer allow_once | fail server-error 500 | wait 9000 | fail server-error 500 | wait 9000 |
      fail server-error 500 | wait 9000 | fail server-error 500 => phase paused; received allow_once
    an answer may have been received if two windows that sent one were lost
      submit Go | open | ask | answer allow_once | reload | answer reject_once | reload | answer reject_once |
      fail not-pending => endings maybe-answered; received allow_once
    Stop replaces an answer that is being repeated with a cancel
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | stop | fail not-pending =>
      sent Go, allow_once, allow_once, cancel; phase idle; state stopped; endings maybe-answered; received allow_once
    the conversation remembers a lost answer after its cancel was lost too
      submit Go | open | ask | answer allow_once | fail network | stop | reload => phase paused; received allow_once
    a second Stop abandons the answer
      submit Go | open | ask | answer allow_once | fail rate-limited | stop | fail rate-limited | stop => phase idle;
      endings abandoned; received none
  `);
});

describe('the arrival of a question', () => {
  playAll(`
    the conversation shows no question before the end of the response
      submit Go | asking | end tool_calls => asked 0
    the conversation shows no question of a severed stream if the session is unknown
      submit Go | asking | end tool_calls | fail severed => asked 0; phase idle
    a question is over if the user stops the run before its response ends
      submit Go | asking | stop => phase idle; endings run-ended; card The run ended before you answered
    the conversation shows the question of a severed stream if the session is known
      submit One | finish session-1 | submit Go | asking | end tool_calls | fail severed => asked 1; phase paused
  `);
});

describe('two questions of one response', () => {
  playAll(`
    the conversation shows the first of two questions alone
      submit Go | open | ask call-1 call-2 => asked 1
    the conversation shows the second question once the first is answered
      submit Go | open | ask call-1 call-2 | answer allow_once | pause => asked 2; phase paused
    the conversation takes an answer to the second question after the first is gone
      submit Go | open | ask call-1 call-2 | answer allow_once | refuse not-pending | answer allow_once | finish =>
      state done; endings gone, answered
    the conversation shows no second question if Stop finds the first one gone
      submit Go | open | ask call-1 call-2 | stop | refuse not-pending => phase idle; state stopped; asked 1;
      endings gone, run-ended
  `);
});

describe('an unreadable question', () => {
  playAll(`
    the conversation leaves an unreadable question to the service if its cancel is refused
      submit Go | open | unreadable | wait 500 | fail invalid-request => phase idle; failure unanswerable;
      endings unanswerable; runs false; took 500
    the conversation shows the next question if the cancel of an unreadable one is refused
      submit Go | open | unreadable call-2 | fail invalid-request => asked 1; phase paused
    Stop cancels an unreadable question too
      submit Go | open | ask | stop | open | unreadable | finish => sent Go, cancel, cancel; phase idle; state stopped
    Stop ends a run though the cancel of an unreadable question is refused
      submit Go | open | ask | stop | open | unreadable | fail invalid-request => phase idle; state stopped; runs none
  `);
});

describe('the ownership of a conversation', () => {
  playAll(`
    no window owns a conversation while its question waits
      submit Go | open | ask => isOwned false
    a window owns the conversation while it sends an answer
      submit Go | open | ask | answer allow_once => isOwned true
    a window gives the conversation back when its answer is refused
      submit Go | open | ask | answer allow_once | fail invalid-request => isOwned false
    a window sends no answer while another window owns the conversation
      submit Go | open | ask | owner elsewhere | answer allow_once => sent Go; phase paused
  `);
});

describe('Stop and prompts while a question waits', () => {
  playAll(`
    Stop ends a run though the intern asks once more
      submit Go | open | ask | stop | open | ask call-2 | finish => sent Go, cancel, cancel; phase idle;
      state stopped
    the conversation keeps a run until the service reacts to the cancel of a Stop
      submit Go | open | ask | stop | role => phase requesting
    the conversation leaves a run when the cancel of a Stop is accepted
      submit Go | open | ask | stop | role | say As you wish | wait 30 => isAborted true; phase idle; state stopped
    Stop does nothing while another window answers
      submit Go | open | ask | owner elsewhere | stop => phase paused; sent Go
    Stop ends a run when the other window no longer answers
      submit Go | open | ask | owner elsewhere | stop | owner nobody | stop | finish => phase idle; sent Go, cancel
    the conversation holds back a prompt whose cancel was not sent
      submit Go | open | ask | submit Later | owner elsewhere | cancel-and-send | owner nobody | stop | finish =>
      phase idle; queued Later; isHeld true
    the conversation queues a prompt while a question waits
      submit Go | open | ask | submit Later => sent Go; queued Later; offers cancelQuestionAndSend
    the conversation cancels the question and sends the prompt when the user asks for it
      submit Go | open | ask | submit Now | cancel-and-send | finish => sent Go, cancel, Now
    the conversation cancels the question for one prompt, not for later ones
      submit Go | open | ask | submit Now | cancel-and-send | finish | submit Later | stop => phase idle;
      queued Later; isHeld true
  `);
});

describe('cancel and send', () => {
  playAll(`
    the conversation ignores a request to cancel or give up and send while no question waits
      cancel-and-send | give-up-and-send | submit One | finish | submit Two | submit Three | cancel-and-send |
      give-up-and-send | stop => sent One, Two; isHeld true
  `);
});

describe('an expired question', () => {
  playAll(`
    the conversation gives up an expired question without a request
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send => sent Go, Later; ended 1; endings given-up;
      card You gave up on the question
    a question that is given up keeps the note that an answer may have been received
      submit Go | open | ask | answer allow_once | fail client-closed | submit Later | give-up-and-send =>
      card You gave up on the question. Your answer may have been received.
    the conversation refuses to give up a question while its cancel is being sent
      submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | give-up-and-send => sent Go, cancel;
      banner Canceling the question, then sending your prompt…
    a prompt does not cancel an expired question, which may still be open
      submit Go | open | ask | wait 300000 | submit Later => sent Go; queued Later;
      offers cancelQuestionAndSend, giveUpAndSend
    the conversation offers to give up a question only after its deadline
      submit Go | open | ask | wait 299999 | submit Later => offers cancelQuestionAndSend
    a question stays given up after a reload
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send | finish | reload => phase idle; open 0
    the conversation repeats the prompt after giving up a question if the session is busy
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send | fail busy | wait 9000 =>
      sent Go, Later, Later
    the conversation sends the prompt if the service says that the question no longer waits
      submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | fail not-pending =>
      sent Go, cancel, Later
  `);
});

describe('a request for an answer', () => {
  it('an answer goes out in the session of its question and continues the reply', async () => {
    const stage = await paused();
    const { outcome } = await stage.answering();
    assert.deepEqual(stage.last.chat, {
      kind: 'answer',
      sessionId: 'session-1',
      call: permissionCall('call-1'),
      answer: allowOnce,
    });
    stage.last.open().say({ kind: 'text', text: 'After.' }).finish();
    assert.deepEqual(await outcome, { kind: 'answered', how: 'allow_once' });
    await stage.settle();
    const replies = stage.conversation.transcript.messages.filter(({ kind }) => kind === 'reply');
    assert.equal(replies.length, 1);
    assert.equal(stage.text, 'Before. After.');
    assert.equal(stage.reply.state, 'done');
  });

  it('an answer is recorded before its request, and is abandoned by Stop', async () => {
    const stage = await paused();
    const { outcome } = await stage.answering();
    const types = stage.journal.slice(-2).map(({ type }) => type);
    assert.deepEqual(types, ['answering', 'requested']);
    stage.stop();
    assert.deepEqual(await outcome, { kind: 'abandoned' });
  });

  it('a window sends no answer if another window has closed the question', async () => {
    const stage = await paused();
    const [{ id } = {}] = stage.asked;
    const stamp = { id: 'closed elsewhere', at: stage.clock.now() };
    stage.elsewhere.push({ ...stamp, type: 'closed', question: id!, why: 'gone' });
    assert.equal(await stage.conversation.answer(id!, allowOnce), undefined);
    await stage.settle();
    assert.equal(stage.exchanges.length, 1);
    assert.deepEqual([stage.ended, stage.isOwnedHere], [[id], false]);
  });

  it('a window sends no answer if it closes', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    stage.conversation.dispose();
    assert.deepEqual([await outcome, factsOf(stage).sent], [undefined, ['Go']]);
  });

  it('an unreadable question gets a cancel of its kind, and the run continues', async () => {
    for (const [text, answer] of [
      ['not json', { kind: 'permission', choice: 'cancel' }],
      ['{ "kind" : "elicitation", "fields": 1', { kind: 'elicitation', action: 'cancel' }],
    ] as const) {
      const stage = Stage.asked('Go');
      await stage.last.open().say(unreadable(text)).pause().taken();
      assert.equal(stage.asked.length, 0);
      const { chat } = stage.last;
      assert.ok(chat.kind === 'answer');
      assert.deepEqual([chat.answer, chat.call.arguments], [answer, text]);
      await stage.last.open().say({ kind: 'text', text: 'Then not.' }).taken();
      assert.equal(stage.question.ending, 'answered');
      assert.match(questionView(stage.question, false).stateMessage, /^Canceled: the question/);
      await stage.last.finish().taken();
      assert.equal(stage.reply.state, 'done');
    }
  });

  it('a lost answer does not affect another question', async () => {
    const stage = await play('submit Go | open | ask call-1 call-2');
    const { outcome: first } = await stage.answering();
    stage.last.open().fail({ kind: 'broken-stream', inStream: true });
    assert.equal((await first)?.kind, 'refused');
    assert.deepEqual(
      stage.questions.map(({ maybeReceived }) => maybeReceived?.how ?? null),
      ['allow_once', null],
    );
  });
});

describe('an event out of turn', () => {
  const types = ['unanswered', 'claimed', 'not claimed'] as const;
  const waiting = 'submit Go | policy refuse | open | ask';

  function checkIgnored(stage: Stage, type: (typeof types)[number], question: string): void {
    const before = stage.state;
    if (type === 'unanswered') stage.conversation.send({ type, question });
    else stage.conversation.send({ type: 'claimed', isOurs: type === 'claimed', question });
    assert.equal(stage.state, before, type);
  }

  it('an event of another question changes nothing', async () => {
    const stage = await play(waiting);
    for (const type of types) checkIgnored(stage, type, 'another');
  });

  it('an event of an answered question changes nothing', async () => {
    const stage = await play(`${waiting} | answer allow_once`);
    for (const type of types) checkIgnored(stage, type, stage.asked[0]!.id);
  });

  it('events after Stop change nothing, except its cancel', async () => {
    const stage = await play(waiting);
    const { id } = stage.asked[0]!;
    checkIgnored(stage, 'not claimed', id);
    stage.stop();
    checkIgnored(stage, 'unanswered', id);
    const stopping = stage.state;
    stage.stop();
    assert.equal(stage.state, stopping);
    for (const type of types) checkIgnored(stage, type, 'another');
    await stage.settle();
    assert.deepEqual(factsOf(stage).sent, ['Go', 'cancel']);
  });

  it('the next question takes no answer while the first is being answered', async () => {
    const stage = await play('submit Go | open | ask call-1 call-2');
    const [, next] = stage.state.questions;
    await stage.answering();
    const outcome = await stage.conversation.answer(next!.id, allowOnce);
    assert.equal(outcome?.kind === 'refused' && outcome.error.kind, 'busy');
    assert.deepEqual(factsOf(stage).sent, ['Go', 'allow_once']);
  });
});

describe('a paused run', () => {
  it('a paused run ends for good when the service has accepted the cancel', async () => {
    const stage = await paused();
    let isLeft = false;
    void stage.conversation.stopRun().then(() => (isLeft = true));
    await stage.settle();
    await stage.advance(STOP_TIMEOUT_MS - 1);
    assert.equal(isLeft, false);
    await stage.finish();
    assert.equal(isLeft, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.clock.waiting, 0);
  });

  it('a paused run ends for good if the service does not respond', async () => {
    const stage = await paused();
    const left = stage.conversation.stopRun();
    await stage.settle();
    stage.clock.advance(STOP_TIMEOUT_MS);
    await left;
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.last.aborted, true);
  });

  for (const isStopFirst of [true, false])
    it(`Stop wins over an answer right ${isStopFirst ? 'after' : 'before'} it`, async () => {
      const stage = await paused();
      if (isStopFirst) stage.stop();
      const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
      if (!isStopFirst) stage.stop();
      await stage.settle();
      assert.equal(await outcome, undefined);
      assert.deepEqual(factsOf(stage).sent, ['Go', 'cancel']);
    });

  it('Stop reports the outcome of the cancel that it sends', async () => {
    for (const isTaken of [true, false]) {
      const stage = await paused();
      await stage.stopped();
      if (isTaken) await stage.finish();
      else await stage.fail({ kind: 'not-ready', status: 409 });
      const [{ question, outcome } = {}] = stage.followed;
      assert.equal(question, stage.asked[0]!.id);
      assert.equal((await outcome)?.kind, isTaken ? 'answered' : 'refused');
    }
  });

  it('Stop cancels an elicitation as an elicitation', async () => {
    const stage = Stage.asked('Go');
    const question = { kind: 'elicitation', message: 'Who?', fields: [] } as const;
    const call = { ...permissionCall('call-1'), arguments: JSON.stringify(question) };
    await stage.last.open().say({ kind: 'interaction', call }).pause().taken();
    await stage.stopped();
    assert.deepEqual(stage.answered, { kind: 'elicitation', action: 'cancel' });
  });

  it('the card shows why the service refused the cancel of a question', async () => {
    const stage = await play(
      'submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | fail not-ready',
    );
    assert.deepEqual(factsOf(stage).offers, ['cancelQuestionAndSend', 'giveUpAndSend']);
    const why = /The intern isn’t running\. The service says: “said the service”/;
    assert.match(factsOf(stage).banner, why);
    assert.equal(stage.state.sendWhenLeft, false);
    stage.reload();
    stage.submit('Later');
    assert.match(factsOf(stage).banner, why);
  });

  it('the card reports that an unknown question is gone', async () => {
    const stage = await paused();
    const outcome = await stage.conversation.answer('another', allowOnce);
    assert.equal(outcome?.kind === 'gone' && outcome.error.kind, 'interaction-unknown');
    assert.equal(stage.exchanges.length, 1);
  });
});
