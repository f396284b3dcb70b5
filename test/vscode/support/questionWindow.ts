import { join } from 'node:path';
import { createServiceClient, parseServiceUrl } from '../../../src/api/index.ts';
import { DisposableStore, Emitter } from '../../../src/base/disposable.ts';
import { ChatPresence } from '../../../src/conversation/questions/autoOpen.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { TrackedQuestion } from '../../../src/conversation/questions/pendingQuestions.ts';
import type { Account, Accounts } from '../../../src/features/accounts/account.ts';
import { allowedRecordSchema } from '../../../src/features/accounts/records.ts';
import type { ChatPages } from '../../../src/features/chatPanel/chatPages.ts';
import { chatCommands } from '../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../src/features/chatPanel/commands/conversationCommands.ts';
import { Conversations } from '../../../src/features/conversations/conversations.ts';
import type { CommandId } from '../../../src/platform/commands/ids.ts';
import { CommandRegistrar } from '../../../src/platform/commands/registrar.ts';
import { ContextKeys } from '../../../src/platform/contextKeys.ts';
import { DraftFiles } from '../../../src/platform/dialogs/draftFiles.ts';
import { TextEditing } from '../../../src/platform/dialogs/editText.ts';
import { INPUT_GUARD_MS } from '../../../src/platform/dialogs/presentBox.ts';
import { QuickInputs } from '../../../src/platform/dialogs/quickInputs.ts';
import type { InternModel } from '../../../src/features/interns/internModel.ts';
import { startQuestions } from '../../../src/features/questions/questions.ts';
import { JsonFolder } from '../../../src/platform/storage/jsonFolder.ts';
import { createFolderWatcher } from '../../../src/platform/storage/watch.ts';
import { startService, type Service, type ServiceOptions } from '../../service/service.ts';
import { standsAt } from '../../unit/conversation/questions/fakes.ts';
import { useTemporaryFolder } from '../../unit/support/folders.ts';
import { RecordingLog } from '../../unit/support/recordingLog.ts';
import { FakeClock } from '../../unit/support/fakeClock.ts';
import { eventually } from '../../harness/until.ts';
import { Screen } from './screen.ts';
import { pathsIn } from '../../unit/support/pathsIn.ts';

export interface QuestionStage {
  readonly folder: string;
  readonly service: Service;
  readonly screen: Screen;
  readonly clock: FakeClock;
  readonly window: QuestionWindow;
  /** Opens another window. */
  readonly open: (id: string) => QuestionWindow;
}

/** Starts a service, a screen and a first window before each test, and closes them after it. */
export function useQuestionStage(
  options: ServiceOptions,
  take: (stage: QuestionStage) => void,
): void {
  const folder = useTemporaryFolder();
  let stage: QuestionStage;
  let windows: QuestionWindow[];

  beforeEach(async () => {
    const service = await startService(options);
    const screen = new Screen();
    const clock = new FakeClock(Date.now());
    windows = [];
    const open = (id: string) => {
      const window = new QuestionWindow(id, { screen, service, folder: folder.path, clock });
      windows.push(window);
      return window;
    };
    stage = { folder: folder.path, service, screen, clock, window: open('w1'), open };
    take(stage);
  });

  afterEach(async () => {
    await stage.screen.dispose();
    for (const window of windows) await window.close();
    stage.service.faults.clear();
    await stage.service.close();
  });
}

/**
 * The conversations and questions of one window, composed as in main.ts, with the local service, a folder on disk and a
 * fake clock. Dialogs, messages and status items are VS Code's own.
 */
export class QuestionWindow {
  readonly clock: FakeClock;
  readonly conversations: Conversations;
  readonly account: Account;
  readonly log = new RecordingLog();
  /** The account's key; empty if it is lost. */
  key = 'test-key-owner';
  readonly #screen: Screen;
  readonly #registrar = new CommandRegistrar(this.log, {
    active: undefined,
    whenLoaded: Promise.resolve(),
  });
  readonly #store = new DisposableStore();
  readonly #chatPresence: ChatPresence;

  /**
   * @param window a unique ID.
   * @param stage its `folder` is shared by all windows.
   */
  constructor(
    window: string,
    { screen, service, folder, clock }: Omit<QuestionStage, 'window' | 'open'>,
  ) {
    this.clock = clock;
    this.#screen = screen;
    const root = parseServiceUrl(service.url);
    if (!root.ok) throw new Error('The service has no root');
    const client = (key: string) =>
      createServiceClient({ root: root.value, key: () => key, fetch });
    const watch = createFolderWatcher(this.log, new Emitter<void>().event);
    const reportUnreadable = () => undefined;
    const allowed = this.#store.add(
      new JsonFolder({
        ...{
          folder: join(folder, 'allowed'),
          schema: allowedRecordSchema,
          watch,
          reportUnreadable,
        },
        idOf: ({ id }) => id,
      }),
    );
    const store = { paths: pathsIn(folder), allowed };
    const account = { id: 'account-1', state: 'ready', store } as unknown as Account;
    this.account = account;
    const accounts = {
      all: [account],
      active: account,
      get: () => account,
      client: () => client(this.key),
      onDidChange: new Emitter<void>().event,
    } as unknown as Accounts;
    const shared = { accounts, clock, log: this.log, watch, reportUnreadable, window };
    const interns = {
      list: () => Promise.resolve([]),
      name: () => 'ada',
      recordStatus: () => Promise.resolve(),
    } as unknown as InternModel;
    const settings = { approvalMode: 'manual', costLimit: 0, dailyCostLimit: 0 } as const;
    const dialogs = new QuickInputs(clock);
    this.#chatPresence = new ChatPresence(clock);
    const texts = this.#store.add(new DraftFiles(folder, window, `interns-draft-${window}`));
    this.conversations = this.#store.add(new Conversations({ ...shared, interns, settings }));
    this.#store.add(
      startQuestions({
        ...shared,
        answerer: this.conversations.answerer,
        pendingQuestions: this.conversations.pendingQuestions,
        chatPresence: this.#chatPresence,
        drafts: { get: () => ({ text: '' }), onDidChange: new Emitter<void>().event },
        chats: {
          show: () => undefined,
          compose: () => undefined,
          returnFocus: () => undefined,
          isEndSeen: () => false,
        },
        dialogs,
        settings: { systemNotifications: 'off' },
        attention: { isAway: () => Promise.resolve(false), reserve: () => Promise.resolve(false) },
        systemNotifications: { isPossible: false, show: () => ({ dispose: () => undefined }) },
        registrar: this.#registrar,
        contextKeys: new ContextKeys(),
        texts: this.#store.add(new TextEditing(this.#registrar, texts)),
      }),
    );
    const used: Partial<ChatCommandPorts> = {
      ...{ accounts, interns, dialogs, conversations: this.conversations },
      pages: { lastUsedPage: undefined } as unknown as ChatPages,
      pendingQuestions: this.conversations.pendingQuestions,
    };
    this.#registrar.register(chatCommands, used as ChatCommandPorts);
  }

  /** Sends a prompt in a new conversation, and waits until its question is open and on disk. */
  async ask(prompt: string): Promise<Conversation> {
    const { conversation } = this.conversations.create(this.account, 'intern_ada');
    conversation.send({ type: 'submit', prompt: { text: prompt, sent: prompt, attachments: [] } });
    await eventually(() => this.of(conversation) !== undefined);
    await this.conversations.flush();
    return conversation;
  }

  /** Returns the open question of a conversation. */
  of({ id }: Conversation): TrackedQuestion | undefined {
    return this.conversations.pendingQuestions
      .listOpen()
      .find(({ question }) => question.conversation === id);
  }

  /** Describes the state of a conversation's open question. */
  stands(conversation: Conversation): string | undefined {
    return standsAt(this.of(conversation));
  }

  /** Runs a command of questions, as a key or the palette does. */
  async run(command: CommandId, ...given: readonly unknown[]): Promise<void> {
    await this.#registrar.run(command, given);
  }

  /** Waits for a dialog, lets its guard time pass, and chooses a row. */
  async choose(words: RegExp, label: string): Promise<void> {
    await this.#screen.waitFor(words);
    this.clock.advance(INPUT_GUARD_MS);
    await this.#screen.choose(label);
  }

  /** Opens the dialog of the next question, and waits for its words. */
  async openDialog(words: RegExp): Promise<void> {
    await this.run('interns.answer');
    await this.#screen.waitFor(words);
  }

  /** Opens the dialog of the next question and chooses a row. */
  async answer(words: RegExp, label: string): Promise<void> {
    await this.run('interns.answer');
    await this.choose(words, label);
  }

  /** Makes the user look at a conversation's page without typing. */
  watch({ id }: Conversation): void {
    this.#chatPresence.update(id, { focused: true, composing: false, typed: false });
  }

  /** Returns the text of a conversation's reply, without its questions. */
  textOf({ transcript }: Conversation): string {
    const parts = transcript.lastReply?.parts ?? [];
    return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  }

  /** Closes the window: writes to disk and drops everything in memory. */
  async close(): Promise<void> {
    await this.conversations.flush();
    this.#store.dispose();
  }
}
