import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import { ChatPages, type ChatPagesOptions } from '../../../src/features/chatPanel/chatPages.ts';
import { FakeMemento } from './fakeMemento.ts';
import { RecordingLog } from './recordingLog.ts';
import type { StubEditor } from './stubEditor.ts';

export const never = new Emitter<never>().event;

/** Replaces the parts of the editor that chats use. Only `window` does something. */
export function stubChats(stub: StubEditor, window: object): void {
  stub(vscode.Uri, { joinPath: () => ({ toString: () => 'file:' }) });
  stub(vscode.workspace, { isTrusted: true, onDidGrantWorkspaceTrust: never });
  stub(vscode.window, {
    registerWebviewPanelSerializer: () => ({ dispose: () => undefined }),
    registerWebviewViewProvider: () => ({ dispose: () => undefined }),
    onDidChangeActiveColorTheme: never,
    onDidChangeActiveTextEditor: never,
    onDidChangeTextEditorSelection: never,
    tabGroups: { all: [], onDidChangeTabs: never, onDidChangeTabGroups: never },
    ...window,
  });
}

/** A tab as VS Code passes it, with a page. */
export function fakeTab(page: object = {}): vscode.WebviewPanel {
  const disposed = new Emitter<void>();
  const tab = {
    title: '',
    visible: true,
    active: true,
    webview: {
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      postMessage: () => Promise.resolve(true),
      onDidReceiveMessage: new Emitter<unknown>().event,
      ...page,
    },
    onDidChangeViewState: new Emitter<void>().event,
    onDidDispose: disposed.event,
    reveal: () => undefined,
    dispose: () => disposed.fire(),
  };
  return tab as unknown as vscode.WebviewPanel;
}

/** Chat pages with minimal services. */
export function chatPages(parts: object): ChatPages {
  return new ChatPages({
    extension: { toString: () => 'file:' },
    drafts: {
      get: () => ({ text: '', scroll: null, editing: 'no' }),
      set: () => undefined,
    },
    contextFor: () => ({ attachments: [], onDidChange: never }),
    editor: {},
    settings: { page: { narration: 'off' }, onDidChangePage: never },
    dialogs: { isOpen: false, onDidChange: never },
    memento: new FakeMemento(),
    contextKeys: { set: () => undefined },
    log: new RecordingLog(),
    clock: systemClock,
    chatPresence: { update: () => undefined, typed: () => undefined },
    ...parts,
  } as unknown as ChatPagesOptions);
}
