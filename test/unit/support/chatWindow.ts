import * as vscode from 'vscode';
import type { FetchLike, ServiceClient } from '../../../src/api/index.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { DisposableStore, type Disposable, Emitter } from '../../../src/base/disposable.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import {
  notifyOfRuns,
  type RunNotifierPorts,
} from '../../../src/features/chatPanel/runNotifier.ts';
import type { ChatPages } from '../../../src/features/chatPanel/chatPages.ts';
import {
  Conversations,
  type ConversationsOptions,
} from '../../../src/features/conversations/conversations.ts';
import type { KeeperFetches } from '../../../src/features/conversations/conversationResponses.ts';
import { ContextKeys } from '../../../src/platform/contextKeys.ts';
import type { AnyMessage, HostMessages } from '../../../src/protocol/messages.ts';
import { accountsOf, chatPages, never, stubChats } from './chatPages.ts';
import { accountOf } from './fakeAccounts.ts';
import { FakeSurface } from './fakeSurface.ts';
import { nodeWatcher } from './folders.ts';
import { RecordingLog } from './recordingLog.ts';
import type { StubEditor } from './stubEditor.ts';
import { pathsIn } from './pathsIn.ts';

export interface ChatWindowOptions {
  readonly stub: StubEditor;
  readonly clock: Clock;
  /** Gets the keeper's `fetch`, if there is a keeper. */
  readonly client: (fetch: FetchLike | undefined) => Pick<ServiceClient, 'streamChat'>;
  readonly keeper?: KeeperFetches | undefined;
  /** The folder of the account. */
  readonly folder: string;
}

/** A window with conversations, tabs and status bar. Its editor counts the calls. */
export class ChatWindow implements Disposable {
  /** Fires when a page gets a message. */
  readonly onPageMessage: Emitter<AnyMessage<HostMessages>>;
  /** The number of other calls: titles, icons, status bar, context keys, memento. */
  otherCalls = 0;
  readonly conversations: Conversations;
  /** Messages from the pages. */
  readonly #fromPages: Emitter<unknown>;
  readonly #store = new DisposableStore();
  readonly #pages: ChatPages;
  readonly #account: Account;

  constructor({ stub, clock, client, keeper, folder }: ChatWindowOptions) {
    this.onPageMessage = this.#store.add(new Emitter<AnyMessage<HostMessages>>());
    this.#fromPages = this.#store.add(new Emitter<unknown>());
    this.#standIn(stub);
    const account = {
      ...accountOf('account-1'),
      store: { paths: pathsIn(folder) },
    } as Account;
    this.#account = account;
    const parts = {
      clock,
      log: new RecordingLog(),
      watch: nodeWatcher,
      reportUnreadable: () => undefined,
      accounts: {
        ...accountsOf(account),
        client: (_: Account, fetch?: FetchLike) => client(fetch),
      },
      interns: {
        ...{ name: () => 'ada', list: () => Promise.resolve([]) },
        ...{ onDidChange: never, recordStatus: () => Promise.resolve() },
      },
      settings: { approvalMode: 'manual', notifyAfterSeconds: 0, onDidChangePage: never },
      contextKeys: new ContextKeys(),
    };
    this.conversations = this.#store.add(
      new Conversations({
        ...parts,
        window: 'window-1',
        keeper,
      } as unknown as ConversationsOptions),
    );
    this.#pages = this.#store.add(
      chatPages({
        ...parts,
        conversations: this.conversations,
        chatTexts: {},
        workspaceState: { get: () => undefined, update: () => this.#count() },
      }),
    );
    const { conversations } = this;
    const attention = { ...parts, conversations, pages: this.#pages };
    this.#store.add(notifyOfRuns(attention as unknown as RunNotifierPorts));
  }

  /** Opens a new conversation in a visible tab. */
  start(): Conversation {
    return this.#pages.start(this.#account, 'intern_ada').open.conversation;
  }

  /** Sends a message from each page: silent pages count as hung after three seconds. */
  pagesLive(): void {
    this.#fromPages.fire({ type: 'ping', body: { at: 0 } });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #count(): void {
    this.otherCalls += 1;
  }

  #standIn(stub: StubEditor): void {
    const count = (): void => this.#count();
    stub(vscode.commands, { executeCommand: count });
    stubChats(stub, {
      state: { focused: true },
      onDidChangeWindowState: never,
      createStatusBarItem: () =>
        this.#watched({ show: count, hide: count, dispose: () => undefined }),
      createWebviewPanel: () => this.#tab(),
    });
  }

  /** Counts every change of an object. */
  #watched<T extends object>(shown: T): T {
    return new Proxy(shown, {
      set: (target, name, value) => {
        this.#count();
        return Reflect.set(target, name, value);
      },
    });
  }

  /** A tab with a loaded page. */
  #tab(): vscode.WebviewPanel {
    const tab = Object.assign(new FakeSurface(), { active: false });
    this.#fromPages.event((message) => tab.messages.fire(message));
    tab.webview.postMessage = (message) => {
      this.onPageMessage.fire(message);
      return Promise.resolve(true);
    };
    return this.#watched(tab as unknown as vscode.WebviewPanel);
  }
}
