import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import { ChatPage, type ChatPageOptions } from '../../../src/features/chatPanel/chatPage.ts';
import { ChatPages } from '../../../src/features/chatPanel/chatPages.ts';
import type { ChatServices } from '../../../src/features/chatPanel/chatServices.ts';
import type { OpenConversation } from '../../../src/features/conversations/conversations.ts';
import { Stage } from '../conversation/conversationStage.ts';
import { accountOf } from './fakeAccounts.ts';
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

/** Accounts of which there is only one. */
export function accountsOf(account: Account) {
  return {
    whenLoaded: Promise.resolve(),
    onDidChange: never,
    all: [account],
    get: () => account,
    active: account as Account | undefined,
  };
}

/** A new conversation with this ID. */
export function openConversation(account: Account, id: string): OpenConversation {
  const { conversation } = new Stage();
  Object.assign(conversation, { id });
  return { account, conversation, diskFailed: false, isDeleted: false };
}

/** Chat pages with minimal services. */
export function chatPages(parts: object): ChatPages {
  return new ChatPages({
    extension: { toString: () => 'file:' },
    accounts: accountsOf(accountOf('account-1')),
    interns: { onDidChange: never, name: () => 'ada' },
    conversations: {
      onDidChange: never,
      onDidChangeDeletion: never,
      open: (account: Account, id: string) => Promise.resolve(openConversation(account, id)),
    },
    drafts: {
      get: () => ({ text: '', scroll: null, editing: 'no' }),
      set: () => undefined,
    },
    contexts: { for: () => ({ attachments: [], onDidChange: never }) },
    editor: {},
    settings: { page: { narration: 'off' }, onDidChangePage: never },
    dialogs: { handlePageFocus: () => undefined, isOpen: false, onDidChange: never },
    workspaceState: new FakeMemento(),
    contextKeys: { set: () => undefined },
    log: new RecordingLog(),
    clock: systemClock,
    chatPresence: { update: () => undefined },
    ...parts,
  } as unknown as ChatServices);
}

/** The page of a conversation with minimal services. */
export function chatPage(stub: StubEditor, conversation: Conversation, parts: object): ChatPage {
  stub(vscode.Uri, { joinPath: () => ({ toString: () => 'file:' }) });
  stub(vscode.workspace, { isTrusted: true });
  return new ChatPage({
    open: { account: accountOf('account-1'), conversation },
    extension: {},
    accounts: { get: () => ({ state: 'ready' }) },
    interns: { name: () => 'ada' },
    drafts: { get: () => ({ text: '', scroll: null, pageHung: false }) },
    contexts: { for: () => ({ attachments: [], onDidChange: never }) },
    settings: { page: { narration: 'sentences' }, onDidChangePage: never },
    colors: { onDidChange: never, get: () => Promise.resolve({}) },
    log: new RecordingLog(),
    pages: { updatePresence: () => undefined },
    ...parts,
  } as unknown as ChatPageOptions);
}
