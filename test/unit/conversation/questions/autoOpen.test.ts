import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import {
  AutoOpener,
  ChatPresence,
  TYPING_PAUSE_MS,
  TYPING_PAUSE_WITH_DRAFT_MS,
  type WindowState,
} from '../../../../src/conversation/questions/autoOpen.ts';
import type { PendingQuestions } from '../../../../src/conversation/questions/pendingQuestions.ts';
import type { PagePresence } from '../../../../src/conversation/questions/types.ts';
import { ALLOW, apiError, FIVE_MINUTES, permission, QuestionWindows, settled } from './fakes.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const watching: PagePresence = { focused: true, composing: false, typed: false };
const LONG_MS = 60_000;

describe('AutoOpener', () => {
  let windows: QuestionWindows;
  let clock: FakeClock;
  let pending: PendingQuestions;
  let chatPresence: ChatPresence;
  let draft: string;
  let draftChanged: Emitter<void>;
  let opener: AutoOpener;
  let window: WindowState;
  let windowChanged: Emitter<void>;
  let opened: string[];

  const change = (changed: Partial<WindowState>) => {
    window = { ...window, settledAt: clock.monotonic(), ...changed };
    windowChanged.fire();
  };

  const present = (changed: Partial<PagePresence>) =>
    chatPresence.update('c1', { ...watching, ...changed });

  const write = (text: string) => {
    draft = text;
    draftChanged.fire();
  };

  const showAtOnce = (id: string) => {
    change({ isDialogOpen: true });
    pending.show(id);
  };

  /** @param show called with the question whose dialog is to open; shows it at once by default */
  const open = (show = showAtOnce) =>
    new AutoOpener({
      clock,
      pendingQuestions: pending,
      chatPresence,
      drafts: { get: () => ({ text: draft }), onDidChange: draftChanged.event },
      window: { current: () => window, onDidChange: windowChanged.event },
      open: (id) => {
        opened.push(id);
        show(id);
      },
    });

  beforeEach(() => {
    windows = new QuestionWindows();
    ({ clock } = windows);
    pending = windows.open('w1');
    chatPresence = new ChatPresence(clock);
    draft = '';
    draftChanged = new Emitter();
    window = { isFocused: true, isDialogOpen: false, settledAt: 0 };
    windowChanged = new Emitter();
    opened = [];
    opener = open();
  });

  afterEach(() => {
    opener.dispose();
    windows.dispose();
  });

  /** Closes the dialog without an answer, as Escape does. */
  const escape = (id: string) => {
    pending.hide(id);
    change({ isDialogOpen: false });
  };

  /** Asserts that the dialog opens after so many ms, and no sooner. */
  const opensAfter = (ms: number) => {
    clock.advance(ms - 1);
    assert.deepEqual(opened, []);
    clock.advance(1);
    assert.deepEqual(opened, ['q']);
  };

  it('a dialog opens at once for a user who has been watching', () => {
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    pending.add(permission('q'));
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog opens after a second without keys for a user who has just typed', () => {
    chatPresence.update('c1', watching);
    present({ typed: true });
    clock.advance(300);
    pending.add(permission('q'));
    opensAfter(TYPING_PAUSE_MS - 300);
  });

  it('a dialog opens after three seconds without keys if there is a draft', () => {
    write('half a thought');
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    present({ typed: true });
    pending.add(permission('q'));
    clock.advance(TYPING_PAUSE_WITH_DRAFT_MS - 1);
    present({ typed: true });
    opensAfter(TYPING_PAUSE_WITH_DRAFT_MS);
  });

  it('a dialog opens a second after the last key if the draft is sent', () => {
    write('the next prompt');
    pending.add(permission('q'));
    present({ typed: true });
    write('');
    opensAfter(TYPING_PAUSE_MS);
  });

  for (const [what, happens] of [
    ['the page does not have the focus', () => present({ focused: false })],
    ['an input method is composing', () => present({ composing: true })],
    ['the page is hidden', () => chatPresence.update('c1', undefined)],
    ['the window does not have the focus', () => change({ isFocused: false })],
    ['another dialog is open', () => change({ isDialogOpen: true })],
  ] as const)
    it(`no dialog opens while ${what}, nor in the second after that`, () => {
      chatPresence.update('c1', watching);
      happens();
      pending.add(permission('q'));
      clock.advance(LONG_MS);
      chatPresence.update('c1', undefined);
      chatPresence.update('c1', watching);
      change({ isFocused: true, isDialogOpen: false });
      opensAfter(TYPING_PAUSE_MS);
    });

  it('earlier questions open when the opener starts, and none opens after it is disposed', () => {
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    opener.dispose();
    pending.add(permission('q'));
    clock.advance(LONG_MS);
    assert.deepEqual(opened, []);
    opener = open();
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog opens without a wait if only the draft changed', () => {
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS - TYPING_PAUSE_MS / 2);
    write('half a thought');
    write('');
    pending.add(permission('q'));
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog opens without a wait if the focus only moved within the page', () => {
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS - TYPING_PAUSE_MS / 2);
    present({});
    pending.add(permission('q'));
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog that appears later is opened only once', () => {
    opener.dispose();
    opener = open(() => undefined);
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    pending.add(permission('q'));
    windowChanged.fire();
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog opens only after its page has reported its presence', () => {
    chatPresence.update('c2', watching);
    pending.add(permission('q', { conversation: 'c1' }));
    clock.advance(LONG_MS);
    assert.deepEqual(opened, []);
    present({});
    opensAfter(TYPING_PAUSE_MS);
  });

  it('the opener of dialogs leaves no timer when it is disposed', () => {
    chatPresence.update('c1', watching);
    present({ typed: true });
    pending.add(permission('q'));
    const { waiting } = clock;
    present({ typed: true });
    assert.equal(clock.waiting, waiting, 'one, however often it was put off');
    opener.dispose();
    assert.equal(clock.waiting, waiting - 1);
  });

  it('a dialog that opened by itself and was hidden never reopens by itself', () => {
    chatPresence.update('c1', watching);
    clock.advance(TYPING_PAUSE_MS);
    pending.add(permission('q'));
    escape('q');
    clock.advance(FIVE_MINUTES - 2_000);
    chatPresence.update('c1', undefined);
    chatPresence.update('c1', watching);
    clock.advance(1_000);
    assert.deepEqual(opened, ['q']);
  });

  it('a dialog that its user opened and hid never reopens by itself', () => {
    pending.add(permission('q'));
    pending.show('q');
    escape('q');
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    assert.deepEqual(opened, []);
  });

  it('a dialog reopens if the service refused the answer', async () => {
    chatPresence.update('c1', watching);
    clock.advance(TYPING_PAUSE_MS);
    pending.add(permission('q'));
    const answered = pending.answer('q', ALLOW);
    change({ isDialogOpen: false });
    await settled();
    windows.answerer.sent[0]?.settle({ kind: 'refused', error: apiError('invalid-request', 400) });
    await answered;
    clock.advance(TYPING_PAUSE_MS);
    assert.deepEqual(opened, ['q', 'q']);
  });

  it('two questions open one after the other, the older first', () => {
    chatPresence.update('c1', watching);
    change({ isDialogOpen: true });
    pending.add(permission('younger', { arrivedAt: clock.now() }));
    pending.add(permission('older', { arrivedAt: clock.now() - 1_000 }));
    change({ isDialogOpen: false });
    clock.advance(TYPING_PAUSE_MS);
    assert.deepEqual(opened, ['older']);
    escape('older');
    clock.advance(TYPING_PAUSE_MS);
    assert.deepEqual(opened, ['older', 'younger']);
  });

  it('no question opens by itself after its deadline', () => {
    pending.add(permission('q'));
    clock.advance(FIVE_MINUTES);
    chatPresence.update('c1', watching);
    clock.advance(LONG_MS);
    assert.deepEqual(opened, []);
  });
});
