import { join } from 'node:path';
import type * as vscode from 'vscode';
import { createServiceClient, parseApiRoot, type FetchLike } from '../../../src/api/index.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { Conversation } from '../../../src/chat/conversation.ts';
import type { TrackedQuestion } from '../../../src/chat/questions/types.ts';
import type { Account, Accounts } from '../../../src/host/auth/account.ts';
import { Conversations } from '../../../src/host/chat/conversations.ts';
import { recordExpiries } from '../../../src/host/chat/questionExpiries.ts';
import type { CommandId } from '../../../src/host/commands/ids.ts';
import { CommandRegistrar } from '../../../src/host/commands/registrar.ts';
import { ContextKeys } from '../../../src/host/contextKeys.ts';
import type { InternModel } from '../../../src/host/interns/internModel.ts';
import { Questions } from '../../../src/host/questions/questions.ts';
import { createFolderWatcher } from '../../../src/host/storage/folderWatcher.ts';
import type { Service } from '../../service/service.ts';
import { RecordingLog } from '../../unit/host/support/recordingLog.ts';
import { FakeClock } from '../../unit/support/fakeClock.ts';
import { eventually } from './workspace.ts';

/** Lets a window's clock run towards what it waits for, in steps of so many ms. */
const STEP_MS = 1_000;

export interface QuestionWindowOptions {
  readonly service: Service;
  /** Absolute path of the folder that all windows share. */
  readonly folder: string;
  /** An id that no other window has. */
  readonly window: string;
  readonly clock?: FakeClock;
}

/**
 * The conversations and questions of one window, put together as createChats does, over the local service, a folder on
 * disk and a clock in the test's hands. The dialogs, messages and status items are those of the VS Code that it runs in.
 */
export class QuestionWindow {
  readonly clock: FakeClock;
  readonly questions: Questions;
  readonly conversations: Conversations;
  readonly account: Account;
  readonly log = new RecordingLog();
  /** Conversations whose tab was asked for, the latest last. */
  readonly shown: string[] = [];
  /** Prompts that were put into a composer. */
  readonly composed: string[] = [];
  /** The network is away: no request reaches the service. */
  offline = false;
  requestsLost = 0;
  badge: vscode.ViewBadge | undefined;
  readonly #registrar = new CommandRegistrar(this.log, {
    active: undefined,
    whenLoaded: Promise.resolve(),
  });
  readonly #store = new DisposableStore();

  constructor({
    service,
    folder,
    window,
    clock = new FakeClock(Date.now()),
  }: QuestionWindowOptions) {
    this.clock = clock;
    const root = parseApiRoot(service.url);
    if (!root.ok) throw new Error('The service has no root');
    const client = createServiceClient({
      root: root.value,
      key: () => 'test-key-owner',
      fetch: (url, init) => this.#fetch(url, init),
    });
    const store = {
      conversationsDir: join(folder, 'conversations'),
      questionsDir: join(folder, 'questions'),
    };
    const account = { id: 'account-1', state: 'ready', store } as Account;
    this.account = account;
    const accounts = {
      all: [account],
      active: account,
      get: () => account,
      client: () => client,
      onDidChange: new Emitter<void>().event,
    } as unknown as Accounts;
    const onDidGlance = new Emitter<void>().event;
    const watch = createFolderWatcher({ log: this.log, onDidGlance });
    const shared = { accounts, clock, log: this.log, watch, window };
    const interns = { name: () => 'ada', saw: () => Promise.resolve() } as unknown as InternModel;
    const settings = { approvalMode: 'manual' } as const;
    this.conversations = this.#store.add(new Conversations({ ...shared, interns, settings }));
    this.questions = this.#store.add(
      new Questions({
        ...shared,
        answerer: { answer: (question, answer) => this.conversations.answer(question, answer) },
        chats: {
          show: ({ conversation }) => this.shown.push(conversation),
          compose: (_, prompt) => this.composed.push(prompt),
          focusComposer: () => undefined,
        },
        dialogs: { isOpen: false, onDidChange: new Emitter<void>().event },
        commands: this.#registrar,
        contextKeys: new ContextKeys(),
        setBadge: (badge) => {
          this.badge = badge;
        },
      }),
    );
    const { broker } = this.questions;
    this.conversations.useDesk(broker);
    this.#store.add(recordExpiries(broker.onDidChange, this.conversations, this.log));
  }

  /** Starts a conversation, sends a prompt in it, and waits until its question is open. */
  async ask(prompt: string, mode: 'manual' | 'self-drive' = 'manual'): Promise<Conversation> {
    const { conversation } = this.conversations.create(this.account, 'intern_ada');
    conversation.send({ type: 'set-mode', mode });
    conversation.send({ type: 'submit', prompt: { text: prompt, sent: prompt, attachments: [] } });
    await eventually(() => this.of(conversation) !== undefined);
    return conversation;
  }

  /** The open question of a conversation. */
  of({ id }: Conversation): TrackedQuestion | undefined {
    return this.questions.broker.open().find(({ question }) => question.conversation === id);
  }

  /** Runs a command of questions, as a key or the palette does. */
  async run(command: CommandId, ...given: readonly unknown[]): Promise<void> {
    await this.#registrar.run(command, given);
  }

  /** The user looks at a conversation's page and does not type. */
  watch({ id }: Conversation): void {
    this.questions.presence(id, { focused: true, composing: false, hasDraft: false });
  }

  /** Lets time pass until something is so: what waits for a repetition gets its turn. */
  async passUntil(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      this.clock.advance(Math.min(this.clock.untilNext ?? 0, STEP_MS));
      // What came over a real socket or from a real disk gets its turn too.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** What a conversation's reply says, without its questions. */
  textOf({ transcript }: Conversation): string {
    const parts = transcript.lastReply?.parts ?? [];
    return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  }

  #fetch: FetchLike = async (url, init) => {
    if (!this.offline) return await fetch(url, init);
    this.requestsLost += 1;
    throw new TypeError('fetch failed');
  };

  /** Goes away as a window does that is closed or reloaded: what it said is on disk, what it kept in memory is gone. */
  async close(): Promise<void> {
    await this.conversations.flush();
    this.#store.dispose();
  }
}
