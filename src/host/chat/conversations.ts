import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ApiError, type Answer } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { Conversation, type ConversationPorts } from '../../chat/conversation.ts';
import { isReading, type OpenQuestion } from '../../chat/conversation/state.ts';
import { formatEntry, parseEntry, type Entry } from '../../chat/journal.ts';
import type { AnswerOutcome, PendingQuestion, QuestionDesk } from '../../chat/questions/types.ts';
import { Transcript } from '../../chat/transcript.ts';
import type { Account, Accounts, AccountStore } from '../auth/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings.ts';
import { JournalFile, type Journal } from '../storage/journalFile.ts';
import type { JsonFolder } from '../storage/jsonFolder.ts';
import { toFileName } from '../storage/layout.ts';
import type { WatchFolder } from '../storage/watch.ts';
import { readEntries, recordPath } from './conversationRecord.ts';
import { conversationHeads, HeadWriter, type ConversationHead } from './heads.ts';
import { RunLease } from './runLease.ts';

/** What conversations are built from. */
export interface ConversationsOptions {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly settings: Pick<Settings, 'approvalMode'>;
  readonly clock: Clock;
  readonly watch: WatchFolder;
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

interface Live {
  readonly account: Account;
  readonly conversation: Conversation;
  readonly journal: Journal<Entry>;
  readonly lease: RunLease;
  readonly disposables: DisposableStore;
  readonly head: HeadWriter;
  diskFailed: boolean;
  isDeleted: boolean;
  /** The next look whether the window that reads the run still lives. */
  nextLook: Disposable | undefined;
}

/** How often a window looks whether another one that reads a run still lives, in ms. */
const followMs = 5_000;

/**
 * The conversations of all accounts: their heads for lists, and those that are open, alive. One that was opened stays
 * alive while the window does, so a run goes on though its tab is closed.
 */
export class Conversations implements Disposable {
  readonly #options: ConversationsOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<string | undefined>());
  readonly #runEnded = this.#store.add(new Emitter<RunEnd>());
  readonly #opened = this.#store.add(new Emitter<OpenConversation>());
  readonly #heads = new WeakMap<AccountStore, JsonFolder<ConversationHead>>();
  readonly #live = new Map<string, Promise<Live>>();
  readonly #ready = new Map<string, Live>();
  #desk: QuestionDesk | undefined;

  /** The intern whose conversations changed; undefined where it may be any. */
  readonly onDidChange = this.#changed.event;
  readonly onDidEndRun = this.#runEnded.event;
  readonly onDidOpen = this.#opened.event;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#store.add({
      dispose: () => this.#ready.forEach(({ disposables }) => disposables.dispose()),
    });
  }

  /** Joins the desk where questions go; the desk in turn answers through {@link answer}. */
  useDesk(desk: QuestionDesk): void {
    this.#desk = desk;
  }

  /** The heads of an account's conversations; the folder is read when it is first listed. */
  heads(account: Account): JsonFolder<ConversationHead> {
    let heads = this.#heads.get(account.store);
    if (heads === undefined) {
      const { watch, log } = this.#options;
      heads = this.#store.add(conversationHeads(account, watch, log));
      this.#store.add(heads.onDidChange(() => this.#changed.fire(undefined)));
      this.#heads.set(account.store, heads);
    }
    return heads;
  }

  /** Conversations with an intern, newest first. */
  async list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    const heads = await this.heads(account).list();
    return heads
      .filter((head) => intern === undefined || head.intern === intern)
      .sort((a, b) => b.at - a.at);
  }

  /** Every conversation that is alive in this window. */
  get open(): readonly OpenConversation[] {
    return [...this.#ready.values()];
  }

  /** Starts a conversation. Nothing is on disk before its first prompt. */
  create(account: Account, intern: string, id: string = randomUUID()): OpenConversation {
    const entry: Entry = {
      type: 'opened',
      id: randomUUID(),
      at: this.#options.clock.now(),
      intern,
      mode: this.#options.settings.approvalMode,
    };
    const journal = this.#journal(account, id);
    const live = this.#bring(account, id, [entry], journal, [entry]);
    live.conversation.restore(false);
    this.#live.set(id, Promise.resolve(live));
    this.#opened.fire(live);
    return live;
  }

  /** Opens a conversation from its record. @returns undefined where there is none. */
  async get(account: Account, id: string): Promise<OpenConversation | undefined> {
    const loading = this.#live.get(id) ?? this.#load(account, id);
    this.#live.set(id, loading);
    try {
      const live = await loading;
      if (live.conversation.transcript.intern !== '') return live;
    } catch (failure) {
      this.#live.delete(id);
      throw failure;
    }
    this.#forget(id);
    return undefined;
  }

  async #load(account: Account, id: string): Promise<Live> {
    const journal = this.#journal(account, id);
    const live = this.#bring(account, id, await journal.read(), journal);
    if (live.conversation.transcript.intern !== '') await this.#takeUp(live);
    this.#opened.fire(live);
    return live;
  }

  /** A conversation's transcript as it is on record, without opening the conversation. */
  async read(account: Account, id: string): Promise<Transcript> {
    const live = this.#ready.get(id);
    if (live !== undefined) return live.conversation.transcript;
    return Transcript.fold(await readEntries(recordPath(account, id)));
  }

  /** Sends an answer to a question of any conversation, which is opened for it. */
  async answer(question: PendingQuestion, answer: Answer): Promise<AnswerOutcome> {
    const account = this.#options.accounts.get(question.account);
    if (account === undefined) return { kind: 'kept', error: failure('signed-out') };
    const conversation = await this.#latest(account, question.conversation);
    if (conversation === undefined) return { kind: 'gone', error: failure('interaction-unknown') };
    return conversation.answer(question.id, answer);
  }

  /** Records that nobody answered a question of any conversation, which is opened for it. */
  async expire(question: PendingQuestion): Promise<void> {
    const account = this.#options.accounts.get(question.account);
    const conversation = account && (await this.#latest(account, question.conversation));
    conversation?.send({ type: 'expire', question: question.id });
  }

  /** Opens a conversation, and looks again at one that another window seemed to read: that window may be gone. */
  async #latest(account: Account, id: string): Promise<Conversation | undefined> {
    await this.get(account, id);
    const live = this.#ready.get(id);
    if (live?.conversation.state.phase.kind === 'elsewhere') await this.#takeUp(live);
    return live?.conversation;
  }

  /** Stops a conversation's run and deletes its record here. The service's session still remembers. */
  async delete(account: Account, id: string): Promise<void> {
    const open = await this.get(account, id);
    await open?.conversation.leave();
    const live = this.#ready.get(id);
    this.#forget(id);
    await (live?.journal ?? this.#journal(account, id)).remove();
    await (live?.head ?? this.heads(account)).remove(id);
  }

  /** Writes everything that waits: records and heads. */
  async flush(): Promise<void> {
    const live = [...this.#ready.values()];
    await Promise.all(
      live.map(({ journal, head }) => Promise.all([journal.flush(), head.flush()])),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  #forget(id: string): void {
    this.#ready.get(id)?.disposables.dispose();
    this.#ready.delete(id);
    this.#live.delete(id);
  }

  #journal(account: Account, id: string): Journal<Entry> {
    const { clock, watch } = this.#options;
    return new JournalFile<Entry>({
      path: recordPath(account, id),
      clock,
      watch,
      codec: { parse: parseEntry, format: formatEntry },
    });
  }

  #bring(
    account: Account,
    id: string,
    entries: readonly Entry[],
    journal: Journal<Entry>,
    unwritten: Entry[] = [],
  ): Live {
    const { conversationsDir } = account.store;
    const lease = new RunLease(join(conversationsDir, `${toFileName(id)}.run`), this.#options);
    const disposables = new DisposableStore();
    const append = (entry: Entry): void => {
      const isFirst = unwritten.length > 0;
      for (const first of unwritten.splice(0)) journal.append(first);
      journal.append(entry);
      // Only from a read on does a journal follow what other windows append.
      if (isFirst) void journal.flush().then(() => journal.read());
    };
    const conversation = new Conversation(
      id,
      Transcript.fold(entries),
      this.#ports(account, id, { append, recorded: () => journal.flush() }),
    );
    const live: Live = {
      account,
      conversation,
      journal,
      lease,
      disposables,
      head: this.#headWriter(account),
      diskFailed: false,
      isDeleted: false,
      nextLook: undefined,
    };
    this.#ready.set(id, live);
    this.#follow(live);
    return live;
  }

  #ports(
    account: Account,
    id: string,
    record: Pick<ConversationPorts, 'append' | 'recorded'>,
  ): ConversationPorts {
    const { accounts, interns, clock, log } = this.#options;
    const desk = (): QuestionDesk => {
      if (this.#desk === undefined) throw new Error('Conversations have no desk yet');
      return this.#desk;
    };
    return {
      clock,
      newId: randomUUID,
      random: Math.random,
      client: () => accounts.client(accounts.get(account.id) ?? account),
      ...record,
      desk: {
        arrive: (question) => desk().arrive(question),
        end: (question, how) => desk().end(question, how),
        answer: (question, answer) => desk().answer(question, answer),
        get: (question) => desk().get(question),
      },
      describe: (question, deadline) => this.#describe(account, id, question, deadline),
      learned: (running) => {
        const intern = this.#ready.get(id)?.conversation.transcript.intern ?? '';
        void interns.saw(intern, running ? 'running' : null, 'chat', account);
      },
      runEnded: ({ ok, tookMs }) => {
        const live = this.#ready.get(id);
        if (live !== undefined)
          this.#runEnded.fire({ account, conversation: live.conversation, ok, tookMs });
      },
      silent: (quietMs) =>
        log.warn(`Conversation ${id}: nothing for ${quietMs} ms; the stream goes on`),
    };
  }

  #describe(account: Account, id: string, open: OpenQuestion, deadline: number): PendingQuestion {
    const intern = this.#ready.get(id)?.conversation.transcript.intern ?? '';
    const internName = this.#options.interns.name(intern, account);
    const { call, question, askedAt: arrivedAt } = open;
    const asker = { conversation: id, intern, internName, account: account.id };
    return { id: open.id, ...asker, call, question, arrivedAt, deadline };
  }

  /** Keeps head, lease and other windows in step with a conversation. */
  #follow(live: Live): void {
    const { conversation, journal, lease, disposables } = live;
    disposables.add(
      conversation.onDidChange(() => {
        this.#holdLease(live);
        live.head.keep(conversation);
      }),
    );
    disposables.add(
      journal.onDidAppendElsewhere((entries) => {
        conversation.follow(entries);
        this.#lookAgain(live);
      }),
    );
    disposables.add(
      journal.onDidChangeFailure((failure) => {
        live.diskFailed = failure !== undefined;
        if (failure !== undefined)
          this.#options.log.error(`Conversation ${conversation.id}`, failure);
        this.#changed.fire(conversation.transcript.intern);
      }),
    );
    disposables.add(journal.onDidRemoveElsewhere(() => this.#deletedElsewhere(live)));
    disposables.add({ dispose: () => live.nextLook?.dispose() });
    disposables.add({ dispose: () => void journal.close().then(() => lease.set(false)) });
    disposables.add(conversation);
  }

  /** Another window deleted the conversation, which stops a run here as well; what the tab shows stays until it is closed. */
  #deletedElsewhere(live: Live): void {
    const { conversation, head } = live;
    live.isDeleted = true;
    conversation.send({ type: 'stop' });
    head.remove(conversation.id).catch((failure: unknown) => {
      this.#options.log.warn(`Conversation ${conversation.id}: its head is left`, failure);
    });
    this.#changed.fire(conversation.transcript.intern);
  }

  /** Has the lease while a run is ours, and until other windows can read how it ended. */
  #holdLease({ conversation, journal, lease }: Live): void {
    if (isReading(conversation.state)) lease.set(true);
    else if (lease.isWanted)
      void journal.flush().then(() => {
        if (!isReading(conversation.state)) lease.set(false);
      });
  }

  /** Finds out where a record's run stands: over, waiting, or read by another window. */
  async #takeUp(live: Live): Promise<void> {
    const { conversation, journal, lease } = live;
    const isHeld = await lease.isHeldElsewhere();
    // Whoever gave the lease back has written how the run ended; the watcher may not have told yet.
    if (!isHeld) await journal.catchUp();
    conversation.restore(isHeld);
    live.nextLook?.dispose();
    if (conversation.state.phase.kind !== 'elsewhere') return;
    live.nextLook = this.#options.clock.setTimeout(() => this.#lookAgain(live), followMs);
  }

  #lookAgain(live: Live): void {
    this.#takeUp(live).catch((failure: unknown) => {
      this.#options.log.warn(`Conversation ${live.conversation.id}: cannot follow`, failure);
    });
  }

  #headWriter(account: Account): HeadWriter {
    return new HeadWriter(this.heads(account), ({ id, intern }, failure) => {
      if (failure !== undefined)
        this.#options.log.warn(`Conversation ${id}: its head could not be written`, failure);
      this.#changed.fire(intern);
    });
  }
}

/** Why an answer cannot even be sent. */
function failure(kind: 'signed-out' | 'interaction-unknown'): ApiError {
  return new ApiError({ kind, route: 'chat', message: 'The answer was not sent' });
}
