import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../../../../src/base/disposable.ts';
import {
  notifyOfRuns,
  type RunNotifierPorts,
} from '../../../../src/features/chatPanel/runNotifier.ts';
import type { RunEnd } from '../../../../src/features/conversations/conversations.ts';
import type { ShownNotification } from '../../../../src/platform/notifications/systemNotifications.ts';
import { never } from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('system notifications of runs', () => {
  const stub = useStubs();
  let notifier: Disposable;
  let runEnded: Emitter<RunEnd>;
  let focusChanged: Emitter<{ readonly focused: boolean }>;
  let isAway: boolean;
  let settings: { systemNotifications: string; notifyAfterSeconds: number };
  let shown: ShownNotification[];
  let visible: number;
  let ran: unknown[];
  /** The button of the notification in the window that the user selects. */
  let pressed: string | undefined;

  beforeEach(() => {
    [runEnded, focusChanged] = [new Emitter(), new Emitter()];
    isAway = true;
    settings = { systemNotifications: 'questionsAndRuns', notifyAfterSeconds: 60 };
    [shown, visible, ran, pressed] = [[], 0, [], undefined];
    const item = { show: () => undefined, hide: () => undefined, dispose: () => undefined };
    stub(vscode.window, {
      state: { focused: false },
      onDidChangeWindowState: focusChanged.event,
      createStatusBarItem: () => item,
      showInformationMessage: () => Promise.resolve(pressed),
      showWarningMessage: () => Promise.resolve(),
    });
    stub(vscode.commands, { executeCommand: (...command: unknown[]) => ran.push(command) });
    notifier = notifyOfRuns({
      contextKeys: { set: () => undefined },
      conversations: {
        live: [],
        onDidChangeState: never,
        onDidEndRun: runEnded.event,
      },
      pages: {
        get: () => undefined,
        onDidChange: never,
      },
      interns: { name: () => 'ada' },
      settings,
      attention: { isAway: () => Promise.resolve(isAway) },
      systemNotifications: {
        isPossible: true,
        show: (notification: ShownNotification) => {
          shown.push(notification);
          visible += 1;
          return { dispose: () => (visible -= 1) };
        },
      },
    } as unknown as RunNotifierPorts);
  });

  afterEach(() => notifier.dispose());

  async function end({ endedWell = true, tookMs = 60_000 } = {}): Promise<void> {
    const conversation = { id: 'c1', transcript: { intern: 'intern_1', title: 'Confidential' } };
    runEnded.fire({
      account: accountOf('account-1'),
      conversation,
      endedWell,
      tookMs,
    } as unknown as RunEnd);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }

  const texts = () => shown.map(({ text }) => text);

  it('a long run notifies of its outcome without the title of its conversation', async () => {
    await end();
    await end({ endedWell: false });
    assert.deepEqual(texts(), ['ada finished a run', 'A run of ada failed']);
    assert.deepEqual(shown[0]?.chat, { intern: 'intern_1', conversation: 'c1' });
  });

  it('selecting a notification of a run runs the command that opens its chat', async () => {
    pressed = 'Show Conversation';
    await end();
    shown[0]?.onSelect();
    const opened = ['interns.openChat', { intern: 'intern_1', conversation: 'c1' }];
    assert.deepEqual(ran, [opened, opened]);
  });

  for (const [when, prepare] of [
    ['the setting is for questions only', () => (settings.systemNotifications = 'questions')],
    ['the setting is off', () => (settings.systemNotifications = 'off')],
    ['a VS Code window has the focus', () => (isAway = false)],
    ['it took less time than notifyAfterSeconds', () => (settings.notifyAfterSeconds = 61)],
    ['notifyAfterSeconds is 0', () => (settings.notifyAfterSeconds = 0)],
  ] as const) {
    it(`a run does not notify if ${when}`, async () => {
      prepare();
      await end();
      assert.deepEqual(texts(), []);
    });
  }

  for (const [when, act] of [
    ['the user comes back to VS Code', () => focusChanged.fire({ focused: true })],
    ['the window closes', () => notifier.dispose()],
  ] as const) {
    it(`the notifications of runs are withdrawn when ${when}`, async () => {
      await end();
      await end();
      assert.equal(visible, 2);
      act();
      assert.equal(visible, 0);
    });
  }
});
