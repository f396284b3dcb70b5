import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ApprovalMode } from '../../api/index.ts';
import { DisposableBase, DisposableStore, Emitter } from '../../base/disposable.ts';
import { Conversation } from '../../conversation/conversation.ts';
import { isCostLimitReached } from '../../conversation/costs.ts';
import type { ConversationPorts } from '../../conversation/ports.ts';
import { parseEntry, type JournalEntry, type ListedAs } from '../../conversation/journal.ts';
import { PendingQuestions } from '../../conversation/questions/pendingQuestions.ts';
import type { Answerer } from '../../conversation/questions/types.ts';
import { createQuestionContext } from '../../conversation/questions/questionContext.ts';
import { Transcript } from '../../conversation/transcript.ts';
import type { Account } from '../accounts/account.ts';
import type { InternServices } from '../interns/internModel.ts';
import type { FileServices } from '../../platform/services.ts';
import type { Settings } from '../../platform/settings.ts';
import { Journal } from '../../platform/storage/journalFile.ts';
import { fileExists, readText, replaceText } from '../../platform/storage/files.ts';
import { RECORD_VERSION } from '../../platform/storage/jsonFolder.ts';
import { OwnerFile, ownedElsewhere, removeDeadClaims } from '../../platform/storage/ownerFile.ts';
import { ignoreUnreadable } from '../../platform/storage/unreadable.ts';
import { readableEntries, readEntries, recordPath, removeDrafts } from './conversationRecord.ts';
import { AccountCosts } from './accountCosts.ts';
import { createAnswerer } from './answerer.ts';
import { type ConversationHead, ConversationHeads, HeadWriter } from './heads.ts';
import { createResponses, removeResponses, type KeeperFetches } from './conversationResponses.ts';
import { listedState } from './listOrder.ts';
import { QuestionHeadFiles } from './questionHeads.ts';
import { ReadPositions } from './readPositions.ts';

export interface ConversationsOptions
  extends FileServices, Pick<InternServices, 'accounts' | 'interns' | 'window'> {
  readonly settings: Pick<Settings, 'approvalMode' | 'costLimit' | 'dailyCostLimit'>;
  /** The URI of this workspace; without it, new conversations have none. */
  readonly workspaceUri?: string | undefined;
  /** Makes the chat requests; without it, this window does, and its runs end with it. */
  readonly keeper?: KeeperFetches;
}

/** A conversation that is open in this window. */
export interface OpenConversation {
  readonly account: Account;
  readonly conversation: Conversation;
  /** True if the record cannot be written now. */
  readonly diskFailed: boolean;
  /** True if another window deleted it. It can be read here, but nothing can be added. */
  readonly isDeleted: boolean;
}

/** A run that ended in this window. */
export interface RunEnd extends Pick<OpenConversation, 'account' | 'conversation'> {
  readonly endedWell: boolean;
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
 * The conversations of all accounts: the heads of all, and those that are open. An open conversation stays open until the
 * window closes, so its run continues after its tab is closed.
 */
export class Conversations extends DisposableBase {
  readonly #options: ConversationsOptions;
  readonly #changed = this.own(new Emitter<void>());
  readonly #runEnded = this.own(new Emitter<RunEnd>());
  readonly #opened = this.own(new Emitter<OpenConversation>());
  readonly #stateChanged = this.own(new Emitter<void>());
  readonly #deletionChanged = this.own(new Emitter<OpenConversation>());
  readonly #heads: ConversationHeads;
  /** The questions in the heads of all conversations. */
  readonly questionHeads: QuestionHeadFiles;
  readonly pendingQuestions: PendingQuestions;
  readonly answerer: Answerer;
  readonly costs: AccountCosts;
  readonly readPositions: ReadPositions;
  readonly #live = new Map<string, Live>();
  /** Conversations whose records are being read. */
  readonly #loading = new Map<string, Promise<Live | undefined>>();

  /** Fires when the conversations of any account changed. */
  readonly onDidChange = this.#changed.event;
  readonly onDidEndRun = this.#runEnded.event;
  readonly onDidOpen = this.#opened.event;
  /** Fires when the state of any open conversation changed. */
  readonly onDidChangeState = this.#stateChanged.event;
  /** Fires when another window deleted or restored a conversation that is open here. */
  readonly onDidChangeDeletion = this.#deletionChanged.event;

  constructor(options: ConversationsOptions) {
    super();
    this.#options = options;
    const finishDeletion = async (account: Account, id: string) => {
      // Another window may be about to write the record.
      if ((await this.inUse(account, [id])).size === 0) await this.#deleteRest(account, id);
    };
    this.#heads = this.own(new ConversationHeads({ ...options, finishDeletion }));
    this.questionHeads = this.own(new QuestionHeadFiles({ ...options, heads: this.#heads }));
    this.answerer = createAnswerer(this, options.accounts);
    const questionPorts = { answerer: this.answerer, heads: this.questionHeads };
    this.pendingQuestions = this.own(new PendingQuestions({ ...options, ...questionPorts }));
    this.costs = new AccountCosts({ ...options, conversations: this, heads: this.#heads });
    this.readPositions = this.own(new ReadPositions(options));
    this.own(this.#heads.onDidChange(() => this.#changed.fire()));
    this.own({
      dispose: () => this.#live.forEach(({ disposables }) => disposables.dispose()),
    });
  }

  /** Lists the conversations of an account, or those with one intern, newest first. */
  list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    return this.#heads.list(account, intern);
  }

  /** The conversations that are open in this window. */
  get live(): readonly OpenConversation[] {
    return [...this.#live.values()];
  }

  /** Starts a conversation. Nothing is on disk before its first prompt. */
  create(
    account: Account,
    intern: string,
    id: string = randomUUID(),
    mode: ApprovalMode = vscode.workspace.isTrusted
      ? this.#options.settings.approvalMode
      : 'manual',
  ): OpenConversation {
    const { clock, settings, workspaceUri: workspace } = this.#options;
    const stamp = () => ({ id: randomUUID(), at: clock.now() });
    const version = RECORD_VERSION;
    const entries: JournalEntry[] = [
      { type: 'opened', ...stamp(), intern, mode, version, workspace },
    ];
    const usd = settings.costLimit;
    if (usd > 0) entries.push({ type: 'cost-limit', ...stamp(), usd });
    const journal = this.#createJournal(account, id);
    const live = this.#createLive(account, id, entries, journal, [...entries]);
    live.conversation.restore('none');
    this.#opened.fire(live);
    return live;
  }

  /**
   * Opens a conversation from its record, and resumes its run. To only read it, use {@link read}.
   *
   * @returns undefined if there is no record
   * @throws UnreadableFileError if the record cannot be read
   */
  async open(account: Account, id: string): Promise<OpenConversation | undefined> {
    const known = this.#loading.get(id) ?? this.#live.get(id);
    if (known !== undefined) return known;
    const loading = this.#load(account, id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #load(account: Account, id: string): Promise<Live | undefined> {
    const journal = this.#createJournal(account, id);
    const { interns, reportUnreadable } = this.#options;
    let entries: readonly JournalEntry[] | undefined;
    // The questions and notifications of the conversation show the intern's name.
    await interns.list(account).catch(() => undefined);
    try {
      entries = await readableEntries(recordPath(account, id), journal.read(), reportUnreadable);
    } finally {
      if (entries === undefined) await journal.close();
    }
    if (entries === undefined) return undefined;
    const live = this.#createLive(account, id, entries, journal);
    await live.conversation.resume();
    this.#opened.fire(live);
    return live;
  }

  /** Returns a conversation's transcript without opening it; empty if it cannot be read. */
  async read(account: Account, id: string): Promise<Transcript> {
    const live = this.#live.get(id);
    if (live !== undefined) return live.conversation.transcript;
    const path = recordPath(account, id);
    const { reportUnreadable } = this.#options;
    const reading = readableEntries(path, readEntries(path), reportUnreadable);
    return Transcript.fold((await reading.catch(() => undefined)) ?? []);
  }

  /**
   * Pins or archives a conversation, or undoes either. Does not open it, since it would stay in memory, and since its
   * record may be damaged.
   */
  async listAs(account: Account, id: string, as: ListedAs): Promise<void> {
    const loading = await this.#loading.get(id)?.catch(ignoreUnreadable);
    const open = loading ?? this.#live.get(id);
    if (open !== undefined) {
      open.conversation.record({ type: 'listed', as });
    } else if (await fileExists(recordPath(account, id))) {
      const journal = this.#createJournal(account, id);
      journal.append({ type: 'listed', id: randomUUID(), at: this.#options.clock.now(), as });
      await journal.close();
      // The window that has its run writes the head, and follows the record.
      const { conversations } = account.store.paths;
      if ((await ownedElsewhere(conversations, [id], this.#options)).size > 0) return;
      await this.#heads.of(account).update(id, (head) => head && { ...head, listed: as });
    }
  }

  /** Returns which conversations are open here or owned by another window. In all others, unfinished runs are interrupted. */
  async inUse(account: Account, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const others = ids.filter((id) => !this.#live.has(id));
    const owned = await ownedElsewhere(account.store.paths.conversations, others, this.#options);
    return new Set(ids.filter((id) => this.#live.has(id) || owned.has(id)));
  }

  /**
   * Stops a conversation's run and deletes its record. The service keeps its session. Returns a function that restores
   * the record.
   */
  async delete(account: Account, id: string): Promise<() => Promise<void>> {
    const before = await this.#heads.of(account).get(id);
    const reads = await this.readPositions.list(account);
    const isUnread = before && listedState(before, reads, this.#options.clock.now()).isUnread;
    // A damaged record can be deleted, too.
    const open = await this.open(account, id).catch(ignoreUnreadable);
    await open?.conversation.stopRun();
    const live = this.#live.get(id);
    await Promise.all([live?.journal.flush(), live?.head.flush()]);
    const path = recordPath(account, id);
    const record = await readText(path);
    const head = await this.#heads.of(account).get(id);
    live?.disposables.dispose();
    this.pendingQuestions.endQuestionsOf(id);
    this.#live.delete(id);
    await (live?.journal ?? this.#createJournal(account, id)).remove();
    await this.#deleteRest(account, id);
    const forgetCost = open && this.costs.keepDeleted(open);
    return async () => {
      if (record !== undefined) await replaceText(path, record);
      if (head === undefined) return;
      await this.#heads.of(account).put(head);
      forgetCost?.();
      await this.readPositions.mark(account, head, isUnread !== true);
    };
  }

  /**
   * Deletes what a conversation has beside its record, and its head last. After a crash, a head without a record shows that
   * this must be repeated.
   */
  async #deleteRest(account: Account, id: string): Promise<void> {
    const { log } = this.#options;
    await removeResponses(account, log, id);
    await this.questionHeads.forget(account, id);
    await this.readPositions.forget(account, id);
    // A failure must not keep the user from restoring the record. Deleting the draft again reports it.
    await removeDrafts(account, id).catch((failure: unknown) =>
      log.warn('The drafts of a conversation could not be removed', failure, id),
    );
    await removeDeadClaims(account.store.paths.conversations, id, this.#options);
    await this.#heads.of(account).remove(id);
  }

  /** Writes all unwritten records and heads. */
  async flush(): Promise<void> {
    const live = [...this.#live.values()];
    await Promise.all(live.map(({ conversation }) => conversation.whenSent));
    await Promise.all(live.flatMap(({ journal, head }) => [journal.flush(), head.flush()]));
  }

  #createJournal(account: Account, id: string): Journal<JournalEntry> {
    const path = recordPath(account, id);
    const journal = new Journal({ ...this.#options, path, parse: parseEntry });
    journal.onDidChangeFailure((failure) => {
      if (failure === undefined) return;
      this.#options.log.error('A conversation could not be written', failure, id);
    });
    return journal;
  }

  #createLive(
    account: Account,
    id: string,
    entries: readonly JournalEntry[],
    journal: Journal<JournalEntry>,
    unwritten: JournalEntry[] = [],
  ): Live {
    const { accounts, log } = this.#options;
    const transcript = Transcript.fold(entries);
    const owner = new OwnerFile(account.store.paths.conversations, id, this.#options);
    const responses = createResponses(account, id, this.#options);
    const head = new HeadWriter({ ...this.#options, heads: this.#heads.of(account), owner });
    const disposables = new DisposableStore();
    const append = (entry: JournalEntry): void => {
      for (const first of unwritten.splice(0)) journal.append(first);
      journal.append(entry);
    };
    const whenRecorded = async (): Promise<boolean> => {
      const [isWritten] = await Promise.all([journal.flush(), head.flush()]);
      return isWritten;
    };
    const onFallback = () => {
      const run = transcript.lastResponse?.run;
      if (run !== undefined) conversation.record({ type: 'in-window', run });
    };
    const conversation = new Conversation(id, transcript, {
      ...this.#ports(account, id, transcript),
      append,
      owner,
      responses,
      whenRecorded,
      catchUp: () =>
        journal.catchUp().catch((failure: unknown) => {
          log.warn('New entries could not be read', failure, id);
        }),
      client: (response, isSent) =>
        accounts.client(
          accounts.get(account.id) ?? account,
          responses.fetch(response, isSent, whenRecorded, onFallback),
        ),
      onRunEnd: (end): void => this.#runEnded.fire({ account, conversation, ...end }),
    });
    const parts = { account, conversation, journal, owner, disposables, head };
    const live: Live = { ...parts, diskFailed: false, isDeleted: false };
    this.#live.set(id, live);
    this.#subscribe(live);
    return live;
  }

  /** Returns the ports that need neither the record of a conversation nor its responses. */
  #ports(account: Account, id: string, transcript: Transcript) {
    const { interns, clock, log } = this.#options;
    return {
      clock,
      newId: randomUUID,
      random: Math.random,
      selfDriveAllowed: () => vscode.workspace.isTrusted,
      isDailyCostReached: () => isCostLimitReached(this.costs.today(account)),
      pendingQuestions: this.pendingQuestions,
      describeQuestion: (open) => {
        const asked = { ...open, context: createQuestionContext(transcript, open) };
        return this.questionHeads.describe(account, { id, intern: transcript.intern }, asked);
      },
      onStatusObserved: (running) => {
        const { intern } = transcript;
        interns
          .recordStatus(intern, running ? 'running' : null, account)
          .catch((failure: unknown) =>
            log.warn('The status of an intern could not be saved', failure, intern),
          );
      },
      onSilence: (quietMs) =>
        log.warn(`The stream stays open after ${quietMs} ms of silence`, undefined, id),
    } satisfies Partial<ConversationPorts>;
  }

  /** Updates the head after changes, and follows other windows. */
  #subscribe(live: Live): void {
    const { conversation, journal, owner, disposables } = live;
    disposables.add(
      conversation.onDidChange(({ stateChanged }) => {
        if (!stateChanged) return;
        if (!live.isDeleted) live.head.update(conversation);
        this.#stateChanged.fire();
      }),
    );
    disposables.add(journal.onDidAppendElsewhere((entries) => conversation.follow(entries)));
    disposables.add(
      journal.onDidChangeFailure((failure) => {
        live.diskFailed = failure !== undefined;
        this.#changed.fire();
      }),
    );
    disposables.add(
      journal.onDidChangeRemoval((isDeleted) => this.#handleDeletion(live, isDeleted)),
    );
    disposables.add({ dispose: () => void journal.close().then(() => owner.release()) });
    disposables.add(conversation);
    disposables.add(live.head);
  }

  /** Stops the run of a conversation that another window deleted. An open tab still shows it until it is restored. */
  #handleDeletion(live: Live, isDeleted: boolean): void {
    const { conversation, head } = live;
    live.isDeleted = isDeleted;
    this.#deletionChanged.fire(live);
    if (isDeleted) {
      conversation.send({ type: 'stop' });
      head.remove(conversation.id).catch((failure: unknown) => {
        this.#options.log.warn('A head could not be removed', failure, conversation.id);
      });
    } else head.update(conversation);
    this.#changed.fire();
  }
}
