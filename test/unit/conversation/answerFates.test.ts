import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import type { AnswerOutcome } from '../../../src/conversation/questions/types.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { answerFates, type AnswerFate, type Fate } from '../support/answerFates.ts';
import { Stage } from './conversationStage.ts';
import { statusContext } from './viewContexts.ts';

const rejectOnce: Answer = { kind: 'permission', choice: 'reject_once' };
const notPending = { kind: 'interaction-not-pending', status: 409 } as const;
const isOpen = ({ fate }: AnswerFate) => fate === 'refused' || fate === 'unclear';

const outcomes: Readonly<Record<Fate, string>> = {
  taken: 'counts',
  refused: 'is refused',
  unclear: 'may have been received',
  gone: 'is too late',
  perhaps: 'may have closed the question',
};

/** The text and the buttons of the question's card. */
const cards: Readonly<Record<Fate, readonly [words: RegExp, ...actions: string[]]>> = {
  taken: [/^Allowed once$/],
  refused: [/^The service refused the answer\. Answer again/, 'answer'],
  unclear: [/^Your answer may have been received\. You can answer again/, 'answer'],
  gone: [/^The intern no longer needs an answer$/, 'askAgain'],
  perhaps: [/^Your answer may have been received\. The question has closed\.$/],
};

/** Why an answer waits to be sent again. */
const waits: Readonly<Record<string, RegExp>> = {
  'attachment-failed': /This run is open elsewhere\. Sending your answer again/,
  busy: /This run is open elsewhere\. Sending your answer again/,
  'no-capacity': /can’t start another run yet\. Retrying/,
  'rate-limited': /too many runs\)\. Retrying/,
};

/** The service responds to the request under way, once. */
async function respond(stage: Stage, { failure, events }: AnswerFate): Promise<void> {
  if (failure === undefined)
    await stage.last
      .open()
      .say({ kind: 'role' }, ...events)
      .taken();
  else if (failure.inStream !== true) await stage.fail(failure);
  else {
    stage.last.open().say({ kind: 'role' });
    // A broken connection has no status, and no chunk that tells of it.
    if (failure.status === undefined && failure.kind !== 'unlisted-finish')
      await stage.fail(failure);
    else await stage.last.refuse(failure).taken();
  }
  stage.clock.advance(30);
  await stage.settle();
}

/** The service responds in the same way until the answer is not sent again. */
async function respondAlways(stage: Stage, row: AnswerFate): Promise<void> {
  for (;;) {
    await respond(stage, row);
    if (stage.phase !== 'backing-off') return;
    await stage.advance(stage.clock.untilNext ?? 0);
  }
}

/** A run whose question was answered, and the service has responded as a row says. */
async function answered(row: AnswerFate): Promise<[Stage, AnswerOutcome | undefined]> {
  const stage = await Stage.paused('Go', 'Before. ');
  const { outcome } = await stage.answering();
  stage.clock.advance(700);
  await respondAlways(stage, row);
  return [stage, await outcome];
}

/** The user gives another answer, and the service says that the question is over. */
async function rejectTooLate(stage: Stage): Promise<AnswerOutcome | undefined> {
  const { outcome } = await stage.answering(rejectOnce);
  await stage.fail(notPending);
  return await outcome;
}

function card(stage: Stage): [string, ...string[]] {
  const { stateMessage, actions } = questionView(stage.question, stage.phase === 'paused');
  return [stateMessage, ...actions.map(({ id }) => id)];
}

function checkCard(stage: Stage, fate: Fate): void {
  const [words, ...actions] = card(stage);
  const [expected, ...expectedActions] = cards[fate];
  assert.match(words, expected);
  assert.deepEqual(actions, expectedActions);
}

/** The outcome of an answer, without its error. */
function facts(outcome: AnswerOutcome | undefined): object | undefined {
  if (outcome === undefined || !('error' in outcome)) return outcome;
  const { error, ...rest } = outcome;
  return { ...rest, error: error.kind };
}

function expectedFacts({ fate, failure }: AnswerFate, by?: 'nobody'): object {
  const how = by === undefined ? { how: 'allow_once' } : { how: 'reject_once', by };
  const received = { ...how, isEarlier: false };
  switch (fate) {
    case 'taken':
      return { kind: 'answered', ...how };
    case 'refused':
      return { kind: 'refused', error: failure!.kind };
    case 'unclear':
      return { kind: 'refused', error: failure!.kind, maybeReceived: received };
    case 'gone':
      return { kind: 'gone', error: failure!.kind };
    case 'perhaps':
      return { kind: 'maybe-answered', ...received };
  }
}

describe('the fate of an answer', () => {
  for (const row of answerFates) {
    const { name, fate } = row;

    it(`an answer ${outcomes[fate]} after ${name}`, async () => {
      const [stage, outcome] = await answered(row);
      assert.deepEqual(facts(outcome), expectedFacts(row));
      checkCard(stage, fate);
      const [, first, ...later] = stage.exchanges.map(({ chat }) => chat);
      assert.equal(later.length > 0, row.isRepeated);
      for (const chat of later) assert.deepEqual(chat, first, 'it goes out unchanged');
      const records = stage.journal.filter(({ type }) => type === 'answered');
      assert.equal(records.length, fate === 'taken' ? 1 : 0);
      if (fate === 'taken') return;
      assert.equal(stage.phase, isOpen(row) ? 'paused' : 'idle');
      assert.equal(stage.reply.state, isOpen(row) ? 'waiting' : 'failed');
      // The next prompt waits for a run that may continue.
      const isOver = ['run-ended', 'unlisted-finish'].includes(row.failure!.kind);
      assert.equal(stage.state.leftAt !== null, !isOpen(row) && !isOver);
      assert.deepEqual(stage.runs, isOpen(row) ? [] : [false]);
      assert.deepEqual(stage.took, isOpen(row) ? [] : [700]);
      stage.reload();
      checkCard(stage, fate);
    });

    it(`an automatic answer ${outcomes[fate]} after ${name}`, async () => {
      const stage = Stage.asked('Go');
      stage.conversation.record({ type: 'unanswered', then: 'refuse' });
      await stage.last.open().ask().taken();
      const outcome = stage.conversation.applyUnansweredPolicy(stage.asked[0]!.id);
      await stage.settle();
      await respondAlways(stage, row);
      assert.deepEqual(facts(await outcome), expectedFacts(row, 'nobody'));
      const words = {
        taken: /^Not answered. Rejected automatically.$/,
        refused: /^Not answered\. The service refused the automatic answer\./,
        unclear: /^Not answered\. An automatic answer may have been received\. You can answer/,
        gone: /^The intern no longer needs an answer$/,
        perhaps: /^Not answered\. An automatic answer may have been received\. The question has/,
      };
      assert.match(card(stage)[0], words[fate]);
    });

    // A run that asks on is stopped when it waits again.
    if (!name.includes('question') && !name.includes('asks'))
      it(`the cancel of a Stop ${outcomes[fate]} after ${name}`, async () => {
        const stage = await Stage.paused('Go');
        stage.submit('Later');
        await stage.stopped();
        assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
        await respondAlways(stage, row);
        if (fate === 'taken' && stage.phase === 'requesting') await stage.last.done().taken();
        assert.deepEqual(stage.runs, [], 'its user knows that it ends');
        assert.equal(stage.phase, isOpen(row) ? 'paused' : 'idle');
        if (isOpen(row)) {
          const words = fate === 'refused' ? /^The service refused the cancel/ : /^The cancel/;
          assert.match(card(stage)[0], words);
          return;
        }
        assert.equal(stage.reply.state, 'stopped');
        if (name === 'the end of the run' || name.startsWith('run_ended'))
          assert.equal(stage.state.leftAt, null, 'the service knows that it is over');
        assert.deepEqual([stage.queued, stage.state.queueHeld], [['Later'], true]);
      });

    if (isOpen(row)) {
      const received = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true };
      const over =
        fate === 'unclear' ? received : { kind: 'gone', error: 'interaction-not-pending' };

      it(`the record keeps the ${fate} answer after ${name}`, async () => {
        for (const reloads of [false, true]) {
          const [stage] = await answered(row);
          if (reloads) stage.reload();
          assert.deepEqual(facts(await rejectTooLate(stage)), over);
        }
      });

      it(`the question accepts another answer after ${name}`, async () => {
        const [stage] = await answered(row);
        const { outcome } = await stage.answering(rejectOnce);
        stage.last.open().finish();
        assert.deepEqual(await outcome, { kind: 'answered', how: 'reject_once' });
        await stage.settle();
        assert.equal(stage.reply.state, 'done');
      });
    }

    if (row.isRepeated) {
      /** The answer waits to be sent again. */
      const waiting = async () => {
        const stage = await Stage.paused('Go');
        const { outcome } = await stage.answering();
        await respond(stage, row);
        assert.equal(stage.phase, 'backing-off');
        return { stage, outcome };
      };

      it(`a repeated answer ${outcomes[fate === 'unclear' ? 'perhaps' : 'gone']} after ${name}`, async () => {
        const { stage, outcome } = await waiting();
        assert.equal(card(stage)[0], 'Sending your answer');
        const { banners } = statusView(stage.conversation, {
          ...statusContext,
          now: stage.clock.now(),
        });
        assert.match(banners[0]?.text ?? '', waits[row.failure!.kind] ?? /may not have arrived/);
        assert.equal(stage.exchanges.length, 2, 'not at once');
        await stage.advance(stage.clock.untilNext ?? 0);
        await stage.fail(notPending);
        const expected = { ...expectedFacts({ ...row, fate: 'perhaps' }) };
        assert.deepEqual(
          facts(await outcome),
          fate === 'unclear' ? expected : { kind: 'gone', error: 'interaction-not-pending' },
        );
      });

      it(`Stop replaces a repeated answer with a cancel after ${name}`, async () => {
        const { stage, outcome } = await waiting();
        await stage.stopped();
        assert.deepEqual(stage.answered, { kind: 'permission', choice: 'cancel' });
        stage.last.open().say({ kind: 'text', text: 'Very well' });
        assert.deepEqual(await outcome, { kind: 'answered', how: 'cancel' }, 'nothing was allowed');
        await stage.settle();
        assert.deepEqual([stage.phase, stage.reply.state], ['idle', 'stopped']);
      });
    }
  }
});
