/** Tests answers from the bytes of the service's response to the message for the user. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Answer } from '../../../src/api/index.ts';
import type { AnswerOutcome } from '../../../src/conversation/questions/types.ts';
import { showOutcome } from '../../../src/features/questions/outcomes.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { fakeService, readChat } from '../api/support/fakeFetch.ts';
import { answerFates, type AnswerFate, type Fate } from '../support/answerFates.ts';
import { useStubs } from '../support/stubEditor.ts';
import { Stage } from './conversationStage.ts';
import { statusContext } from './viewContexts.ts';

const rejectOnce: Answer = { kind: 'permission', choice: 'reject_once' };
const notPending = { kind: 'interaction-not-pending', status: 409 } as const;
const isOpen = ({ fate }: AnswerFate) => fate === 'refused' || fate === 'maybe-received';

const outcomes: Readonly<Record<Fate, string>> = {
  accepted: 'counts',
  refused: 'is refused',
  'maybe-received': 'may have been received',
  gone: 'is too late',
  'maybe-answered': 'may have closed the question',
};

/** The text and the buttons of the question's card. */
const cards: Readonly<Record<Fate, readonly [words: RegExp, ...actions: string[]]>> = {
  accepted: [/^Allowed once$/],
  refused: [/^The service refused the answer\. Answer again/, 'answer'],
  'maybe-received': [/^Your answer may have been received\. You can answer again/, 'answer'],
  gone: [/^The intern no longer needs an answer$/, 'askAgain'],
  'maybe-answered': [/^Your answer may have been received\. The question has closed\.$/],
};

/** Why an answer waits to be sent again. */
const waits: Readonly<Record<string, RegExp>> = {
  'attachment-failed': /This run is open elsewhere\. Sending your answer again/,
  busy: /This run is open elsewhere\. Sending your answer again/,
  'no-capacity': /can’t start another run yet\. Retrying/,
  'rate-limited': /too many runs\)\. Retrying/,
};

/** Reads the bytes of a response with a client. */
async function read({ respond: bytes }: AnswerFate) {
  let isOpen = false;
  const onResponse = () => (isOpen = true);
  const outcome = await readChat(fakeService([bytes()]).client, { onResponse });
  return { isOpen, ...outcome };
}

const responses = new Map<AnswerFate, ReturnType<typeof read>>();

/** The service responds to the request under way, once. */
async function respond(stage: Stage, row: AnswerFate): Promise<void> {
  const { last } = stage;
  const response = responses.get(row) ?? read(row);
  responses.set(row, response);
  const { isOpen, batches, error } = await response;
  if (isOpen) last.open();
  for (const events of batches) last.say(...events);
  if (error === null) last.done();
  else last.fail(error);
  await stage.settle();
  await stage.advance(30);
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

function expectedFacts({ fate, kind }: AnswerFate, by?: 'nobody'): object {
  const how = by === undefined ? { how: 'allow_once' } : { how: 'reject_once', by };
  const received = { ...how, isEarlier: false };
  switch (fate) {
    case 'accepted':
      return { kind: 'answered', ...how };
    case 'refused':
      return { kind: 'refused', error: kind };
    case 'maybe-received':
      return { kind: 'refused', error: kind, maybeReceived: received };
    case 'gone':
      return { kind: 'gone', error: kind };
    case 'maybe-answered':
      return { kind: 'maybe-answered', ...received };
  }
}

/** The beginning of the message for the user, and its buttons. */
const messages: Readonly<Record<Exclude<Fate, 'accepted'>, readonly [RegExp, ...string[]]>> = {
  refused: [
    /^Ada didn’t get your answer\. The question is still open\. /,
    ...['Answer', 'Show Conversation'],
  ],
  'maybe-received': [
    /^Your answer to Ada may have been received\. /,
    'Answer',
    'Show Conversation',
  ],
  gone: [
    /^Ada’s question has closed\. Your answer wasn’t used\. /,
    ...['Ask Again', 'Show Conversation'],
  ],
  'maybe-answered': [
    /^Your answer to Ada may have been received\. The question has closed\.$/,
    ...['Show Conversation', 'Ask Again'],
  ],
};

describe('the fate of an answer', () => {
  const stub = useStubs();

  /** Shows an outcome. The user presses the button to answer or to ask again. */
  async function checkMessage(stage: Stage, outcome: AnswerOutcome, row: AnswerFate) {
    const shown: [kind: string, text: string, ...buttons: string[]][] = [];
    const done: string[] = [];
    const show =
      (kind: string) =>
      (text: string, ...buttons: { title: string }[]) => {
        shown.push([kind, text, ...buttons.map(({ title }) => title)]);
        return Promise.resolve(buttons.find(({ title }) => /^(Answer|Ask Again)$/.test(title)));
      };
    stub(vscode.window, { showErrorMessage: show('error'), showWarningMessage: show('warning') });
    await showOutcome(stage.asked[0]!, outcome, {
      answer: () => done.push('Answer'),
      show: () => done.push('Show Conversation'),
      compose: (_, prompt) => done.push(prompt),
      isEndSeen: () => false,
    });
    if (row.fate === 'accepted') {
      assert.deepEqual(shown, [], 'no message is needed');
      return;
    }
    assert.equal(shown.length, 1);
    const [kind, text, ...buttons] = shown[0]!;
    const [beginning, ...expectedButtons] = messages[row.fate];
    assert.equal(kind, isOpen(row) ? 'error' : 'warning');
    assert.match(text, beginning);
    assert.match(text, row.says);
    assert.deepEqual(buttons, [...(row.needsKey ? ['Sign In'] : []), ...expectedButtons]);
    if (isOpen(row)) assert.deepEqual(done, ['Answer']);
    else assert.match(done.join(), /request to use “shell” closed.* ask again/);
  }

  for (const row of answerFates) {
    const { name, fate } = row;

    // Rules 11.9, 11.10, 19.1, 19.2, 19.3, 19.4, 19.5, 19.6, 19.7, 19.8, 19.9, 19.10, 19.11, 19.12
    // Rules 19.13, 19.14, 21.15
    it(`an answer ${outcomes[fate]} after ${name}`, async () => {
      const [stage, outcome] = await answered(row);
      assert.deepEqual(facts(outcome), expectedFacts(row));
      await checkMessage(stage, outcome!, row);
      checkCard(stage, fate);
      const [, first, ...later] = stage.exchanges.map(({ chat }) => chat);
      assert.equal(later.length > 0, row.isRepeated);
      for (const chat of later) assert.deepEqual(chat, first, 'it goes out unchanged');
      const records = stage.journal.filter(({ type }) => type === 'answered');
      assert.equal(records.length, fate === 'accepted' ? 1 : 0);
      if (fate === 'accepted') return;
      assert.equal(stage.phase, isOpen(row) ? 'paused' : 'idle');
      assert.equal(stage.reply.state, isOpen(row) ? 'waiting' : 'failed');
      // The next prompt waits for a run that may continue.
      const isOver = row.kind === 'run-ended' || row.kind === 'unlisted-finish';
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
        accepted: /^Not answered. Rejected automatically.$/,
        refused: /^Not answered\. The service refused the automatic answer\./,
        'maybe-received':
          /^Not answered\. An automatic answer may have been received\. You can answer/,
        gone: /^The intern no longer needs an answer$/,
        'maybe-answered':
          /^Not answered\. An automatic answer may have been received\. The question has/,
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
        if (fate === 'accepted' && stage.phase === 'requesting') await stage.last.done().taken();
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
        fate === 'maybe-received' ? received : { kind: 'gone', error: 'interaction-not-pending' };

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

      it(`a repeated answer ${outcomes[fate === 'maybe-received' ? 'maybe-answered' : 'gone']} after ${name}`, async () => {
        const { stage, outcome } = await waiting();
        assert.equal(card(stage)[0], 'Sending your answer');
        const { banners } = statusView(stage.conversation, {
          ...statusContext,
          now: stage.clock.now(),
        });
        assert.match(banners[0]?.text ?? '', waits[row.kind!] ?? /may not have arrived/);
        assert.equal(stage.exchanges.length, 2, 'not at once');
        await stage.advance(stage.clock.untilNext ?? 0);
        await stage.fail(notPending);
        const expected = { ...expectedFacts({ ...row, fate: 'maybe-answered' }) };
        assert.deepEqual(
          facts(await outcome),
          fate === 'maybe-received' ? expected : { kind: 'gone', error: 'interaction-not-pending' },
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
