import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Answer, ApiError, type ApprovalMode } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Conversation } from '../../conversation/conversation.ts';
import type { ConversationPorts } from '../../conversation/ports.ts';
import type { JournalEntry } from '../../conversation/journal.ts';
import { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import { questionContextOf } from '../../conversation/questions/questionContext.ts';
import { maybeReceived } from '../../conversation/messages.ts';
import type {
  AnswerOutcome,
  PendingQuestion,
  RecordedQuestion,
} from '../../conversation/questions/types.ts';
import { Transcript } from '../../conversation/transcript.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Journal } from '../../platform/storage/journalFile.ts';
import type { CostSums } from '../../platform/words/costs.ts';
import { RECORD_VERSION } from '../../platform/storage/jsonFolder.ts';
import { OwnerFile } from '../../platform/storage/ownerFile.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import {
  openRecord,
  readableEntries,
  readEntries,
  type ReadEntries,
  recordPath,
} from './conversationRecord.ts';
import { type ConversationHead, ConversationHeads, type HeadWriter } from './heads.ts';
import { QuestionHeadFiles } from './questionHeads.ts';

/** What conversations are built from. */
export interface ConversationsOptions {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly settings: Pick<Settings, 'approvalMode'>;
  readonly clock: Clock;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Log;
  /** Tells windows apart: an id that no other extension host has. */
  readonly window: string;
}

/** A conversation that is open in this window. */
export interface OpenConversation {
  readonly account: Account;
  readonly conversation: Conversation;
  /** Whether the record cannot be written at the moment. */
  readonly diskFailed: boolean;
  /** Whether another window deleted it: what is shown of it is all that is left, and nothing can be added. */
  readonly isDeleted: boolean;
}

/** A run came to its end in this window. */
export interface RunEnd {
  readonly account: Account;
  readonly conversation: Conversation;
  readonly ok: boolean;
  /** Milliseconds from the prompt, or from the last answer. */
  readonly tookMs: number;
}

interface Live extends OpenConversation {
  readonly journal: Journal<JournalEntry>;
  readonly owner: OwnerFile;
  readonly disposables: DisposableStore;
  readonly head: HeadWriter;
  diskFailed: boolean;
  isDeleted: boolean;
}

/**
 * The conversations of all accounts: their heads for lists, and those that are open, alive. One that was opened stays
 * alive while the window does, so a run goes on though its tab is closed.
 */
export class Conversations extends DisposableBase {
  readonly #options: ConversationsOptions;
  readonly #changed = this.own(new Emitter<string | undefined>());
  readonly #runEnded = this.own(new Emitter<RunEnd>());
  readonly #opened = this.own(new Emitter<OpenConversation>());
  readonly #deleted = this.own(new Emitter<OpenConversation>());
  readonly #heads: ConversationHeads;
  /** The questions in the heads of all conversations. */
  readonly questions: QuestionHeadFiles;
  /** The questions of all conversations that wait for an answer. */
  readonly pending: PendingQuestions;
  readonly #live = new Map<string, Live>();
  /** Those whose records are being read. */
  readonly #loading = new Map<string, Promise<Live | undefined>>();

  /** The intern whose conversations changed; undefined where it may be any. */
  readonly onDidChange = this.#changed.event;
  readonly onDidEndRun = this.#runEnded.event;
  readonly onDidOpen = this.#opened.event;
  /** Another window deleted a conversation that is open here. */
  readonly onDidDeleteElsewhere = this.#deleted.event;

  constructor(options: ConversationsOptions) {
    super();
    this.#options = options;
    this.#heads = this.own(new ConversationHeads(options));
    const heads = this.own(new QuestionHeadFiles({ ...options, heads: this.#heads }));
    this.questions = heads;
    this.pending = this.own(new PendingQuestions({ ...options, answerer: this, heads }));
    this.own(this.#heads.onDidChange((intern) => this.#changed.fire(intern)));
    this.own({
      dispose: () => this.#live.forEach(({ disposables }) => disposables.dispose()),
    });
  }

  /** Conversations with an intern, newest first. */
  list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    return this.#heads.list(account, intern);
  }

  /** Every conversation that is alive in this window. */
  get live(): readonly OpenConversation[] {
    return [...this.#live.values()];
  }

  /** Starts a conversation, in the settings' mode or in another. Nothing is on disk before its first prompt. */
  create(
    account: Account,
    intern: string,
    id: string = randomUUID(),
    mode: ApprovalMode = this.#options.settings.approvalMode,
  ): OpenConversation {
    const entry: JournalEntry = {
      type: 'opened',
      id: randomUUID(),
      at: this.#options.clock.now(),
      intern,
      mode,
      version: RECORD_VERSION,
    };
    const journal = this.#journal(account, id);
    const live = this.#createLive(account, id, [entry], journal, [entry]);
    live.conversation.restore(false);
    this.#opened.fire(live);
    return live;
  }

  /**
   * Opens a conversation from its record, and takes up its run where that stands. To look at what was said, {@link read}.
   *
   * @returns undefined where there is none.
   * @throws UnreadableFileError where there is one that cannot be read.
   */
  async open(account: Account, id: string): Promise<OpenConversation | undefined> {
    const known = this.#loading.get(id) ?? this.#live.get(id);
    if (known !== undefined) return known;
    const loading = this.#load(account, id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  #readable(account: Account, id: string, read: ReadEntries): ReturnType<ReadEntries> {
    return readableEntries(recordPath(account, id), read, this.#options.reportUnreadable);
  }

  async #load(account: Account, id: string): Promise<Live | undefined> {
    const journal = this.#journal(account, id);
    const entries = await this.#readable(account, id, () => journal.read());
    if (entries === undefined) {
      await journal.close();
      return undefined;
    }
    const live = this.#createLive(account, id, entries, journal);
    await live.conversation.resume();
    this.#opened.fire(live);
    return live;
  }

  /** A conversation's transcript as it is on record, without opening the conversation; empty where it cannot be read. */
  async read(account: Account, id: string): Promise<Transcript> {
    const live = this.#live.get(id);
    if (live !== undefined) return live.conversation.transcript;
    const read = () => readEntries(recordPath(account, id));
    const entries = await this.#readable(account, id, read).catch(() => undefined);
    return Transcript.fold(entries ?? []);
  }

  /** Whether a living window goes on with a conversation: where none does, a run that has no end on record was cut off. */
  async isUnderWay(account: Account, id: string): Promise<boolean> {
    if (this.#live.has(id)) return true;
    return new OwnerFile(account.store.conversationsDir, id, this.#options).isElsewhere();
  }

  /** What the conversations of an account, or those with one intern, have cost in this editor. */
  costs(account: Account, intern?: string): Promise<CostSums> {
    return this.#heads.costs(account, intern, ({ id }) => this.read(account, id));
  }

  /** Sends an answer to a question of any conversation, which is opened for it; as {@link Conversation.answer}. */
  async answer(
    question: PendingQuestion,
    answer: Answer,
    reason?: string,
  ): Promise<AnswerOutcome | undefined> {
    const account = this.#options.accounts.get(question.account);
    if (account === undefined) return { kind: 'refused', error: failure('signed-out') };
    const open = await this.open(account, question.conversation);
    if (open === undefined) return { kind: 'gone', error: failure('interaction-unknown') };
    return open.conversation.answer(question.id, answer, reason);
  }

  /** Reads what its record says of a question, which expires if its account cannot speak to the service. */
  async recorded({ id, account: of, conversation }: PendingQuestion): Promise<RecordedQuestion> {
    const account = this.#options.accounts.get(of);
    if (account === undefined)
      return { isOver: false, maybeReceived: null, whenUnanswered: 'expire' };
    const transcript = await this.read(account, conversation);
    const part = transcript.question(id);
    return {
      isOver: part?.stage === 'over',
      maybeReceived: maybeReceived(part, false),
      whenUnanswered: account.state === 'ready' ? transcript.whenUnanswered : 'expire',
    };
  }

  /** Applies the policy of any conversation for unanswered questions; as {@link Conversation.answerAutomatically}. */
  async answerAutomatically(question: PendingQuestion): Promise<AnswerOutcome | undefined> {
    const account = this.#options.accounts.get(question.account);
    const open = account && (await this.open(account, question.conversation));
    return open?.conversation.answerAutomatically(question.id);
  }

  /** Stops a conversation's run and deletes its record here. The service's session still remembers. */
  async delete(account: Account, id: string): Promise<void> {
    const open = await this.open(account, id);
    await open?.conversation.leave();
    const live = this.#live.get(id);
    this.#forget(id);
    await (live?.journal ?? this.#journal(account, id)).remove();
    await (live?.head ?? this.#heads.of(account)).remove(id);
    await this.questions.forget(account, id);
  }

  /** Writes everything that waits: records and heads. */
  async flush(): Promise<void> {
    const live = [...this.#live.values()];
    await Promise.all(
      live.map(({ journal, head }) => Promise.all([journal.flush(), head.flush()])),
    );
  }

  #forget(id: string): void {
    this.#live.get(id)?.disposables.dispose();
    this.#live.delete(id);
  }

  #journal(account: Account, id: string): Journal<JournalEntry> {
    const { clock, watch } = this.#options;
    // Another window that reads of a run before it can see its owner would take the run for cut off.
    const ready = () => this.#live.get(id)?.owner.settled() ?? Promise.resolve();
    return openRecord(recordPath(account, id), { clock, watch, ready });
  }

  #createLive(
    account: Account,
    id: string,
    entries: readonly JournalEntry[],
    journal: Journal<JournalEntry>,
    unwritten: JournalEntry[] = [],
  ): Live {
    const owner = new OwnerFile(account.store.conversationsDir, id, this.#options);
    const head = this.#heads.writer(account, owner);
    const disposables = new DisposableStore();
    const append = (entry: JournalEntry): void => {
      const isFirst = unwritten.length > 0;
      for (const first of unwritten.splice(0)) journal.append(first);
      journal.append(entry);
      // Its head, which lists show, is written at once too.
      if (isFirst) void journal.flush();
    };
    const conversation: Conversation = new Conversation(
      id,
      Transcript.fold(entries),
      this.#ports(account, () => conversation, {
        append,
        owner,
        recorded: async () => {
          await journal.flush();
          await head.flush();
        },
        catchUp: () =>
          journal.catchUp().catch((failure: unknown) => {
            this.#options.log.warn('A conversation cannot be followed', failure, id);
          }),
      }),
    );
    const live: Live = {
      account,
      conversation,
      journal,
      owner,
      disposables,
      head,
      diskFailed: false,
      isDeleted: false,
    };
    this.#live.set(id, live);
    this.#subscribe(live);
    return live;
  }

  #ports(
    account: Account,
    conversation: () => Conversation,
    record: Pick<ConversationPorts, 'append' | 'recorded' | 'catchUp' | 'owner'>,
  ): ConversationPorts {
    const { accounts, interns, clock, log } = this.#options;
    return {
      clock,
      newId: randomUUID,
      random: Math.random,
      selfDriveAllowed: () => vscode.workspace.isTrusted,
      client: () => accounts.client(accounts.get(account.id) ?? account),
      ...record,
      pendingQuestions: this.pending,
      describe: (open) => {
        const { id, transcript } = conversation();
        const asked = { ...open, context: questionContextOf(transcript, open) };
        return this.questions.describe(account, { id, intern: transcript.intern }, asked);
      },
      observedStatus: (running) => {
        const { intern } = conversation().transcript;
        interns
          .recordStatus(intern, running ? 'running' : null, account)
          .catch((failure: unknown) =>
            log.warn('What was seen of an intern is not kept', failure, intern),
          );
      },
      runEnded: ({ ok, tookMs }) =>
        this.#runEnded.fire({ account, conversation: conversation(), ok, tookMs }),
      silent: (quietMs) =>
        log.warn(
          `Nothing came for ${quietMs} ms; the stream goes on`,
          undefined,
          conversation().id,
        ),
    };
  }

  /** Keeps head and other windows in step with a conversation. */
  #subscribe(live: Live): void {
    const { conversation, journal, owner, disposables } = live;
    disposables.add(
      conversation.onDidChange(({ state }) => {
        if (state) live.head.update(conversation);
      }),
    );
    disposables.add(journal.onDidAppendElsewhere((entries) => conversation.follow(entries)));
    disposables.add(
      journal.onDidChangeFailure((failure) => {
        live.diskFailed = failure !== undefined;
        if (failure !== undefined)
          this.#options.log.error('A conversation could not be written', failure, conversation.id);
        this.#changed.fire(conversation.transcript.intern);
      }),
    );
    disposables.add(journal.onDidRemoveElsewhere(() => this.#deletedElsewhere(live)));
    disposables.add({ dispose: () => void journal.close().then(() => owner.release()) });
    disposables.add(conversation);
    disposables.add(live.head);
  }

  /** Another window deleted the conversation, which stops a run here as well; what the tab shows stays until it is closed. */
  #deletedElsewhere(live: Live): void {
    const { conversation, head } = live;
    live.isDeleted = true;
    conversation.send({ type: 'stop' });
    this.#deleted.fire(live);
    head.remove(conversation.id).catch((failure: unknown) => {
      this.#options.log.warn('The head of a conversation is left', failure, conversation.id);
    });
    this.#changed.fire(conversation.transcript.intern);
  }
}

/** Why an answer cannot even be sent. */
function failure(kind: 'signed-out' | 'interaction-unknown'): ApiError {
  return new ApiError({ kind, route: 'chat', message: 'The answer was not sent' });
}
