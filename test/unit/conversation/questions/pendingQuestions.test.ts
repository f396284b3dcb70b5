import assert from 'node:assert/strict';
import {
  MAX_WAITING_AFTER_DEADLINE_MS,
  type PendingQuestions,
  REMIND_BEFORE_DEADLINE_MS,
} from '../../../../src/conversation/questions/pendingQuestions.ts';
import type {
  AnswerOutcome,
  QuestionEnding,
} from '../../../../src/conversation/questions/types.ts';
import {
  ALLOW,
  apiError,
  CANCELED,
  type FakeAnswerer,
  type FakeDisk,
  FIVE_MINUTES,
  permission,
  QuestionWindows,
  settled,
  standsAt,
  START,
} from './fakes.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('PendingQuestions', () => {
  let windows: QuestionWindows;
  let clock: FakeClock;
  let disk: FakeDisk;
  let answerer: FakeAnswerer;
  let pending: PendingQuestions;
  /** The stage of each question at each change, and the endings of closed ones. */
  let states: string[];
  let endings: QuestionEnding[];

  const open = (window: string): PendingQuestions => {
    const opened = windows.open(window);
    states = [];
    endings = [];
    opened.onDidChange((tracked) => {
      states.push(`${tracked.question.id} ${standsAt(tracked)!}`);
      if (tracked.ending !== null) endings.push(tracked.ending);
    });
    return opened;
  };
  const stateOf = (id: string, of = pending) => standsAt(of.get(id));
  const pass = (ms: number) => windows.pass(ms);
  const tellAll = async (): Promise<void> => {
    disk.notify();
    await settled();
  };
  /** Its answer is being sent. */
  const answering = async (answer = ALLOW, from = pending) => {
    const answered = from.answer('q', answer);
    await settled();
    return { answered };
  };
  const judge = async (answered: Promise<unknown>, outcome: AnswerOutcome): Promise<void> => {
    answerer.sent.at(-1)!.settle(outcome);
    await answered;
    await settled();
  };
  const refused = { kind: 'refused', error: apiError('timeout', 504) } as const;

  beforeEach(() => {
    windows = new QuestionWindows();
    ({ clock, disk, answerer } = windows);
    pending = open('w1');
  });

  afterEach(() => windows.dispose());

  it('the list of questions goes by deadline, with expired ones last', () => {
    pending.add(permission('late', { arrivedAt: START + 2_000 }));
    pending.add(permission('early', { arrivedAt: START }));
    pending.add(permission('over', { arrivedAt: START - FIVE_MINUTES }));
    pending.add(permission('long over', { arrivedAt: START - 2 * FIVE_MINUTES }));
    assert.deepEqual(
      pending.listWaiting().map(({ question }) => question.id),
      ['early', 'late', 'long over', 'over'],
    );
  });

  it('a question sends an answer once, and ends with it', async () => {
    pending.add(permission('q'));
    const { answered } = await answering();
    assert.equal(await pending.answer('q', CANCELED), undefined);
    assert.deepEqual([answerer.sent[0]?.question, windows.sent], ['q', [ALLOW]]);
    await judge(answered, { kind: 'answered', how: 'allow_once' });
    assert.deepEqual(await answered, { kind: 'answered', how: 'allow_once' });
    assert.deepEqual(states, ['q open', 'q sending', 'q over']);
    assert.deepEqual(endings, [{ kind: 'answered', how: 'allow_once' }]);
    assert.equal(await pending.answer('q', ALLOW), undefined);
    assert.equal(answerer.sent.length, 1);
  });

  it('a question accepts another answer after a refused one', async () => {
    pending.add(permission('q'));
    const { answered } = await answering();
    await judge(answered, refused);
    assert.equal(stateOf('q'), 'refused');
    assert.equal(pending.get('q')?.error, refused.error);
    await pass(FIVE_MINUTES);
    disk.owners.set('c1', 'w2');
    assert.equal(await pending.answer('q', ALLOW), undefined);
    assert.equal(stateOf('q'), 'refused, late');
    disk.owners.clear();
    await answering(CANCELED);
    assert.equal(answerer.sent.length, 2);
  });

  // Rule 11.12
  it('a question counts for an hour after its deadline, and never closes', async () => {
    pending.add(permission('q'));
    await pass(FIVE_MINUTES + MAX_WAITING_AFTER_DEADLINE_MS - 1);
    assert.equal(pending.get('q')?.isCountedAsWaiting, true);
    pending.add(permission('q1'));
    await pass(1);
    for (const id of ['q', 'q1']) assert.equal(pending.get(id)?.isCountedAsWaiting, false);
    await pass(10_000);
    assert.equal(clock.waiting, 0, 'nothing is left to look at');
    await pass(48 * MAX_WAITING_AFTER_DEADLINE_MS);
    assert.equal(stateOf('q'), 'open, late');
    await answering();
    assert.equal(answerer.sent.length, 1);
  });

  it('a question without a dialog reminds once, a minute before its deadline', async () => {
    const reminded: string[] = [];
    pending.onDidRemind(({ question }) => reminded.push(question.id));
    pending.add(permission('waits'));
    pending.add(permission('shown'));
    pending.add(permission('old', { arrivedAt: START - FIVE_MINUTES + REMIND_BEFORE_DEADLINE_MS }));
    pending.show('shown');
    await pass(FIVE_MINUTES - REMIND_BEFORE_DEADLINE_MS - 1);
    assert.deepEqual(reminded, []);
    await pass(1);
    assert.deepEqual(reminded, ['waits']);
    states = [];
    await pass(REMIND_BEFORE_DEADLINE_MS);
    assert.deepEqual(reminded, ['waits']);
    assert.deepEqual(states, ['waits open, late', 'shown open, shown, late']);
  });

  it('a question notices soon that the machine slept through its deadline', async () => {
    pending.add(permission('q'));
    clock.sleep(3_600_000);
    await pass(10_000);
    await pass(30_000);
    assert.equal(stateOf('q'), 'open, late');
  });

  it('the timer of questions fires when something is due, and every ten seconds', () => {
    pending.add(permission('q', { arrivedAt: START - 7_000 }));
    assert.equal(clock.untilNext, 10_000);
    clock.advance(230_000);
    assert.equal(clock.untilNext, 3_000, 'the reminder');
    clock.advance(3_000 + 55_000);
    assert.equal(clock.untilNext, 5_000, 'the end');
  });

  it('a question takes another answer when the first could not be sent', async () => {
    pending.add(permission('q'));
    const { answered } = await answering();
    answerer.sent[0]?.fail(new Error('The record cannot be read'));
    await assert.rejects(answered, /cannot be read/);
    await settled();
    assert.equal(stateOf('q'), 'open');
    await answering();
    assert.equal(answerer.sent.length, 2);
  });

  it('a question is being answered until Stop and the answer before it are over', async () => {
    pending.add(permission('q'));
    disk.owners.set('c1', 'w2');
    let isCanceled: (outcome: undefined) => void = () => undefined;
    const answered = pending.answer('q', ALLOW);
    pending.followOutcome('q', new Promise((resolve) => (isCanceled = resolve)));
    assert.equal(await answered, undefined);
    assert.equal(stateOf('q'), 'sending');
    isCanceled(undefined);
    await settled();
    assert.equal(stateOf('q'), 'open');
  });

  it('a question that has ended ignores the outcome of an answer', async () => {
    pending.add(permission('q'));
    const { answered } = await answering();
    pending.endQuestion('q', { kind: 'run-ended' });
    await judge(answered, refused);
    assert.deepEqual(states, ['q open', 'q sending', 'q over']);
  });

  it('a question that ends in any stage stays ended', async () => {
    for (const id of ['open', 'shown', 'sending']) pending.add(permission(id));
    pending.show('shown');
    void pending.answer('sending', ALLOW);
    for (const { question } of pending.listOpen()) {
      pending.endQuestion(question.id, { kind: 'run-ended' });
      pending.add(question);
      disk.heads.set('c1', question);
      await pending.synchronize();
      assert.equal(pending.get(question.id), undefined);
    }
    assert.equal(endings.length, 3);
  });

  it('a question opens one dialog, and none while it is being answered', async () => {
    pending.add(permission('q'));
    assert.equal(pending.show('q'), true);
    assert.equal(pending.show('q'), false);
    await answering();
    assert.equal(pending.show('q'), false);
    assert.deepEqual(states, ['q open', 'q open, shown', 'q sending']);
    assert.deepEqual([pending.listOpen().length, pending.listWaiting().length], [1, 0]);
  });

  it('the list of questions ignores unknown IDs', () => {
    pending.endQuestion('x', { kind: 'run-ended' });
    pending.hide('x');
    pending.followOutcome('x', Promise.resolve(undefined));
    assert.equal(pending.show('x'), false);
    const facts = [pending.get('x'), pending.deadline('x'), pending.timeLeftMs('x')];
    assert.deepEqual(facts, [undefined, undefined, 0]);
    assert.deepEqual(states, []);
  });

  it('the list of questions fires no change once it is disposed', async () => {
    pending.add(permission('q'));
    disk.heads.set('c2', permission('unread', { conversation: 'c2' }));
    const synchronized = pending.synchronize();
    pending.dispose();
    await synchronized;
    await tellAll();
    await pass(FIVE_MINUTES);
    assert.deepEqual([pending.listOpen(), states], [[], ['q open']]);
  });

  describe('a question of a conversation that is not open', () => {
    beforeEach(async () => {
      disk.heads.set('c1', permission('q'));
      await tellAll();
      assert.equal(stateOf('q'), 'open');
    });

    it('a question ends when its head no longer has it, but not while it is answered here', async () => {
      const { answered } = await answering();
      disk.heads.clear();
      await tellAll();
      assert.deepEqual(endings, []);
      await judge(answered, refused);
      assert.deepEqual(endings, [{ kind: 'elsewhere' }]);
    });

    it('a question ends once if it ends while the heads are read', async () => {
      disk.heads.clear();
      const synchronized = pending.synchronize();
      pending.endQuestion('q', { kind: 'run-ended' });
      await synchronized;
      assert.deepEqual(endings, [{ kind: 'run-ended' }]);
    });

    it('a question computes the time that is left from the head of its conversation', async () => {
      clock.advance(100_000);
      const later = open('w2');
      await later.synchronize();
      assert.equal(later.timeLeftMs('q'), FIVE_MINUTES - 100_000);
      assert.equal(later.deadline('q'), START + FIVE_MINUTES);
      await pass(FIVE_MINUTES);
      open('w3');
      await tellAll();
      assert.deepEqual(states, ['q open, late']);
    });

    it('a question stays when the heads cannot be read', async () => {
      disk.heads.clear();
      disk.failing = 'list';
      await tellAll();
      assert.equal(stateOf('q'), 'open');
    });

    it('the list of questions leaves out a question that its record says is over', async () => {
      answerer.over.add('q');
      open('w2');
      await tellAll();
      assert.deepEqual(states, [], 'no dialog opened for it');
    });

    it('the record of an ended question is read once, however long its head is outdated', async () => {
      answerer.over.add('q');
      open('w2');
      await tellAll();
      const { recordReads } = answerer;
      await tellAll();
      assert.equal(answerer.recordReads, recordReads);
    });

    it('a question of an open conversation stays when its head disappears', async () => {
      pending.add(permission('q'));
      disk.heads.clear();
      await tellAll();
      assert.equal(stateOf('q'), 'open');
    });

    it('a question that was closed ends when the user answers it', async () => {
      disk.owners.set('c1', 'w2');
      answerer.over.add('q');
      assert.equal(await pending.answer('q', ALLOW), undefined);
      assert.deepEqual(endings, [{ kind: 'elsewhere' }]);
    });
  });

  describe('a question in two windows', () => {
    let other: PendingQuestions;

    beforeEach(async () => {
      disk.heads.set('c1', permission('q'));
      other = open('w2');
      await tellAll();
    });

    it('a question shows that another window sends an answer', async () => {
      const { answered } = await answering(ALLOW, other);
      await tellAll();
      assert.equal(stateOf('q'), 'sending');
      await judge(answered, refused);
      await tellAll();
      assert.equal(stateOf('q'), 'open');
    });

    for (const isMarked of [true, false])
      it(`a dialog closes when another window opens it${isMarked ? '' : ', though the disk failed at first'}`, async () => {
        if (!isMarked) disk.failing = 'dialog';
        pending.show('q');
        await settled();
        disk.failing = 'nothing';
        clock.advance(1);
        other.show('q');
        await settled();
        if (isMarked) await pass(10_000);
        else await tellAll();
        assert.equal(stateOf('q'), 'open');
        assert.equal(stateOf('q', other), 'open, shown');
        await pass(60_000);
        assert.equal(stateOf('q', other), 'open, shown', 'it stays where it is');
      });

    it('a question that no longer counts as waiting reopens if its window is gone', async () => {
      await pass(2 * MAX_WAITING_AFTER_DEADLINE_MS);
      assert.equal(clock.waiting, 0);
      disk.owners.set('c1', 'w3');
      await tellAll();
      assert.equal(stateOf('q'), 'sending, late');
      disk.deadWindows.add('w3');
      await pass(10_000);
      assert.equal(stateOf('q'), 'open, late');
    });

    it('a question ends if the window that recorded its answer dies', async () => {
      await answering(ALLOW, other);
      await tellAll();
      answerer.over.add('q');
      disk.deadWindows.add('w2');
      other.dispose();
      await tellAll();
      assert.equal(stateOf('q'), undefined);
    });
  });
});
