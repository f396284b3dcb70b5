import type {
  Answer,
  CallOptions,
  ChatEvent,
  ChatRequest,
  ServiceClient,
} from '../../../src/api/index.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { parseEntry, type JournalEntry } from '../../../src/conversation/journal.ts';
import type { ConversationPorts } from '../../../src/conversation/ports.ts';
import type { QuestionPart } from '../../../src/conversation/messages.ts';
import type { AnswerOutcome, PendingQuestion } from '../../../src/conversation/questions/types.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import type { ApprovalMode } from '../../../src/base/approvalMode.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { type Failure, FakeExchange } from './fakeExchange.ts';
import { settled } from './questions/fakes.ts';

export const allowOnce: Answer = { kind: 'permission', choice: 'allow_once' };

/** A conversation whose ports the test controls. */
export class Stage {
  readonly clock = new FakeClock();
  readonly exchanges: FakeExchange[] = [];
  readonly journal: JournalEntry[] = [];
  /** Resolves when the record is on disk, or with false if the disk fails. */
  recorded: Promise<unknown> = Promise.resolve();
  /** The responses that a stream keeper keeps. */
  readonly kept = new Set<string>();
  /** Responses whose file a keeper creates at the moment when a window looks for it. */
  readonly sentUnseen = new Set<string>();
  /** The kept responses have a version that this window cannot read. */
  isForeign = false;
  readonly asked: PendingQuestion[] = [];
  readonly ended: string[] = [];
  /** The calls of the conversation to the pending questions of its window. */
  readonly pendingQuestions: {
    -readonly [
      K in keyof ConversationPorts['pendingQuestions']
    ]: ConversationPorts['pendingQuestions'][K];
  } = {
    add: (question) => this.asked.push(question),
    endQuestion: (question) => this.ended.push(question),
    followOutcome: (question, outcome) => void this.followed.push({ question, outcome }),
    deadline: () => undefined,
  };
  /** The questions whose answer is followed. */
  readonly followed: { question: string; outcome: Promise<AnswerOutcome | undefined> }[] = [];
  isTrusted = true;
  isDailyCostReached = false;
  /** Another window reads a stream of the conversation, or sends an answer. */
  isOwnedElsewhere = false;
  /** This window owns the conversation: from the start, so that its first prompt goes out at once. */
  isOwnedHere = true;
  /** This window keeps ownership, so that all its prompts go out at once. */
  isSoleWindow = false;
  /** Another window takes ownership just before this one. */
  isTooLate = false;
  /** How often this window tried to own the conversation. */
  claims = 0;
  /** How often this window read the rest of the record. */
  recordReads = 0;
  /** Entries of another window that this one has not read. */
  readonly elsewhere: JournalEntry[] = [];
  readonly observedStatuses: boolean[] = [];
  /** The silences that went to the log, in ms. */
  readonly silences: number[] = [];
  readonly runs: boolean[] = [];
  /** The durations of the runs that were not stopped, in ms. */
  readonly took: number[] = [];
  /** The client of a real service; without one, the test answers each request itself. */
  client: Pick<ServiceClient, 'streamChat'> | undefined;
  conversation: Conversation;
  #ids = 0;

  constructor(entries?: readonly JournalEntry[]) {
    this.journal.push(
      ...(entries ?? [{ type: 'opened', id: 'e0', at: 0, intern: 'intern_1', mode: 'manual' }]),
    );
    // Other IDs than those of the window that recorded the entries.
    this.#ids = 1_000 * (entries?.length ?? 0);
    this.isOwnedHere = entries === undefined;
    this.conversation = this.#load();
    if (entries === undefined) this.conversation.restore('none');
  }

  /** A window that opens a conversation with these entries, and finds these responses of a stream keeper. */
  static async opened(
    entries: readonly JournalEntry[],
    kept: Iterable<string> = [],
  ): Promise<Stage> {
    const stage = new Stage(entries);
    for (const response of kept) stage.kept.add(response);
    await stage.conversation.resume();
    await stage.settle();
    return stage;
  }

  /** The entries that a new window reads from disk, each parsed from its line. */
  reload(runsElsewhere = false): void {
    this.conversation.dispose();
    this.conversation = this.#load();
    this.isOwnedHere = !runsElsewhere;
    this.conversation.restore(runsElsewhere ? 'other-window' : 'none');
  }

  get last(): FakeExchange {
    const last = this.exchanges.at(-1);
    if (last === undefined) throw new Error('No request was made');
    return last;
  }

  get state() {
    return this.conversation.state;
  }

  get phase(): string {
    return this.conversation.state.phase.kind;
  }

  get reply() {
    const reply = this.conversation.transcript.lastReply;
    if (reply === undefined) throw new Error('No reply yet');
    return reply;
  }

  /** The first question of the reply. */
  get question(): QuestionPart {
    return this.questions[0]!;
  }

  /** The questions of all replies. */
  get questions(): readonly QuestionPart[] {
    return this.conversation.transcript.messages
      .flatMap((message) => (message.kind === 'reply' ? message.parts : []))
      .filter((part) => part.kind === 'question');
  }

  get text(): string {
    return this.reply.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  }

  /** The queued prompts. */
  get queued(): readonly string[] {
    return this.state.queue.map(({ text }) => text);
  }

  /** The last request, if it was an answer. */
  get answered(): Answer | false {
    const { chat } = this.last;
    return chat.kind === 'answer' && chat.answer;
  }

  setMode(mode: ApprovalMode): void {
    this.conversation.send({ type: 'set-mode', mode });
  }

  submit(text: string): void {
    this.conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
  }

  stop(): void {
    this.conversation.send({ type: 'stop' });
  }

  /** A conversation in which a prompt was just sent. */
  static asked(text: string): Stage {
    const stage = new Stage();
    stage.submit(text);
    return stage;
  }

  /** A run that waits for its user, after the intern said `said`. */
  static async paused(prompt: string, said?: string): Promise<Stage> {
    const stage = Stage.asked(prompt);
    stage.last.open();
    if (said !== undefined) stage.last.say({ kind: 'text', text: said });
    stage.last.ask();
    await stage.settle();
    return stage;
  }

  /** Answers the last question. The answer is being sent then. */
  async answering(
    answer: Answer = allowOnce,
    reason?: string,
  ): Promise<{ outcome: Promise<AnswerOutcome | undefined> }> {
    const outcome = this.conversation.answer(this.asked.at(-1)!.id, answer, reason);
    await this.settle();
    return { outcome };
  }

  /** Completes the last request with a good end, and waits until that is handled. */
  async finish(sessionId?: string | null, cost?: number): Promise<void> {
    this.last.open().finish(sessionId, cost);
    await this.settle();
  }

  /** Fails the last request, and waits until that is handled. */
  async fail(init: Failure): Promise<void> {
    this.last.fail(init);
    await this.settle();
  }

  /** Stops the run as the user, and waits until that is handled. */
  async stopped(): Promise<void> {
    this.stop();
    await this.settle();
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  /** Runs all work that is ready. */
  async settle(): Promise<void> {
    await settled();
  }

  get #owner(): ConversationPorts['owner'] {
    const isOurs = () => this.isOwnedHere;
    return {
      get isOurs() {
        return isOurs();
      },
      take: () => {
        this.claims += 1;
        this.isOwnedElsewhere ||= this.isTooLate;
        this.isOwnedHere = !this.isOwnedElsewhere;
        return Promise.resolve(this.isOwnedHere);
      },
      release: () => {
        this.isOwnedHere = this.isSoleWindow;
        return Promise.resolve();
      },
    };
  }

  #load(): Conversation {
    const lines = this.journal.map((entry) => JSON.stringify(entry));
    const entries = lines.flatMap((line) => parseEntry(line) ?? []);
    return new Conversation('conversation-1', Transcript.fold(entries), {
      clock: this.clock,
      newId: () => `id-${++this.#ids}`,
      random: () => 0.5,
      selfDriveAllowed: () => this.isTrusted,
      isDailyCostReached: () => this.isDailyCostReached,
      client: () =>
        this.client ?? {
          streamChat: (_intern, chat, options) => this.#answer(chat, options ?? {}),
        },
      append: (entry) => this.journal.push(entry),
      whenRecorded: () => this.recorded.then((isWhole) => isWhole !== false),
      responses: {
        find: (response) =>
          Promise.resolve(
            this.isForeign ? 'foreign' : this.kept.has(response) ? 'readable' : 'none',
          ),
        reserve: (response) => Promise.resolve(!this.sentUnseen.has(response)),
        remove: (response) => Promise.resolve(this.kept.delete(response)),
      },
      catchUp: () => {
        this.recordReads += 1;
        const entries = this.elsewhere.splice(0);
        if (entries.length > 0) this.conversation.follow(entries);
        return Promise.resolve();
      },
      owner: this.#owner,
      pendingQuestions: this.pendingQuestions,
      describeQuestion: (open) => ({
        id: open.id,
        conversation: 'conversation-1',
        intern: 'intern_1',
        internName: 'Ada',
        account: 'account-1',
        question: open.question,
        context: { said: '', allowed: 0, rejected: 0 },
        deadline: open.askedAt + 300_000,
      }),
      onStatusObserved: (running) => this.observedStatuses.push(running),
      onRunEnd: ({ endedWell, tookMs }) => {
        this.runs.push(endedWell);
        this.took.push(tookMs);
      },
      onSilence: (quietMs) => this.silences.push(quietMs),
    });
  }

  #answer(chat: ChatRequest | null, options: CallOptions): AsyncIterable<readonly ChatEvent[]> {
    const exchange = new FakeExchange(chat, options);
    this.exchanges.push(exchange);
    return exchange.stream();
  }
}
