import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import { LEAVE_TIMEOUT_MS } from '../../../src/conversation/machine/state.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { Stage, allowOnce, permissionCall, unreadable } from './conversationStage.ts';
import { factsOf, play, playAll } from './plays.ts';

const paused = () => Stage.paused('Go', 'Before. ');

/** A run whose question was answered, and that is on its way. */
async function sending(answer: Answer = allowOnce) {
  const stage = await paused();
  return { stage, ...(await stage.answering(answer)) };
}

describe('a question', () => {
  playAll(`
    is answered days later, after a reload, for as long as the service takes it
      submit Go | open | ask | wait 259200000 | reload | answer allow_once | finish => state done; endings answered
    takes no second answer while one is on its way
      submit Go | open | ask | answer allow_once | answer reject_once | finish => sent Go, allow_once; endings answered
    counts as answered when the stream fails after that
      submit Go | open | say Before. | ask | answer allow_once | say More | fail severed => state failed;
      text Before.More; endings answered
  `);
});

describe('an answer', () => {
  playAll(`
    does not count while nothing came of it
      submit Go | open | ask | answer allow_once | role | wait 100 => card Sending your answer; endings none
    may have been received if its stream breaks after the presumed deadline
      submit Go | open | ask | answer allow_once | role | wait 300000 | fail severed => phase paused; received allow_once
    that cancels counts if the intern ends the run on it
      submit Go | open | ask | answer cancel | role | refuse run-ended => endings answered; card Canceled; failure run-ended
    is given up by Stop before anything came of it
      submit Go | open | ask | answer allow_once | wait 700 | role | stop => endings abandoned; isAborted true; leftAt 700;
      card You stopped the run while your answer was being sent. It may have been received.
    may have been received though its last try was refused, after a reload too
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | fail invalid-request | reload => phase paused; received allow_once
    may have been received though a later one was not
      submit Go | open | ask | answer allow_once | fail client-closed | answer reject_once | fail not-ready => phase paused; received allow_once
    may have been received if the question is over by the next one
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | fail invalid-request | reload | answer reject_once | fail not-pending =>
      endings maybe-answered; received allow_once
    is sent four times while turns are limited
      submit Go | open | ask | answer allow_once | fail rate-limited | wait 9000 | fail rate-limited | wait 9000 |
      fail rate-limited | wait 9000 | fail rate-limited => phase paused;
      sent Go, allow_once, allow_once, allow_once, allow_once
    may have been received if two windows that sent one were lost
      submit Go | open | ask | answer allow_once | reload | answer reject_once | reload | answer reject_once |
      fail not-pending => endings maybe-answered; received allow_once
    makes way for the cancel of a Stop while it is sent once more
      submit Go | open | ask | answer allow_once | fail network | wait 20000 | stop | fail not-pending =>
      sent Go, allow_once, allow_once, cancel; phase idle; state stopped; endings maybe-answered; received allow_once
    is remembered if it was lost, and its cancel too
      submit Go | open | ask | answer allow_once | fail network | stop | reload => phase paused; received allow_once
    is abandoned by a second Stop
      submit Go | open | ask | answer allow_once | fail rate-limited | stop | fail rate-limited | stop => phase idle;
      endings abandoned
  `);
});

describe('a question', () => {
  playAll(`
    is not asked before the end of the response
      submit Go | asking | end tool_calls => asked 0
    is asked at the end of the response
      submit Go | open | ask => asked 1; phase paused
    is not asked if the stream was cut and the session is not known
      submit Go | asking | end tool_calls | fail severed => asked 0; phase idle
    is asked if the stream was cut and the session is known
      submit One | finish session-1 | submit Go | asking | end tool_calls | fail severed => asked 1; phase paused
  `);
});

describe('a question that comes with another one', () => {
  playAll(`
    is asked after it
      submit Go | open | ask call-1 call-2 => asked 1
    is asked once the first is answered
      submit Go | open | ask call-1 call-2 | answer allow_once | pause => asked 2; phase paused
    is asked if the first is gone
      submit Go | open | ask call-1 call-2 | answer allow_once | refuse not-pending => asked 2; phase paused;
      failure none; endings gone, none
    is answered after that
      submit Go | open | ask call-1 call-2 | answer allow_once | refuse not-pending | answer allow_once | finish =>
      state done; endings gone, answered
    is not asked if Stop finds the first one gone
      submit Go | open | ask call-1 call-2 | stop | refuse not-pending => phase idle; state stopped; asked 1;
      endings gone, run-ended
  `);
});

describe('a question that cannot be read', () => {
  playAll(`
    is left to the service if not even its cancel is taken
      submit Go | open | unreadable | wait 500 | fail invalid-request => phase idle; failure unanswerable;
      endings unanswerable; runs false; took 500
    makes way for the next one
      submit Go | open | unreadable call-2 | fail invalid-request => asked 1; phase paused
    is canceled to stop the run
      submit Go | open | ask | stop | open | unreadable | finish => sent Go, cancel, cancel; phase idle; state stopped
    keeps no run from being stopped if its cancel is refused
      submit Go | open | ask | stop | open | unreadable | fail invalid-request => phase idle; state stopped; runs none
  `);
});

describe('the right to answer', () => {
  playAll(`
    is nobody’s while the question waits
      submit Go | open | ask => isOwned false
    is this window’s while it sends an answer
      submit Go | open | ask | answer allow_once => isOwned true
    is given back when the answer is refused
      submit Go | open | ask | answer allow_once | fail invalid-request => isOwned false
    is not taken from another window
      submit Go | open | ask | owner elsewhere | answer allow_once => sent Go; phase paused
  `);
});

describe('a run that waits for an answer', () => {
  playAll(`
    is stopped though its intern asks once more
      submit Go | open | ask | stop | open | ask call-2 | finish => sent Go, cancel, cancel; phase idle;
      state stopped
    is not left while nothing came of the cancel of a Stop
      submit Go | open | ask | stop | role => phase requesting
    is left when the cancel of a Stop is taken
      submit Go | open | ask | stop | role | say As you wish | wait 30 => isAborted true; phase idle; state stopped
    is not stopped while another window answers
      submit Go | open | ask | owner elsewhere | stop => phase paused; sent Go
    can be stopped after that
      submit Go | open | ask | owner elsewhere | stop | owner nobody | stop | finish => phase idle; sent Go, cancel
    holds a prompt back that was to go out after a cancel which was not sent
      submit Go | open | ask | submit Later | owner elsewhere | cancel-and-send | owner nobody | stop | finish =>
      phase idle; queued Later; isHeld true
    lets a prompt wait
      submit Go | open | ask | submit Later => sent Go; queued Later; offers cancelQuestionAndSend
    is left for a prompt on the user’s word
      submit Go | open | ask | submit Now | cancel-and-send | finish => sent Go, cancel, Now
    is left for one prompt, not for the next ones
      submit Go | open | ask | submit Now | cancel-and-send | finish | submit Later | stop => phase idle;
      queued Later; isHeld true
  `);
});

describe('a run that waits for nothing', () => {
  playAll(`
    takes no word to cancel and send
      cancel-and-send | submit One | submit Two | cancel-and-send | stop => sent One; isHeld true
  `);
});

describe('a run whose question has probably expired', () => {
  playAll(`
    is given up without a request
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send => sent Go, Later; ended 1; endings given-up;
      card You gave up this question
    keeps the note that an answer may have been received when it is given up
      submit Go | open | ask | answer allow_once | fail client-closed | submit Later | give-up-and-send =>
      card You gave up this question. Your answer may have been received.
    cannot be given up while its cancel is on its way
      submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | give-up-and-send => sent Go, cancel;
      banner Canceling the question, then sending your prompt…
    makes way for the prompt once it is canceled
      submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | give-up-and-send | finish => sent Go, cancel, Later
    is not canceled by a prompt, because the question may still be open
      submit Go | open | ask | wait 300000 | submit Later => sent Go; queued Later;
      offers cancelQuestionAndSend, giveUpAndSend
    cannot be given up before that
      submit Go | open | ask | wait 299999 | submit Later => offers cancelQuestionAndSend
    stays given up after a reload
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send | finish | reload => phase idle; open 0
    has its prompt sent again if the session is busy
      submit Go | open | ask | wait 300000 | submit Later | give-up-and-send | fail busy | wait 9000 =>
      sent Go, Later, Later
    makes way for the prompt if the service says that it no longer waits
      submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | fail not-pending =>
      sent Go, cancel, Later
  `);
});

describe('a question', () => {
  it('is answered with its call in its session, and the reply continues', async () => {
    const { stage, outcome } = await sending();
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

  for (const isStopped of [false, true])
    it(`is answered once that is recorded on disk${isStopped ? ', unless Stop comes first' : ''}`, async () => {
      const stage = await paused();
      let written: () => void = () => undefined;
      stage.recorded = new Promise<void>((resolve) => (written = resolve));
      const { outcome } = await stage.answering();
      assert.equal(stage.journal.at(-1)?.type, 'answering');
      if (isStopped) {
        stage.stop();
        assert.deepEqual(await outcome, { kind: 'abandoned' });
      }
      assert.equal(stage.last.chat.kind, 'prompt');
      written();
      await stage.settle();
      assert.equal(stage.last.chat.kind, isStopped ? 'prompt' : 'answer');
    });

  it('is not answered if another window has closed it', async () => {
    const stage = await paused();
    const [{ id } = {}] = stage.asked;
    const stamp = { id: 'closed elsewhere', at: stage.clock.now() };
    stage.elsewhere.push({ ...stamp, type: 'closed', question: id!, why: 'gone' });
    assert.equal(await stage.conversation.answer(id!, allowOnce), undefined);
    await stage.settle();
    assert.equal(stage.exchanges.length, 1);
    assert.deepEqual([stage.ended, stage.isOwnedHere], [[id], false]);
  });

  it('is not answered if its window goes away', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    stage.conversation.dispose();
    assert.equal(await outcome, undefined);
    assert.equal(stage.exchanges.length, 1);
  });

  it('that cannot be read is canceled according to its kind, and the run continues', async () => {
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
      assert.match(questionView(stage.question, false).stateText, /^Canceled: the question/);
      await stage.last.finish().taken();
      assert.equal(stage.reply.state, 'done');
    }
  });

  it('is not affected by a lost answer to another question', async () => {
    const stage = await play('submit Go | open | ask call-1 call-2');
    const { outcome: first } = await stage.answering();
    stage.last.open().fail({ kind: 'broken-stream', inStream: true });
    assert.equal((await first)?.kind, 'refused');
    assert.deepEqual(
      stage.state.questions.map(({ maybeReceived }) => maybeReceived?.how ?? null),
      ['allow_once', null],
    );
  });
});

describe('an event that comes out of turn', () => {
  const types = ['unanswered', 'cancel', 'not-canceled'] as const;
  const waiting = 'submit Go | policy refuse | open | ask';

  function checkIgnored(stage: Stage, type: (typeof types)[number], question: string): void {
    const before = stage.state;
    stage.conversation.send({ type, question });
    assert.equal(stage.state, before, type);
  }

  it('changes nothing of another question', async () => {
    const stage = await play(waiting);
    for (const type of types) checkIgnored(stage, type, 'another');
  });

  it('changes nothing of a run that does not wait', async () => {
    const stage = await play(`${waiting} | answer allow_once`);
    for (const type of types) checkIgnored(stage, type, stage.asked[0]!.id);
  });

  it('changes nothing after Stop, except its cancel', async () => {
    const stage = await play(waiting);
    const { id } = stage.asked[0]!;
    checkIgnored(stage, 'not-canceled', id);
    stage.stop();
    checkIgnored(stage, 'unanswered', id);
    for (const type of types) checkIgnored(stage, type, 'another');
    await stage.settle();
    assert.deepEqual(factsOf(stage).sent, ['Go', 'cancel']);
  });

  it('is refused if it answers the next question while the first is answered', async () => {
    const stage = await play('submit Go | open | ask call-1 call-2');
    const [, next] = stage.state.questions;
    await stage.answering();
    const outcome = await stage.conversation.answer(next!.id, allowOnce);
    assert.equal(outcome?.kind === 'refused' && outcome.error.kind, 'busy');
    assert.deepEqual(factsOf(stage).sent, ['Go', 'allow_once']);
  });
});

describe('the record of an answer', () => {
  const DSN = 'postgres://admin:hunter2@db';

  playAll(`
    has no unlisted reason that quotes a value, and keeps the sentence
      submit Go | open | ask | accept ${DSN} | fail invalid-request 400 not_postgres_url: Not a URL =>
      failureReasons (withheld: it repeats what was sent); messages Not a URL
    keeps a listed reason that a value is a part of
      submit Go | open | ask | accept bad_request | fail invalid-request 400 bad_request => failureReasons bad_request
    has no failure that quotes a value after the answer was taken
      submit Go | open | ask | accept ${DSN} | say I connect. | refuse turn-failed: No such host: ${DSN} =>
      messages (withheld: it repeats what was sent); submitted none
    remembers the values of all answers of the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request: Not a URL | accept sqlite://db =>
      submitted ${DSN}, sqlite://db
    has no value of a refused answer that the service quotes later in the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request: Not a URL | accept sqlite://db | say I connect. |
      ask call-2 | answer allow_once | fail run-ended 410: Was given ${DSN} first =>
      messages Not a URL, (withheld: it repeats what was sent)
    repeats what the service says in the next run
      submit Go | open | ask | accept ${DSN} | finish | submit Again | fail refused 400: Say no ${DSN} =>
      messages Say no ${DSN}; submitted none
    forgets the values when another window ended the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request | other stopped => phase idle; submitted none
    remembers the values when another window goes on with the run
      submit Go | open | ask | accept ${DSN} | fail invalid-request | owner elsewhere | restore => phase paused;
      submitted ${DSN}
  `);

  it('never has a value of it', async () => {
    const stage = await play(`submit Go | open | ask | accept ${DSN} | finish`);
    assert.ok(!JSON.stringify(stage.journal).includes('hunter2'));
  });

  for (const quotation of [DSN, `“${DSN.slice(0, 12)}…”`, `…${DSN.slice(-8)}`]) {
    it(`withholds a refusal that quotes ${quotation}, which the user still sees`, async () => {
      const given: Answer = { kind: 'elicitation', action: 'accept', content: { dsn: DSN } };
      const { stage, outcome } = await sending(given);
      const message = `Not a URL: ${quotation}`;
      await stage.fail({ kind: 'invalid-request', status: 400, reason: 'bad_request', message });
      const told = await outcome;
      assert.ok(told?.kind === 'refused');
      assert.equal(told.error.message, message);
      const refused = stage.journal.at(-1);
      assert.ok(refused?.type === 'refused');
      assert.deepEqual(refused.failure, {
        ...{ kind: 'invalid-request', status: 400, reason: 'bad_request' },
        ...{ message: '(withheld: it repeats what was sent)', inStream: false },
      });
    });
  }
});

describe('an answer that was refused', () => {
  it('is repeated for 30 s if another request is attached', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 40 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'attachment-failed', status: 409, reason: 'attachment_failed' });
      stage.clock.advance(9_000);
    }
    assert.equal((await outcome)?.kind, 'refused');
    assert.ok(stage.exchanges.length > 3);
  });

  it('is not repeated after the deadline if connections are lost', async () => {
    const { stage, outcome } = await sending();
    for (let tries = 0; tries < 200 && stage.phase !== 'paused'; tries++) {
      await stage.fail({ kind: 'network' });
      stage.clock.advance(9_000);
    }
    const given = await outcome;
    assert.ok(given?.kind === 'refused');
    assert.deepEqual(given.maybeReceived, { how: 'allow_once', isEarlier: false });
    assert.ok(stage.clock.now() - stage.asked[0]!.arrivedAt < 330_000);
  });
});

describe('a paused run', () => {
  it('is left for good when the service has taken the cancel', async () => {
    const stage = await paused();
    let isLeft = false;
    void stage.conversation.leave().then(() => (isLeft = true));
    await stage.settle();
    await stage.advance(LEAVE_TIMEOUT_MS - 1);
    assert.equal(isLeft, false);
    await stage.finish();
    assert.equal(isLeft, true);
    assert.equal(stage.reply.state, 'stopped');
    assert.equal(stage.clock.waiting, 0);
  });

  it('is left for good if the service does not respond', async () => {
    const stage = await paused();
    const left = stage.conversation.leave();
    await stage.settle();
    stage.clock.advance(LEAVE_TIMEOUT_MS);
    await left;
    assert.equal(stage.phase, 'idle');
    assert.equal(stage.last.aborted, true);
  });

  it('is stopped if an answer comes right after Stop', async () => {
    const stage = await paused();
    stage.stop();
    const { outcome } = await stage.answering();
    assert.equal(await outcome, undefined);
    assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('is stopped if Stop comes right after an answer', async () => {
    const stage = await paused();
    const outcome = stage.conversation.answer(stage.asked[0]!.id, allowOnce);
    stage.stop();
    await stage.settle();
    assert.equal(await outcome, undefined);
    assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
  });

  it('follows the outcome of the cancel that Stop sends', async () => {
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

  it('cancels an elicitation as one on Stop', async () => {
    const stage = Stage.asked('Go');
    const question = { kind: 'elicitation', message: 'Who?', fields: [] } as const;
    const call = { ...permissionCall('call-1'), arguments: JSON.stringify(question) };
    await stage.last.open().say({ kind: 'interaction', call, question }).pause().taken();
    await stage.stopped();
    const cancel = { kind: 'elicitation', action: 'cancel' };
    assert.deepEqual(stage.answered, cancel);
  });

  it('shows why its cancel was refused, and offers to give the question up', async () => {
    const stage = await play(
      'submit Go | open | ask | wait 300000 | submit Later | cancel-and-send | fail not-ready',
    );
    const { phase, offers } = factsOf(stage);
    assert.deepEqual([phase, offers], ['paused', ['cancelQuestionAndSend', 'giveUpAndSend']]);
    const why = /The intern isn’t running\. The service says: “said the service”/;
    assert.match(factsOf(stage).banner, why);
    assert.equal(stage.state.sendWhenLeft, false);
    stage.reload();
    stage.submit('Later');
    assert.match(factsOf(stage).banner, why);
  });

  it('reports that an unknown question is gone', async () => {
    const stage = await paused();
    const outcome = await stage.conversation.answer('another', allowOnce);
    assert.equal(outcome?.kind === 'gone' && outcome.error.kind, 'interaction-unknown');
    assert.equal(stage.exchanges.length, 1);
  });
});
