import { shortTitle } from '../base/shortTitle.ts';
import type { ApprovalMode } from '../api/index.ts';
import type { ReplyState } from '../base/reply.ts';
import type { WhenUnanswered } from './questions/unanswered.ts';
import { addUsd, isCostLimitReached, countUnknownCosts, type Cost, type CostSum } from './costs.ts';
import type { EntryOf, JournalEntry, ListedAs, SelfDriveLimit } from './journal.ts';
import { mayBeRunning, mayHaveReceived } from './machine/failures.ts';
import {
  applyToReply,
  findMaybeReceived,
  newPrompt,
  newReply,
  recordedAnswer,
  type Message,
  type Mutable,
  type MutableReply,
  type PromptMessage,
  type QuestionPart,
  type ReplyEntry,
  type ReplyMessage,
  type TranscriptChange,
} from './messages.ts';

/** The entries that do not change `updatedAt`. */
const SETTINGS: ReadonlySet<JournalEntry['type']> = new Set([
  'renamed',
  'listed',
  'mode',
  'consented',
  'cost-limit',
  'unanswered',
]);

/** How much of a response is on record. */
export interface RecordedResponse {
  readonly id: string;
  readonly run: string;
  /** When it was requested, epoch ms. */
  readonly requestedAt: number;
  /** The number of its events that are on record. */
  readonly events: number;
}

/**
 * The messages and settings of one conversation, folded from its entries. An entry that was applied before changes
 * nothing. The fold is mutable, because a reply may have megabytes in thousands of entries.
 */
export class Transcript {
  readonly intern: string = '';
  readonly mode: ApprovalMode = 'manual';
  /** When self-drive ends; may be in the past. */
  readonly selfDriveLimit: SelfDriveLimit = null;
  readonly consented: boolean = false;
  /** USD. */
  readonly spent: number = 0;
  readonly whenUnanswered: WhenUnanswered = 'expire';
  readonly listedAs: ListedAs = 'plain';
  /** The session of the next prompt; null starts a new one. */
  readonly session: string | null = null;
  /** The URI of the workspace in which it was started; undefined without one. */
  readonly workspace: string | undefined = undefined;
  readonly updatedAt: number = 0;
  readonly lastResponse: RecordedResponse | null = null;
  /** True if another window asked to stop the last run. */
  readonly isStopRequested: boolean = false;
  readonly #costs: Cost[] = [];
  /** The reported cost of each response, in order. */
  readonly costs: readonly Cost[] = this.#costs;
  /** USD. */
  readonly costLimit: number | null = null;
  /** The name that the user gave; empty without one. */
  readonly givenTitle: string = '';
  #isNextByAgent = false;
  readonly #messages: Message[] = [];
  readonly messages: readonly Message[] = this.#messages;
  readonly #replies = new Map<string, MutableReply>();
  readonly #questions = new Map<string, MutableReply>();
  readonly #appliedIds = new Set<string>();

  static fold(entries: Iterable<JournalEntry>): Transcript {
    const transcript = new Transcript();
    for (const entry of entries) transcript.apply(entry);
    return transcript;
  }

  get cost(): CostSum {
    return {
      spent: this.spent,
      unknown: countUnknownCosts(this.#messages),
      limit: this.costLimit,
    };
  }
  get isCostReached(): boolean {
    return isCostLimitReached({ spent: this.spent, limit: this.costLimit });
  }
  /** True if the intern has lost its memory of the conversation: the last run may have begun, and its session is unknown. */
  get isForgotten(): boolean {
    const { lastReply, session } = this;
    if (lastReply === undefined || session !== null) return false;
    const { failure } = lastReply;
    return failure === null || failure.inStream || mayBeRunning(failure);
  }
  /** The name that the user gave, else the first words of the first prompt, else empty. */
  get title(): string {
    if (this.givenTitle !== '') return this.givenTitle;
    const first = this.#messages.find((message) => message.kind === 'prompt');
    return first === undefined ? '' : shortTitle(first.text);
  }
  get lastReply(): ReplyMessage | undefined {
    return this.#messages.findLast((message) => message.kind === 'reply');
  }
  /** The texts of the prompts that the user wrote, oldest first. */
  get ownPrompts(): readonly string[] {
    return this.#messages.flatMap((message) =>
      message.kind === 'prompt' && !message.isByAgent ? [message.text] : [],
    );
  }
  get lastPrompt(): PromptMessage | undefined {
    return this.#messages.findLast((message) => message.kind === 'prompt');
  }

  prompt(run: string): PromptMessage | undefined {
    return this.#messages.findLast(
      (message): message is PromptMessage => message.kind === 'prompt' && message.run === run,
    );
  }

  reply(run: string): ReplyMessage | undefined {
    return this.#replies.get(run);
  }

  /** Returns the approximate size of the reply of a run, in characters. */
  sizeOf(run: string): number {
    return this.#replies.get(run)?.size ?? 0;
  }

  /** Questions of the last run that may still be answered, oldest first. */
  get openQuestions(): readonly QuestionPart[] {
    return (this.lastReply?.parts ?? []).filter(
      (part): part is QuestionPart => part.kind === 'question' && part.stage !== 'over',
    );
  }

  question(id: string): QuestionPart | undefined {
    const parts = this.#questions.get(id)?.parts;
    return parts?.find((part): part is QuestionPart => part.kind === 'question' && part.id === id);
  }

  /** Applies an entry and returns what it changed. */
  apply(entry: JournalEntry): readonly TranscriptChange[] {
    if (this.#appliedIds.has(entry.id)) return [];
    this.#appliedIds.add(entry.id);
    const lastAt = this.updatedAt;
    if (!SETTINGS.has(entry.type)) this.#set({ updatedAt: Math.max(lastAt, entry.at) });
    const { lastResponse } = this;
    const isOfOtherRun = 'run' in entry && entry.run !== lastResponse?.run;
    if (entry.events !== undefined && lastResponse !== null && !isOfOtherRun)
      this.#set({ lastResponse: { ...lastResponse, events: entry.events } });
    switch (entry.type) {
      case 'opened':
        return this.#set({ intern: entry.intern, mode: entry.mode, workspace: entry.workspace });
      case 'renamed':
        return this.#set({ givenTitle: entry.title });
      case 'listed':
        return this.#set({ listedAs: entry.as });
      case 'mode':
        if (entry.limit === undefined) return this.#set({ mode: entry.mode, selfDriveLimit: null });
        return this.#set({ mode: 'self-drive', selfDriveLimit: entry.limit, consented: true });
      case 'consented':
        return this.#set({ consented: true });
      case 'cost-limit':
        return this.#set({ costLimit: entry.usd });
      case 'unanswered':
        return this.#set({ whenUnanswered: entry.then });
      case 'notice':
        if (entry.notice === 'new-session') this.#set({ session: null });
        if (entry.notice === 'by-agent') this.#isNextByAgent = true;
        return [this.#add({ kind: 'notice', id: entry.id, at: entry.at, notice: entry.notice })];
      case 'prompt':
        return this.#prompt(entry);
      case 'requested': {
        const { response, run, at } = entry;
        this.#set({ lastResponse: { id: response, run, requestedAt: at, events: 0 } });
        return this.#applyToReply(entry);
      }
      case 'stopping':
        this.#set({ isStopRequested: entry.run === this.lastReply?.id });
        return [];
      case 'lapsed':
        return this.#expireSelfDrive(entry.run);
      case 'asked':
        return this.#addQuestion(entry);
      case 'answering':
      case 'answered':
      case 'refused':
      case 'closed':
      case 'told':
        return this.#applyToQuestion(entry);
      case 'end':
        return this.#end(entry);
      case 'cut':
        // This entry may be recorded days later. The run was read up to the entry before.
        return this.#applyToReply(entry, lastAt);
      default:
        return this.#applyToReply(entry);
    }
  }

  #applyToReply(entry: ReplyEntry, at = entry.at): readonly TranscriptChange[] {
    const reply = this.#replies.get(entry.run);
    return reply === undefined ? [] : applyToReply(reply, entry, at);
  }

  #set(change: Partial<Transcript>): readonly TranscriptChange[] {
    Object.assign(this, change);
    return [{ kind: 'meta' }];
  }

  #add(message: Message): TranscriptChange {
    this.#messages.push(message);
    return { kind: 'add', message };
  }

  #prompt(entry: EntryOf<'prompt'>): readonly TranscriptChange[] {
    const isByAgent = this.#isNextByAgent;
    this.#isNextByAgent = false;
    // Two windows may send a queued prompt at the same moment.
    if (this.#replies.has(entry.run)) return [];
    this.#leaveArchive();
    this.#set({ isStopRequested: false });
    const prompt = this.#add(newPrompt(entry, isByAgent));
    const reply = newReply(entry);
    this.#replies.set(entry.run, reply);
    return [prompt, this.#add(reply), { kind: 'meta' }];
  }

  #leaveArchive(): void {
    if (this.listedAs === 'archived') this.#set({ listedAs: 'plain' });
  }

  #expireSelfDrive(run: string): readonly TranscriptChange[] {
    const prompt = this.prompt(run);
    const reply = this.#replies.get(run);
    if (prompt === undefined || reply === undefined) return [];
    (prompt as Mutable<PromptMessage>).mode = 'manual';
    reply.mode = 'manual';
    return [{ kind: 'prompt', id: prompt.id }];
  }

  #addQuestion(entry: EntryOf<'asked'>): readonly TranscriptChange[] {
    const reply = this.#replies.get(entry.run);
    if (reply === undefined) return [];
    this.#leaveArchive();
    this.#questions.set(entry.question, reply);
    return applyToReply(reply, entry, entry.at);
  }

  #applyToQuestion(
    entry: EntryOf<'answering' | 'answered' | 'refused' | 'closed' | 'told'>,
  ): readonly TranscriptChange[] {
    const { question: id } = entry;
    const before = this.question(id);
    switch (entry.type) {
      case 'answering': {
        // The outcome of an earlier answer is not recorded if its window is gone or its run was stopped.
        const maybeReceived = findMaybeReceived(before, false);
        const answer = recordedAnswer(entry);
        return this.#changeQuestion(id, { stage: 'sending', answer, failure: null, maybeReceived });
      }
      case 'answered': {
        const answer = recordedAnswer(entry);
        return this.#changeQuestion(id, { stage: 'over', ending: 'answered', answer }, 'working');
      }
      case 'refused': {
        const { failure, isLost = false } = entry;
        const maybeReceived = findMaybeReceived(before, !isLost && !mayHaveReceived(failure));
        return this.#changeQuestion(id, { stage: 'refused', failure, maybeReceived });
      }
      case 'closed':
        return this.#changeQuestion(id, { stage: 'over', ending: entry.why });
      case 'told':
        return this.#changeQuestion(id, { isReportedToIntern: true });
    }
  }

  #changeQuestion(
    question: string,
    change: Partial<Omit<QuestionPart, 'kind' | 'id' | 'run' | 'call' | 'question' | 'askedAt'>>,
    runState?: ReplyState,
  ): readonly TranscriptChange[] {
    const reply = this.#questions.get(question);
    if (reply === undefined) return [];
    const index = reply.parts.findIndex((part) => part.kind === 'question' && part.id === question);
    const part = reply.parts[index] as QuestionPart;
    reply.parts[index] = { ...part, ...change };
    const changed: TranscriptChange = { kind: 'part', id: reply.id, part: index };
    if (runState === undefined) return [changed];
    reply.state = runState;
    return [changed, { kind: 'header', id: reply.id }];
  }

  #end(entry: EntryOf<'end'>): readonly TranscriptChange[] {
    // A run that failed early has no session ID. The earlier session is not lost then.
    if (entry.session !== null) this.#set({ session: entry.session });
    const usd = entry.usage?.cost;
    if (usd !== undefined) {
      this.#costs.push({ at: entry.at, usd });
      this.#set({ spent: addUsd(this.spent, usd) });
    }
    return [...this.#applyToReply(entry), { kind: 'meta' }];
  }
}
