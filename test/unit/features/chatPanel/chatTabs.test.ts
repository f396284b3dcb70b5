import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { systemClock } from '../../../../src/base/clock.ts';
import { Emitter, type Event } from '../../../../src/base/event.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { ChatPages, type ChatPagesOptions } from '../../../../src/features/chatPanel/chatPages.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { FakeMemento } from '../../support/fakeMemento.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** How often a tab is opened and closed. */
const openings = 200;

/** Counts who listens to events now. */
class Listeners {
  count = 0;

  /** The same event, counted. */
  to<T>(event: Event<T>): Event<T> {
    return (listener) => {
      this.count += 1;
      const subscription = event(listener);
      return {
        dispose: () => {
          this.count -= 1;
          subscription.dispose();
        },
      };
    };
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap that are in use. */
async function heapUsed(): Promise<number> {
  // What finalisers let go of is collected by the next round.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** A tab as VS Code gives it. */
function fakePanel(): vscode.WebviewPanel {
  const disposed = new Emitter<void>();
  const panel = {
    title: '',
    visible: true,
    active: true,
    webview: {
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      postMessage: () => Promise.resolve(true),
      onDidReceiveMessage: new Emitter<unknown>().event,
    },
    onDidChangeViewState: new Emitter<void>().event,
    onDidDispose: disposed.event,
    reveal: () => undefined,
    dispose: () => disposed.fire(),
  };
  return panel as unknown as vscode.WebviewPanel;
}

describe('tabs of chats', () => {
  const stub = useStubs();
  const listeners = new Listeners();
  const never = new Emitter<never>().event;
  let panels: ChatPages;
  let conversation: Conversation;

  beforeEach(() => {
    const uri = { toString: () => 'file:' };
    stub(vscode.Uri, { joinPath: () => uri });
    stub(vscode.workspace, { isTrusted: true, onDidGrantWorkspaceTrust: never });
    stub(vscode.window, {
      registerWebviewPanelSerializer: () => ({ dispose: () => undefined }),
      registerWebviewViewProvider: () => ({ dispose: () => undefined }),
      onDidChangeActiveColorTheme: never,
      onDidChangeActiveTextEditor: never,
      onDidChangeTextEditorSelection: never,
      tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
      createWebviewPanel: fakePanel,
    });
    ({ conversation } = new Stage());
    Object.assign(conversation, { onDidChange: listeners.to(conversation.onDidChange) });
    const account = accountOf('account-1');
    const open = { account, conversation, diskFailed: false, isDeleted: false };
    const followed = { onDidChange: listeners.to(never) };
    const context = { attachments: [], onDidChange: listeners.to(never) };
    panels = new ChatPages({
      extension: uri,
      accounts: { ...followed, get: () => account },
      interns: { ...followed, name: () => 'ada' },
      conversations: {
        ...followed,
        onDidDeleteElsewhere: never,
        open: () => Promise.resolve(open),
      },
      drafts: {},
      contextFor: () => context,
      editor: {},
      settings: {
        onDidChange: (_name: string, listen: () => void) => followed.onDidChange(listen),
      },
      dialogs: { isOpen: false, onDidChange: never },
      memento: new FakeMemento(),
      contextKeys: { set: () => undefined },
      log: new RecordingLog(),
      clock: systemClock,
      presence: () => undefined,
      typed: () => undefined,
    } as unknown as ChatPagesOptions);
  });

  afterEach(() => {
    panels.dispose();
  });

  async function openAndClose(): Promise<WeakRef<object>> {
    const account = accountOf('account-1');
    const tab = await panels.show(account, conversation.id);
    assert.ok(tab);
    tab.place.dispose();
    return new WeakRef(tab);
  }

  it('leave nothing behind that listens or takes memory when they were opened and closed 200 times', async () => {
    for (let warmUp = 0; warmUp < 20; warmUp++) await openAndClose();
    const before = { listening: listeners.count, heap: await heapUsed() };
    const opened: WeakRef<object>[] = [];
    for (let time = 0; time < openings; time++) opened.push(await openAndClose());
    const heap = await heapUsed();
    const percent = ((heap / before.heap - 1) * 100).toFixed(2);
    console.log(`${openings} tabs: ${listeners.count} listeners, heap ${percent} %`);
    assert.equal(listeners.count, before.listening);
    // The last ones may be on a stack still.
    const alive = opened.filter((tab) => tab.deref() !== undefined).length;
    assert.ok(alive < openings / 20, `${alive} tabs are kept in memory`);
    assert.ok(heap < before.heap * 1.05, `${before.heap} bytes became ${heap}`);
  });
});
