import * as vscode from 'vscode';
import type { ServiceClient } from '../../../src/api/index.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { DisposableStore, type Disposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { Account, Accounts } from '../../../src/features/accounts/account.ts';
import {
  RunNotifier,
  type RunNotifierOptions,
} from '../../../src/features/chatPanel/runNotifier.ts';
import type { ChatPages } from '../../../src/features/chatPanel/chatPages.ts';
import {
  Conversations,
  type ConversationsOptions,
} from '../../../src/features/conversations/conversations.ts';
import { ContextKeys } from '../../../src/platform/contextKeys.ts';
import type { AnyMessage, HostMessages } from '../../../src/protocol/messages.ts';
import { chatPages, fakeTab, never, stubChats } from './chatPages.ts';
import { accountOf } from './fakeAccounts.ts';
import { nodeWatcher } from './folders.ts';
import { RecordingLog } from './recordingLog.ts';
import type { StubEditor } from './stubEditor.ts';

export interface ChatWindowOptions {
  readonly stub: StubEditor;
  readonly clock: Clock;
  readonly client: Pick<ServiceClient, 'streamChat'>;
  readonly conversationsDir: string;
}

/** A window with its own conversations, tabs and status bar, over an editor that counts what it is asked for. */
export class ChatWindow implements Disposable {
  /** A page was sent something. */
  readonly onPageMessage: Emitter<AnyMessage<HostMessages>>;
  /** What else the editor was asked for: titles, icons, status bar items, context keys, memory of the workspace. */
  otherCalls = 0;
  readonly conversations: Conversations;
  /** What the pages say. */
  readonly #fromPages: Emitter<unknown>;
  readonly #store = new DisposableStore();
  readonly #pages: ChatPages;
  readonly #account: Account;

  constructor({ stub, clock, client, conversationsDir }: ChatWindowOptions) {
    this.onPageMessage = this.#store.add(new Emitter<AnyMessage<HostMessages>>());
    this.#fromPages = this.#store.add(new Emitter<unknown>());
    this.#standIn(stub);
    const account = { ...accountOf('account-1'), store: { conversationsDir } } as Account;
    this.#account = account;
    const parts = {
      clock,
      log: new RecordingLog(),
      watch: nodeWatcher,
      reportUnreadable: () => undefined,
      accounts: {
        get: () => account,
        client: () => client,
        onDidChange: never,
      } as unknown as Accounts,
      interns: { name: () => 'ada', onDidChange: never, recordStatus: () => Promise.resolve() },
      settings: { approvalMode: 'manual', notifyAfterSeconds: 0, onDidChangePage: never },
      contextKeys: new ContextKeys(),
    };
    this.conversations = this.#store.add(
      new Conversations({ ...parts, window: 'window-1' } as unknown as ConversationsOptions),
    );
    this.#pages = this.#store.add(
      chatPages({
        ...parts,
        conversations: this.conversations,
        texts: {},
        memento: { get: () => undefined, update: () => this.#count() },
      }),
    );
    const badge = { keepOnly: () => undefined, ended: () => undefined };
    const { conversations } = this;
    const attention = { ...parts, conversations, pages: this.#pages, badge };
    this.#store.add(new RunNotifier(attention as unknown as RunNotifierOptions));
  }

  /** Opens a new conversation in a tab that is in sight. */
  start(): Conversation {
    return this.#pages.start(this.#account, 'intern_ada').open.conversation;
  }

  /** The pages give a sign of life: those that are silent for three seconds count as hung. */
  pagesLive(): void {
    this.#fromPages.fire({ type: 'typed', body: {} });
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

  /** Counts every change of what the editor shows. */
  #watched<T extends object>(shown: T): T {
    return new Proxy(shown, {
      set: (target, name, value) => {
        this.#count();
        return Reflect.set(target, name, value);
      },
    });
  }

  /** A tab whose page has come up. */
  #tab(): vscode.WebviewPanel {
    const tab = fakeTab({
      onDidReceiveMessage: (listener: (data: unknown) => void) => {
        queueMicrotask(() => listener({ type: 'ready', body: { lastSeq: null } }));
        return this.#fromPages.event(listener);
      },
      postMessage: (message: AnyMessage<HostMessages>) => {
        this.onPageMessage.fire(message);
        return Promise.resolve(true);
      },
    });
    return this.#watched(Object.assign(tab, { active: false }));
  }
}
