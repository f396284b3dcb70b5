import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import type { PendingQuestions } from '../../../../src/conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../../../src/conversation/questions/types.ts';
import { showSystemNotifications } from '../../../../src/features/questions/systemNotifier.ts';
import type { ShownNotification } from '../../../../src/platform/notifications/systemNotifications.ts';
import type { Settings } from '../../../../src/platform/settings.ts';
import {
  FakeAnswerer,
  FakeDisk,
  FIVE_MINUTES,
  permission,
  settled,
  START,
} from '../../conversation/questions/fakes.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const MINUTE = 60_000;

describe('showSystemNotifications', () => {
  let clock: FakeClock;
  let disk: FakeDisk;
  let store: DisposableStore;
  let isAway: boolean;
  let isPossible: boolean;
  let setting: Settings['systemNotifications'];
  /** The IDs that a window has claimed. */
  let reserved: Set<string>;
  /** All notifications that were shown, and those that still are. */
  let shown: ShownNotification[];
  let visible: Set<ShownNotification>;
  let opened: string[];

  beforeEach(() => {
    clock = new FakeClock(START);
    disk = new FakeDisk();
    store = new DisposableStore();
    [isAway, isPossible, setting] = [true, true, 'questions'];
    reserved = new Set();
    [shown, visible, opened] = [[], new Set(), []];
  });

  afterEach(() => store.dispose());

  function openWindow(window: string): PendingQuestions {
    const pendingQuestions = store.add(disk.pending(window, clock, new FakeAnswerer()));
    store.add(
      showSystemNotifications({
        clock,
        pendingQuestions,
        settings: { systemNotifications: setting },
        attention: {
          isAway: () => Promise.resolve(isAway),
          reserve: (id) => Promise.resolve(!reserved.has(id) && reserved.add(id).has(id)),
        },
        systemNotifications: {
          isPossible,
          show: (notification) => {
            shown.push(notification);
            visible.add(notification);
            return { dispose: () => visible.delete(notification) };
          },
        },
        open: ({ id }) => opened.push(id),
      }),
    );
    return pendingQuestions;
  }

  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settled();
  };

  /** A question arrives in one window, and the others read it from the disk. */
  async function arrive(at: PendingQuestions, question: PendingQuestion): Promise<void> {
    at.add(question);
    await disk.write('a', question.conversation, question);
    disk.notify();
    await settled();
    await pass(1_000);
  }

  it('three windows notify once of a question while none has the focus', async () => {
    const [first] = ['a', 'b', 'c'].map(openWindow);
    await arrive(first!, permission('q'));
    await pass(FIVE_MINUTES);
    assert.deepEqual(
      shown.map(({ text, chat }) => ({ text, chat })),
      [
        {
          text: 'ada asks for permission',
          chat: { intern: 'intern-1', conversation: 'c1' },
        },
      ],
    );
  });

  it('a notification names the kind of question and nothing that it says', async () => {
    const form = {
      ...permission('q'),
      internName: `ada\n[x](command:y)${'!'.repeat(90)}`,
      question: { kind: 'elicitation', message: 'Which key?', fields: [] },
    } as unknown as PendingQuestion;
    await arrive(openWindow('a'), form);
    assert.match(shown[0]?.text ?? '', /^ada \[x\]\u200b\(command:y\)!+… asks a question$/u);
    assert.equal(Array.from(shown[0]?.text ?? '').length, 40 + ' asks a question'.length);
  });

  it('selecting a notification opens its question', async () => {
    await arrive(openWindow('a'), permission('q'));
    shown[0]?.onSelect();
    assert.deepEqual(opened, ['q']);
  });

  it('a question that ends withdraws its notification', async () => {
    const pending = openWindow('a');
    await arrive(pending, permission('q'));
    assert.equal(visible.size, 1);
    pending.endQuestion('q', { kind: 'run-ended' });
    assert.equal(visible.size, 0);
  });

  it('a window that closes withdraws its notifications', async () => {
    await arrive(openWindow('a'), permission('q'));
    store.dispose();
    assert.equal(visible.size, 0);
  });

  it('a question that ends within a second does not notify', async () => {
    const pending = openWindow('a');
    pending.add(permission('q'));
    pending.endQuestion('q', { kind: 'run-ended' });
    await pass(MINUTE);
    assert.equal(shown.length, 0);
  });

  it('a question that arrives in front of the user does not notify', async () => {
    isAway = false;
    await arrive(openWindow('a'), permission('q'));
    await pass(FIVE_MINUTES);
    assert.equal(shown.length, 0);
  });

  it('a question notifies with one minute left if the user has left since it arrived', async () => {
    isAway = false;
    await arrive(openWindow('a'), permission('q'));
    isAway = true;
    await pass(3 * MINUTE);
    assert.equal(shown.length, 0);
    await pass(MINUTE);
    assert.equal(shown.length, 1);
  });

  it('a question whose time is up does not notify', async () => {
    await arrive(openWindow('a'), permission('q', { arrivedAt: START - FIVE_MINUTES }));
    assert.equal(shown.length, 0);
  });

  it('a question does not notify if the setting is off', async () => {
    setting = 'off';
    await arrive(openWindow('a'), permission('q'));
    assert.equal(shown.length, 0);
  });

  it('a window that cannot notify leaves a question to the other windows', async () => {
    isPossible = false;
    const first = openWindow('a');
    isPossible = true;
    openWindow('b');
    await arrive(first, permission('q'));
    assert.equal(shown.length, 1);
  });
});
