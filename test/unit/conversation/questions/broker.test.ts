import assert from 'node:assert/strict';
import { QuestionBroker } from '../../../../src/conversation/questions/broker.ts';
import { COUNTED_MS, REMINDER_MS } from '../../../../src/conversation/questions/entry.ts';
import type { TrackedQuestion } from '../../../../src/conversation/questions/types.ts';
import {
  ALLOW,
  apiError,
  CANCELLED,
  FakeAnswerer,
  FakeDisk,
  FIVE_MINUTES,
  permission,
  settled,
  SleepyClock,
  standsAt,
  START,
} from './fakes.ts';

describe('QuestionBroker', () => {
  let clock: SleepyClock;
  let disk: FakeDisk;
  let answerer: FakeAnswerer;
  let broker: QuestionBroker;
  let changes: TrackedQuestion[];

  const open = (window: string) => disk.broker(window, clock, answerer);
  const states = () => changes.map((change) => `${change.question.id} ${standsAt(change)!}`);
  const stateOf = (id: string) => standsAt(broker.get(id));

  beforeEach(() => {
    clock = new SleepyClock(START);
    disk = new FakeDisk();
    answerer = new FakeAnswerer();
    broker = open('w1');
    changes = [];
    broker.onDidChange((change) => changes.push(change));
  });

  afterEach(() => broker.dispose());

  /** A question came, and is on disk. */
  async function arrived(): Promise<void> {
    broker.arrive(permission('q'));
    await settled();
  }

  /** It is answered, and that is on its way. */
  async function answering(answer = ALLOW, from = broker) {
    const answered = from.answer('q', answer);
    await settled();
    return { answered };
  }

  it('asks in the order of the deadlines, and last what has run out', async () => {
    broker.arrive(permission('late', { arrivedAt: START + 2_000 }));
    broker.arrive(permission('early', { arrivedAt: START }));
    broker.arrive(permission('over', { arrivedAt: START - FIVE_MINUTES }));
    await settled();
    assert.deepEqual(
      broker.waiting().map(({ question }) => question.id),
      ['early', 'late', 'over'],
    );
  });

  it('leaves a dialog open that opened in the moment in which its question came', async () => {
    const listener = broker.onDidChange(({ question, isShown }) => {
      if (!isShown) broker.show(question.id);
    });
    await arrived();
    listener.dispose();
    await broker.synchronize();
    await broker.synchronize();
    assert.equal(stateOf('q'), 'open, shown');
    assert.equal(disk.questions.get('q')?.shownIn, 'w1');
  });

  it('leaves a dialog open of which the disk does not let other windows know', async () => {
    await arrived();
    disk.failing = 'showing';
    broker.show('q');
    await settled();
    await broker.synchronize();
    assert.equal(stateOf('q'), 'open, shown');
  });

  it('sends an answer as it was given, once, and ends with it', async () => {
    await arrived();
    const answered = broker.answer('q', ALLOW);
    assert.equal(await broker.answer('q', CANCELLED), undefined);
    await settled();
    assert.deepEqual(
      answerer.sent.map(({ question, answer }) => [question, answer]),
      [['q', ALLOW]],
    );
    answerer.sent[0]?.settle({ kind: 'answered', how: 'allow_once' });
    assert.deepEqual(await answered, { kind: 'answered', how: 'allow_once' });
    assert.deepEqual(states(), ['q open', 'q sending', 'q over']);
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'answered', how: 'allow_once' });
    await settled();
    assert.equal(disk.questions.size, 0);
    assert.equal(disk.owners.size, 0);
    assert.equal(await broker.answer('q', ALLOW), undefined);
    assert.equal(answerer.sent.length, 1);
  });

  it('keeps a question whose answer was refused, with the reason, and takes another answer', async () => {
    broker.arrive(permission('q'));
    const error = apiError('invalid-request', 400);
    const { answered: first } = await answering();
    answerer.sent[0]?.settle({ kind: 'refused', error });
    await first;
    assert.equal(stateOf('q'), 'refused');
    assert.equal(broker.get('q')?.error, error);
    await answering(CANCELLED);
    assert.equal(answerer.sent.length, 2);
  });

  it('leaves a dialog open that opened again for an answer that was refused', async () => {
    broker.arrive(permission('q'));
    broker.show('q');
    await settled();
    const { answered } = await answering();
    assert.equal(disk.questions.get('q')?.shownIn, null);
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('timeout', 504) });
    await answered;
    broker.show('q');
    await broker.synchronize();
    await settled();
    await broker.synchronize();
    assert.equal(stateOf('q'), 'refused, shown');
    assert.equal(disk.questions.get('q')?.shownIn, 'w1');
  });

  for (const kind of ['interaction-unknown', 'interaction-not-pending', 'run-output-lost'] as const)
    it(`is over when the service says ${kind}`, async () => {
      broker.arrive(permission('q'));
      const error = apiError(kind, 409);
      const { answered } = await answering();
      answerer.sent[0]?.settle({ kind: 'gone', error });
      await answered;
      assert.deepEqual(changes.at(-1)?.ending, { kind: 'gone', error });
      assert.equal(stateOf('q'), undefined);
    });

  it('says that the time is up and still takes an answer', async () => {
    await arrived();
    clock.advance(FIVE_MINUTES);
    assert.equal(stateOf('q'), 'open, late');
    assert.equal(broker.timeLeft('q'), 0);
    await answering();
    assert.equal(answerer.sent.length, 1);
  });

  it('does not take a dialog away when the time runs out under it', async () => {
    broker.arrive(permission('q'));
    assert.equal(broker.show('q'), true);
    await settled();
    clock.advance(FIVE_MINUTES + 1_000);
    assert.equal(stateOf('q'), 'open, shown, late');
    broker.hide('q');
    assert.equal(stateOf('q'), 'open, late');
  });

  it('calls a refused answer expired where the time ran out meanwhile', async () => {
    broker.arrive(permission('q'));
    const { answered } = await answering();
    clock.advance(FIVE_MINUTES);
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('timeout', 504) });
    await answered;
    assert.equal(stateOf('q'), 'refused, late');
  });

  // Rule 11.12
  it('counts a question for an hour, then lets it be, and never closes it: only the service knows whether it waits', async () => {
    await arrived();
    clock.advance(FIVE_MINUTES + COUNTED_MS - 1);
    assert.equal(broker.get('q')?.counts, true);
    clock.advance(15_000);
    assert.equal(changes.at(-1)?.counts, false);
    assert.equal(clock.waiting, 0, 'nothing is left to look at');
    clock.advance(48 * COUNTED_MS);
    await settled();
    assert.equal(stateOf('q'), 'open, late');
    assert.equal(disk.questions.size, 1);
    await answering();
    assert.equal(answerer.sent.length, 1);
  });

  it('reminds once, a minute before the end, of what nobody looks at', async () => {
    const reminded: string[] = [];
    broker.onDidRemind(({ question }) => reminded.push(question.id));
    broker.arrive(permission('waits'));
    broker.arrive(permission('shown'));
    broker.show('shown');
    await settled();
    clock.advance(FIVE_MINUTES - REMINDER_MS - 1);
    await settled();
    assert.deepEqual(reminded, []);
    clock.advance(1);
    await settled();
    assert.deepEqual(reminded, ['waits']);
    clock.advance(REMINDER_MS);
    await settled();
    assert.deepEqual(reminded, ['waits']);
  });

  it('notices soon that the machine slept through a deadline', async () => {
    await arrived();
    clock.sleep(3_600_000);
    clock.advance(15_000 + 30_000);
    assert.equal(stateOf('q'), 'open, late');
  });

  it('lets any window answer again where the way of an answer broke off', async () => {
    broker.arrive(permission('q'));
    const { answered } = await answering();
    answerer.sent[0]?.fail(new Error('The record cannot be read'));
    await assert.rejects(answered, /cannot be read/);
    await settled();
    assert.equal(disk.owners.size, 0);
    assert.equal(stateOf('q'), 'open');
    await answering();
    assert.equal(answerer.sent.length, 2);
  });

  it('ignores what the service says of a question that has ended meanwhile', async () => {
    broker.arrive(permission('q'));
    const { answered } = await answering();
    broker.end('q', { kind: 'run-ended' });
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('timeout', 504) });
    await answered;
    await settled();
    assert.deepEqual(states(), ['q open', 'q sending', 'q over']);
    assert.equal(disk.questions.size, 0);
    assert.equal(disk.owners.size, 0);
  });

  it('does not bring back a question that ended before it was on disk', async () => {
    broker.arrive(permission('q'));
    broker.end('q', { kind: 'run-ended' });
    await settled();
    broker.arrive(permission('q'));
    await broker.synchronize();
    assert.equal(stateOf('q'), undefined);
    assert.equal(disk.questions.size, 0);
  });

  it('does not take its own claim for that of another window, in a listing from before the refusal', async () => {
    const index = disk.window('w3');
    const listings: (() => void)[] = [];
    const slow = new QuestionBroker({
      clock,
      answerer,
      window: 'w3',
      index: {
        ...index,
        list: async () => {
          const listed = await index.list();
          await new Promise<void>((resolve) => listings.push(resolve));
          return listed;
        },
      },
    });
    slow.arrive(permission('q'));
    const answered = slow.answer('q', ALLOW);
    await settled();
    disk.notify();
    await settled();
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('invalid-request', 400) });
    await answered;
    const seen: string[] = [];
    slow.onDidChange(({ stage }) => seen.push(stage));
    while (listings.length > 0) {
      listings.shift()?.();
      await settled();
    }
    assert.deepEqual(seen, []);
    assert.equal(standsAt(slow.get('q')), 'refused');
    slow.dispose();
  });

  it('keeps a question that the disk did not take, whatever the index lists, and lets it be answered', async () => {
    disk.failing = 'keep';
    broker.arrive(permission('q'));
    await broker.synchronize();
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'open');
    await answering();
    assert.equal(answerer.sent.length, 1);
  });

  it('closes nothing on the word of an index that cannot be read', async () => {
    await arrived();
    disk.failing = 'list';
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'open');
  });

  it('asks a question again that the index lost, when its conversation says that it still waits', async () => {
    await arrived();
    disk.questions.clear();
    disk.notify();
    await settled();
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
    await arrived();
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'open');
  });

  it('tells other windows of a question once that is on record, and is flushed then', async () => {
    let resolve = (): void => undefined;
    const recorded = new Promise<void>((done) => (resolve = done));
    broker.arrive(permission('q'), recorded);
    await settled();
    assert.equal(stateOf('q'), 'open');
    assert.equal(disk.questions.size, 0);
    const flushed = broker.flush();
    resolve();
    await flushed;
    assert.equal(disk.questions.size, 1);
  });

  it('says nothing of questions that it does not know', () => {
    broker.end('x', { kind: 'run-ended' });
    broker.hide('x');
    assert.equal(broker.show('x'), false);
    assert.deepEqual([broker.get('x'), broker.timeLeft('x')], [undefined, 0]);
    assert.deepEqual(changes, []);
  });

  it('is over with its run wherever it stands, and nothing brings it back', async () => {
    broker.arrive(permission('expired', { arrivedAt: START - FIVE_MINUTES }));
    for (const id of ['pending', 'shown', 'answering', 'rejected', 'shown again'])
      broker.arrive(permission(id));
    for (const id of ['shown', 'shown again']) broker.show(id);
    void broker.answer('answering', ALLOW);
    for (const id of ['rejected', 'shown again']) {
      const answered = broker.answer(id, ALLOW);
      await settled();
      answerer.sent.at(-1)?.settle({ kind: 'refused', error: apiError('timeout', 504) });
      await answered;
    }
    broker.show('shown again');
    const all = broker.open().map((each) => `${each.question.id}: ${standsAt(each)!}`);
    assert.deepEqual(all.sort(), [
      'answering: sending',
      'expired: open, late',
      'pending: open',
      'rejected: refused',
      'shown again: refused, shown',
      'shown: open, shown',
    ]);
    for (const { question } of broker.open()) {
      broker.end(question.id, { kind: 'run-ended' });
      assert.equal(changes.at(-1)?.stage, 'over', question.id);
      broker.arrive(question);
      assert.equal(broker.get(question.id), undefined);
    }
    assert.equal(clock.waiting, 0);
  });

  it('opens one dialog for a question, and none while it is being answered', async () => {
    broker.arrive(permission('q'));
    assert.equal(broker.show('q'), true);
    assert.equal(broker.show('q'), false);
    await answering();
    assert.equal(broker.show('q'), false);
    assert.deepEqual(states(), ['q open', 'q open, shown', 'q sending']);
    assert.deepEqual(
      [broker.open(), broker.waiting()].map((list) => list.map(standsAt)),
      [['sending'], []],
    );
  });

  it('ends with the run whose answer was given up by Stop, and leaves nothing to wait for', async () => {
    broker.arrive(permission('q'));
    const { answered } = await answering();
    answerer.sent[0]?.settle({ kind: 'abandoned' });
    await answered;
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'abandoned' });
    assert.equal(changes.at(-1)?.stage, 'over');
    await settled();
    assert.deepEqual([disk.questions.size, disk.owners.size, clock.waiting], [0, 0, 0]);
  });

  it('is quiet once it is disposed, whatever its index and its clock still say', async () => {
    const reminded: string[] = [];
    broker.onDidRemind(({ question }) => reminded.push(question.id));
    await arrived();
    broker.dispose();
    const known = changes.length;
    disk.notify();
    await settled();
    await broker.synchronize();
    clock.advance(FIVE_MINUTES);
    await settled();
    assert.deepEqual([broker.open(), reminded, changes.length], [[], [], known]);
  });

  it('reminds of no question whose last minute had begun when it came', async () => {
    const reminded: string[] = [];
    broker.onDidRemind(({ question }) => reminded.push(question.id));
    broker.arrive(permission('q', { arrivedAt: START - FIVE_MINUTES + REMINDER_MS }));
    await settled();
    clock.advance(FIVE_MINUTES);
    await settled();
    assert.deepEqual(reminded, []);
  });

  it('looks at a countdown when something is due, and not all the time', () => {
    broker.arrive(permission('q', { arrivedAt: START - 7_000 }));
    assert.equal(clock.untilNext, 15_000);
    clock.advance(226_000);
    assert.equal(clock.untilNext, 7_000, 'the reminder');
    clock.advance(7_000 + 59_000);
    assert.equal(clock.untilNext, 1_000, 'the end');
    clock.advance(1_000);
    assert.equal(clock.untilNext, 15_000);
  });

  it('the broker asks the disk again to let go of a question that is over, until it does', async () => {
    await arrived();
    disk.failing = 'forget';
    broker.end('q', { kind: 'run-ended' });
    await settled();
    await broker.synchronize();
    assert.equal(disk.questions.size, 1);
    disk.failing = 'nothing';
    await broker.synchronize();
    await settled();
    assert.equal(disk.questions.size, 0);
    assert.equal(changes.at(-1)?.ending?.kind, 'run-ended');
  });

  it('the broker closes a question that turns out to be over when its user answers it', async () => {
    await arrived();
    disk.owners.set('c1', 'w2');
    answerer.over.add('q');
    assert.equal(await broker.answer('q', ALLOW), undefined);
    await settled();
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
    assert.equal(disk.questions.size, 0);
  });

  describe('with a second window', () => {
    let other: QuestionBroker;

    beforeEach(() => {
      other = open('w2');
    });

    afterEach(() => other.dispose());

    const tellAll = async () => {
      disk.notify();
      await settled();
    };

    it('shows a question there that arrived here, and closes it here when it is answered there', async () => {
      await arrived();
      await tellAll();
      assert.equal(standsAt(other.get('q')), 'open');
      const { answered } = await answering(ALLOW, other);
      await tellAll();
      assert.equal(stateOf('q'), 'sending');
      answerer.sent[0]?.settle({ kind: 'answered', how: 'allow_once' });
      await answered;
      await settled();
      await tellAll();
      assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
    });

    it('sends one answer where both windows answer at once', async () => {
      await arrived();
      await tellAll();
      void broker.answer('q', ALLOW);
      const second = other.answer('q', CANCELLED);
      assert.equal(await second, undefined);
      assert.deepEqual(
        answerer.sent.map(({ answer }) => answer),
        [ALLOW],
      );
      await other.synchronize();
      assert.equal(standsAt(other.get('q')), 'sending');
    });

    it('is answerable here again when the answer there was refused', async () => {
      await arrived();
      await tellAll();
      const { answered } = await answering(ALLOW, other);
      await tellAll();
      answerer.sent[0]?.settle({ kind: 'refused', error: apiError('no-capacity', 503) });
      await answered;
      await tellAll();
      assert.equal(stateOf('q'), 'open');
    });

    it('moves the dialog to the window that opened it last', async () => {
      await arrived();
      await tellAll();
      broker.show('q');
      await settled();
      other.show('q');
      await settled();
      await tellAll();
      assert.equal(stateOf('q'), 'open');
      assert.equal(standsAt(other.get('q')), 'open, shown');
    });

    it('asks again where the window that was answering is gone: only the service knows what it took', async () => {
      await arrived();
      await tellAll();
      await answering(ALLOW, other);
      disk.deadWindows.add('w2');
      await tellAll();
      assert.equal(stateOf('q'), 'open');
      const { answered } = await answering(CANCELLED);
      assert.equal(answerer.sent.length, 2);
      const outcome = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true } as const;
      answerer.sent[1]?.settle(outcome);
      await answered;
      assert.deepEqual(changes.at(-1)?.ending, outcome);
    });

    it('the broker asks nothing again where a window died that had put the answer on record', async () => {
      await arrived();
      await tellAll();
      await answering(ALLOW, other);
      await tellAll();
      answerer.over.add('q');
      disk.deadWindows.add('w2');
      await tellAll();
      assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
      assert.equal(disk.questions.size, 0);
    });

    it('notices by itself that the window which answers is gone', async () => {
      await arrived();
      await tellAll();
      await answering(ALLOW, other);
      await tellAll();
      disk.deadWindows.add('w2');
      assert.equal(stateOf('q'), 'sending');
      clock.advance(15_000);
      await settled();
      assert.equal(stateOf('q'), 'open');
    });
  });

  describe('after a restart', () => {
    it('asks again with the time that is left', async () => {
      broker.arrive(permission('q'));
      broker.show('q');
      await settled();
      broker.dispose();
      clock.advance(100_000);
      broker = open('w2');
      await broker.synchronize();
      assert.equal(stateOf('q'), 'open');
      assert.equal(broker.timeLeft('q'), FIVE_MINUTES - 100_000);
    });

    it('the broker asks nothing again that the window before had closed on record alone', async () => {
      await arrived();
      answerer.over.add('q');
      const next = open('w3');
      let seen = 0;
      next.onDidChange(() => (seen += 1));
      await next.synchronize();
      await settled();
      assert.equal(seen, 0, 'no dialog opened for it');
      assert.equal(disk.questions.size, 0);
      next.dispose();
    });

    it('says of a question that ran out meanwhile that it did', async () => {
      await arrived();
      broker.dispose();
      clock.advance(FIVE_MINUTES);
      broker = open('w2');
      changes = [];
      broker.onDidChange((change) => changes.push(change));
      await broker.synchronize();
      assert.deepEqual(states(), ['q open, late']);
      assert.equal(changes.at(-1)?.counts, true);
    });

    it('notices a dead window that was answering a question which no longer counts', async () => {
      await arrived();
      broker.dispose();
      clock.advance(2 * COUNTED_MS);
      broker = open('w2');
      await broker.synchronize();
      assert.equal(clock.waiting, 0);
      disk.owners.set('c1', 'w3');
      await broker.synchronize();
      assert.equal(stateOf('q'), 'sending, late');
      disk.deadWindows.add('w3');
      clock.advance(15_000);
      await settled();
      assert.equal(stateOf('q'), 'open, late');
    });

    it('leaves no timer behind', async () => {
      await arrived();
      broker.dispose();
      assert.equal(clock.waiting, 0);
    });
  });
});
