import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { AutoOpener } from '../../../../src/conversation/questions/autoOpen.ts';
import { QuestionBroker } from '../../../../src/conversation/questions/broker.ts';
import { ChatUsers } from '../../../../src/conversation/questions/chatUsers.ts';
import {
  QUIET_MS,
  QUIET_WITH_DRAFT_MS,
  type Surroundings,
} from '../../../../src/conversation/questions/openPolicy.ts';
import type { ChatPresence } from '../../../../src/conversation/questions/types.ts';
import {
  ALLOW,
  apiError,
  FakeAnswerer,
  FakeDisk,
  FIVE_MINUTES,
  permission,
  settled,
  SleepyClock,
} from './fakes.ts';

const watching: ChatPresence = { focused: true, composing: false, hasDraft: false };

describe('AutoOpener', () => {
  let clock: SleepyClock;
  let answerer: FakeAnswerer;
  let broker: QuestionBroker;
  let users: ChatUsers;
  let opener: AutoOpener;
  let surroundings: Surroundings;
  let surroundingsChanged: Emitter<void>;
  let opened: string[];

  const surround = (change: Partial<Surroundings>) => {
    surroundings = { ...surroundings, settledAt: clock.monotonic(), ...change };
    surroundingsChanged.fire();
  };

  const open = () =>
    new AutoOpener({
      clock,
      broker,
      users,
      surroundings: { current: () => surroundings, onDidChange: surroundingsChanged.event },
      open: (id) => {
        opened.push(id);
        surround({ dialogOpen: true });
        broker.show(id);
      },
    });

  beforeEach(() => {
    clock = new SleepyClock();
    answerer = new FakeAnswerer();
    const index = new FakeDisk().window('w1');
    broker = new QuestionBroker({ clock, answerer, index, window: 'w1' });
    users = new ChatUsers(clock);
    surroundings = { windowFocused: true, dialogOpen: false, settledAt: 0 };
    surroundingsChanged = new Emitter();
    opened = [];
    opener = open();
  });

  afterEach(() => {
    opener.dispose();
    broker.dispose();
    assert.equal(clock.waiting, 0);
  });

  /** Closes the dialog without an answer, as Escape does. */
  const escape = (id: string) => {
    broker.hide(id);
    surround({ dialogOpen: false });
  };

  it('asks a user who sent a prompt and watches within two seconds', () => {
    users.presence('c1', watching);
    users.typed('c1');
    clock.advance(300);
    broker.arrive(permission('q'));
    clock.advance(QUIET_MS - 300 - 1);
    assert.deepEqual(opened, []);
    clock.advance(1);
    assert.deepEqual(opened, ['q']);
  });

  it('asks at once where the user has watched for long', () => {
    users.presence('c1', watching);
    clock.advance(60_000);
    broker.arrive(permission('q'));
    assert.deepEqual(opened, ['q']);
  });

  it('waits for a second without keys, and for three where a draft stands in the composer', () => {
    users.presence('c1', { ...watching, hasDraft: true });
    clock.advance(60_000);
    users.typed('c1');
    broker.arrive(permission('q'));
    clock.advance(QUIET_WITH_DRAFT_MS - 1);
    users.typed('c1');
    clock.advance(QUIET_WITH_DRAFT_MS - 1);
    assert.deepEqual(opened, []);
    clock.advance(1);
    assert.deepEqual(opened, ['q']);
  });

  for (const [what, presence] of [
    ['the page has not the focus', { ...watching, focused: false }],
    ['an input method is composing', { ...watching, composing: true }],
    ['the page is hidden', undefined],
  ] as const)
    it(`opens nothing while ${what}`, () => {
      users.presence('c1', watching);
      users.presence('c1', presence);
      broker.arrive(permission('q'));
      clock.advance(60_000);
      assert.deepEqual(opened, []);
    });

  it('opens a question that waited when its user comes to its chat', () => {
    broker.arrive(permission('q'));
    clock.advance(60_000);
    users.presence('c1', watching);
    clock.advance(QUIET_MS - 1);
    assert.deepEqual(opened, []);
    clock.advance(1);
    assert.deepEqual(opened, ['q']);
  });

  it('opens what was there before it, and nothing after it is disposed', () => {
    users.presence('c1', watching);
    clock.advance(60_000);
    opener.dispose();
    broker.arrive(permission('q'));
    clock.advance(60_000);
    assert.deepEqual(opened, []);
    opener = open();
    assert.deepEqual(opened, ['q']);
  });

  it('waits a second for a user who comes back, not for one whose draft alone changed', () => {
    users.typed('c1');
    clock.advance(60_000);
    users.presence('c1', watching);
    clock.advance(60_000);
    users.presence('c1', { ...watching, focused: false });
    users.presence('c1', watching);
    broker.arrive(permission('q'));
    assert.deepEqual(opened, []);
    clock.advance(QUIET_MS / 2);
    users.presence('c1', { ...watching, hasDraft: true });
    users.presence('c1', watching);
    clock.advance(QUIET_MS / 2);
    assert.deepEqual(opened, ['q']);
  });

  it('opens nothing for keys alone from a page that has not reported its user', () => {
    users.typed('c1');
    broker.arrive(permission('q'));
    clock.advance(60_000);
    assert.deepEqual(opened, []);
    assert.deepEqual(
      { ...users.get('c1'), typedAt: 0 },
      { ...watching, focused: false, focusedAt: -Infinity, typedAt: 0 },
    );
  });

  it('leaves no timer of a question that was about to open', () => {
    users.presence('c1', watching);
    const before = clock.waiting;
    users.typed('c1');
    broker.arrive(permission('q'));
    const ofBroker = 1;
    assert.equal(clock.waiting, before + ofBroker + 1);
    users.typed('c1');
    assert.equal(clock.waiting, before + ofBroker + 1, 'one, however often it was put off');
    opener.dispose();
    assert.equal(clock.waiting, before + ofBroker);
  });

  it('opens nothing for a chat whose user is in another one', () => {
    users.presence('c2', watching);
    broker.arrive(permission('q', { conversation: 'c1' }));
    clock.advance(60_000);
    assert.deepEqual(opened, []);
  });

  it('opens nothing in a window without the focus, and waits a second after it came', () => {
    users.presence('c1', watching);
    surround({ windowFocused: false });
    broker.arrive(permission('q'));
    clock.advance(60_000);
    surround({ windowFocused: true });
    clock.advance(QUIET_MS - 1);
    assert.deepEqual(opened, []);
    clock.advance(1);
    assert.deepEqual(opened, ['q']);
  });

  it('never takes the place of another dialog', () => {
    users.presence('c1', watching);
    surround({ dialogOpen: true });
    broker.arrive(permission('q'));
    clock.advance(60_000);
    assert.deepEqual(opened, []);
    surround({ dialogOpen: false });
    clock.advance(QUIET_MS);
    assert.deepEqual(opened, ['q']);
  });

  it('does not open again what was hidden, however long its user watches', () => {
    users.presence('c1', watching);
    clock.advance(QUIET_MS);
    broker.arrive(permission('q'));
    escape('q');
    clock.advance(FIVE_MINUTES - 2_000);
    users.presence('c1', undefined);
    users.presence('c1', watching);
    clock.advance(1_000);
    assert.deepEqual(opened, ['q']);
  });

  it('does not open what its user opened and hid before the chat had the focus', () => {
    broker.arrive(permission('q'));
    broker.show('q');
    escape('q');
    users.presence('c1', watching);
    clock.advance(60_000);
    assert.deepEqual(opened, []);
  });

  it('asks again when the service refused the answer', async () => {
    users.presence('c1', watching);
    clock.advance(QUIET_MS);
    broker.arrive(permission('q'));
    const answered = broker.answer('q', ALLOW);
    surround({ dialogOpen: false });
    await settled();
    answerer.sent[0]?.settle({ kind: 'refused', error: apiError('invalid-request', 400) });
    await answered;
    clock.advance(QUIET_MS);
    assert.deepEqual(opened, ['q', 'q']);
  });

  it('asks two questions one after the other, the older first', () => {
    users.presence('c1', watching);
    surround({ dialogOpen: true });
    broker.arrive(permission('younger', { arrivedAt: clock.now() }));
    broker.arrive(permission('older', { arrivedAt: clock.now() - 1_000 }));
    surround({ dialogOpen: false });
    clock.advance(QUIET_MS);
    assert.deepEqual(opened, ['older']);
    escape('older');
    clock.advance(QUIET_MS);
    assert.deepEqual(opened, ['older', 'younger']);
  });

  it('leaves a question alone whose time ran out', () => {
    broker.arrive(permission('q'));
    clock.advance(FIVE_MINUTES);
    users.presence('c1', watching);
    clock.advance(60_000);
    assert.deepEqual(opened, []);
  });
});
