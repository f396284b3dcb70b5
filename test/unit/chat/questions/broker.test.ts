import assert from 'node:assert/strict';
import {
  EXPIRED_KEPT_MS,
  QuestionBroker,
  REMINDER_MS,
} from '../../../../src/chat/questions/broker.ts';
import { TRANSITIONS } from '../../../../src/chat/questions/machine.ts';
import type { QuestionChange } from '../../../../src/chat/questions/types.ts';
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
  START,
  unreadable,
} from './fakes.ts';

describe('QuestionBroker', () => {
  let clock: SleepyClock;
  let disk: FakeDisk;
  let answerer: FakeAnswerer;
  let broker: QuestionBroker;
  let changes: QuestionChange[];

  const open = (window: string) =>
    new QuestionBroker({ clock, answerer, index: disk.window(window), window });
  const states = () => changes.map(({ question, state }) => `${question.id} ${state}`);
  const stateOf = (id: string) => broker.get(id)?.state;

  beforeEach(() => {
    clock = new SleepyClock(START);
    disk = new FakeDisk();
    answerer = new FakeAnswerer();
    broker = open('w1');
    changes = [];
    broker.onDidChange((change) => changes.push(change));
  });

  afterEach(() => broker.dispose());

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
    const listener = broker.onDidChange(({ question, state }) => {
      if (state === 'pending') broker.show(question.id);
    });
    broker.arrive(permission('q'));
    await settled();
    listener.dispose();
    await broker.synchronize();
    await broker.synchronize();
    assert.equal(stateOf('q'), 'shown');
    assert.equal(disk.questions.get('q')?.shownIn, 'w1');
  });

  it('leaves a dialog open of which the disk does not let other windows know', async () => {
    broker.arrive(permission('q'));
    await settled();
    disk.failing = 'showing';
    broker.show('q');
    await settled();
    await broker.synchronize();
    assert.equal(stateOf('q'), 'shown');
  });

  it('sends an answer as it was given, once, and ends with it', async () => {
    broker.arrive(permission('q'));
    await settled();
    const answered = broker.answer('q', ALLOW);
    assert.equal(await broker.answer('q', CANCELLED), undefined);
    await settled();
    assert.deepEqual(
      answerer.sent.map(({ question, answer }) => [question, answer]),
      [['q', ALLOW]],
    );
    answerer.sent[0]?.settle({ kind: 'accepted' });
    assert.deepEqual(await answered, { kind: 'accepted' });
    assert.deepEqual(states(), ['q pending', 'q answering', 'q answered']);
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'answered', how: 'allow_once' });
    assert.equal(disk.questions.size, 0);
    assert.equal(disk.claims.size, 0);
    assert.equal(await broker.answer('q', ALLOW), undefined);
    assert.equal(answerer.sent.length, 1);
  });

  it('keeps a question whose answer was refused, with the reason, and takes another answer', async () => {
    broker.arrive(permission('q'));
    const error = apiError('invalid-request', 400);
    const first = broker.answer('q', ALLOW);
    await settled();
    answerer.sent[0]?.settle({ kind: 'kept', error });
    await first;
    assert.equal(stateOf('q'), 'rejected');
    assert.equal(broker.get('q')?.error, error);
    void broker.answer('q', CANCELLED);
    await settled();
    assert.equal(answerer.sent.length, 2);
  });

  for (const kind of ['interaction-unknown', 'interaction-not-pending', 'run-output-lost'] as const)
    it(`is over when the service says ${kind}`, async () => {
      broker.arrive(permission('q'));
      const error = apiError(kind, 409);
      const answered = broker.answer('q', ALLOW);
      await settled();
      answerer.sent[0]?.settle({ kind: 'gone', error });
      await answered;
      assert.deepEqual(changes.at(-1)?.ending, { kind: 'gone', error });
      assert.equal(stateOf('q'), undefined);
    });

  it('says that the time is up and still takes an answer', async () => {
    broker.arrive(permission('q'));
    await settled();
    clock.advance(FIVE_MINUTES);
    assert.equal(stateOf('q'), 'expired');
    assert.equal(broker.timeLeft('q'), 0);
    void broker.answer('q', ALLOW);
    await settled();
    assert.equal(answerer.sent.length, 1);
  });

  it('does not take a dialog away when the time runs out under it', async () => {
    broker.arrive(permission('q'));
    assert.equal(broker.show('q'), true);
    await settled();
    clock.advance(FIVE_MINUTES + 1_000);
    assert.equal(stateOf('q'), 'shown');
    broker.hide('q');
    assert.equal(stateOf('q'), 'expired');
  });

  it('calls a refused answer expired where the time ran out meanwhile', async () => {
    broker.arrive(permission('q'));
    const answered = broker.answer('q', ALLOW);
    await settled();
    clock.advance(FIVE_MINUTES);
    answerer.sent[0]?.settle({ kind: 'kept', error: apiError('timeout', 504) });
    await answered;
    assert.equal(stateOf('q'), 'expired');
  });

  it('drops a question long after its time, so that nothing waits for ever', async () => {
    broker.arrive(permission('q'));
    await settled();
    clock.advance(FIVE_MINUTES + EXPIRED_KEPT_MS + 15_000);
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'expired' });
    assert.equal(clock.waiting, 0);
    await settled();
    assert.equal(disk.questions.size, 0);
  });

  it('reminds once, a minute before the end, of what nobody looks at', async () => {
    const reminded: string[] = [];
    broker.onDidRemind(({ question }) => reminded.push(question.id));
    broker.arrive(permission('waits'));
    broker.arrive(permission('shown'));
    broker.arrive(unreadable('raw'));
    broker.show('shown');
    await settled();
    clock.advance(FIVE_MINUTES - REMINDER_MS - 1);
    assert.deepEqual(reminded, []);
    clock.advance(1);
    assert.deepEqual(reminded, ['waits']);
    clock.advance(REMINDER_MS);
    assert.deepEqual(reminded, ['waits']);
  });

  it('notices soon that the machine slept through a deadline', async () => {
    broker.arrive(permission('q'));
    await settled();
    clock.sleep(3_600_000);
    clock.advance(15_000 + 30_000);
    assert.equal(stateOf('q'), 'expired');
  });

  it('never asks an unreadable question, and lets it run out', async () => {
    broker.arrive(unreadable('q'));
    assert.deepEqual(broker.waiting(), []);
    assert.equal(broker.show('q'), false);
    assert.equal(await broker.answer('q', ALLOW), undefined);
    await settled();
    clock.advance(FIVE_MINUTES);
    assert.equal(stateOf('q'), 'expired');
  });

  it('does not send an answer to a question that ended while it was being claimed', async () => {
    broker.arrive(permission('q'));
    const answered = broker.answer('q', ALLOW);
    broker.end('q', { kind: 'run-ended' });
    assert.equal(await answered, undefined);
    assert.equal(answerer.sent.length, 0);
    await settled();
    assert.equal(disk.claims.size, 0);
  });

  it('ignores what the service says of a question that has ended meanwhile', async () => {
    broker.arrive(permission('q'));
    const answered = broker.answer('q', ALLOW);
    await settled();
    broker.end('q', { kind: 'run-ended' });
    answerer.sent[0]?.settle({ kind: 'kept', error: apiError('timeout', 504) });
    await answered;
    await settled();
    assert.deepEqual(states(), ['q pending', 'q answering', 'q gone']);
    assert.equal(disk.questions.size, 0);
    assert.equal(disk.claims.size, 0);
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
    answerer.sent[0]?.settle({ kind: 'kept', error: apiError('invalid-request', 400) });
    await answered;
    const seen: string[] = [];
    slow.onDidChange(({ state }) => seen.push(state));
    while (listings.length > 0) {
      listings.shift()?.();
      await settled();
    }
    assert.deepEqual(seen, []);
    assert.equal(slow.get('q')?.state, 'rejected');
    slow.dispose();
  });

  it('keeps a question that the disk did not take, whatever the index lists, and lets it be answered', async () => {
    disk.failing = 'keep';
    broker.arrive(permission('q'));
    await broker.synchronize();
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'pending');
    void broker.answer('q', ALLOW);
    await settled();
    assert.equal(answerer.sent.length, 1);
  });

  it('closes nothing on the word of an index that cannot be read', async () => {
    broker.arrive(permission('q'));
    await settled();
    disk.failing = 'list';
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'pending');
  });

  it('asks a question again that the index lost, when its conversation says that it still waits', async () => {
    broker.arrive(permission('q'));
    await settled();
    disk.questions.clear();
    disk.notify();
    await settled();
    assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
    broker.arrive(permission('q'));
    await settled();
    disk.notify();
    await settled();
    assert.equal(stateOf('q'), 'pending');
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
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      assert.equal(other.get('q')?.state, 'pending');
      const answered = other.answer('q', ALLOW);
      await settled();
      await tellAll();
      assert.equal(stateOf('q'), 'answering');
      answerer.sent[0]?.settle({ kind: 'accepted' });
      await answered;
      await tellAll();
      assert.deepEqual(changes.at(-1)?.ending, { kind: 'elsewhere' });
    });

    it('sends one answer where both windows answer at once', async () => {
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      void broker.answer('q', ALLOW);
      const second = other.answer('q', CANCELLED);
      assert.equal(await second, undefined);
      assert.deepEqual(
        answerer.sent.map(({ answer }) => answer),
        [ALLOW],
      );
      assert.equal(other.get('q')?.state, 'answering');
    });

    it('is answerable here again when the answer there was refused', async () => {
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      const answered = other.answer('q', ALLOW);
      await settled();
      await tellAll();
      answerer.sent[0]?.settle({ kind: 'kept', error: apiError('no-capacity', 503) });
      await answered;
      await tellAll();
      assert.equal(stateOf('q'), 'pending');
    });

    it('moves the dialog to the window that opened it last', async () => {
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      broker.show('q');
      await settled();
      other.show('q');
      await settled();
      await tellAll();
      assert.equal(stateOf('q'), 'pending');
      assert.equal(other.get('q')?.state, 'shown');
    });

    it('asks again where the window that was answering is gone: only the service knows what it took', async () => {
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      void other.answer('q', ALLOW);
      await settled();
      disk.deadWindows.add('w2');
      await tellAll();
      assert.equal(stateOf('q'), 'pending');
      const answered = broker.answer('q', CANCELLED);
      await settled();
      assert.equal(answerer.sent.length, 2);
      const outcome = { kind: 'maybe-answered', how: 'allow_once', isEarlier: true } as const;
      answerer.sent[1]?.settle(outcome);
      await answered;
      assert.deepEqual(changes.at(-1)?.ending, outcome);
    });

    it('notices by itself that the window which answers is gone', async () => {
      broker.arrive(permission('q'));
      await settled();
      await tellAll();
      void other.answer('q', ALLOW);
      await settled();
      await tellAll();
      disk.deadWindows.add('w2');
      assert.equal(stateOf('q'), 'answering');
      clock.advance(15_000);
      await settled();
      assert.equal(stateOf('q'), 'pending');
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
      assert.equal(stateOf('q'), 'pending');
      assert.equal(broker.timeLeft('q'), FIVE_MINUTES - 100_000);
    });

    it('says of a question that ran out meanwhile that it did', async () => {
      broker.arrive(permission('q'));
      await settled();
      broker.dispose();
      clock.advance(FIVE_MINUTES + EXPIRED_KEPT_MS);
      broker = open('w2');
      changes = [];
      broker.onDidChange((change) => changes.push(change));
      await broker.synchronize();
      assert.deepEqual(states(), ['q pending', 'q expired', 'q gone']);
    });

    it('leaves no timer behind', async () => {
      broker.arrive(permission('q'));
      await settled();
      broker.dispose();
      assert.equal(clock.waiting, 0);
    });
  });
});

describe('TRANSITIONS', () => {
  it('lets nothing happen to a question that is over', () => {
    assert.deepEqual([TRANSITIONS.answered, TRANSITIONS.gone], [{}, {}]);
  });

  it('lets no state but answering become answered', () => {
    const sources = Object.entries(TRANSITIONS)
      .filter(([, events]) => Object.values(events).includes('answered'))
      .map(([state]) => state);
    assert.deepEqual(sources, ['answering']);
  });
});
