import type { Answer } from '../../../../../src/api/index.ts';
import { Conversation } from '../../../../../src/conversation/conversation.ts';
import type { JournalEntry } from '../../../../../src/conversation/journal.ts';
import type { OpenQuestion } from '../../../../../src/conversation/machine/state.ts';
import { PendingQuestions } from '../../../../../src/conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../../../../src/conversation/questions/types.ts';
import { Transcript } from '../../../../../src/conversation/transcript.ts';
import {
  HeadWriter,
  type ConversationHead,
} from '../../../../../src/features/conversations/heads.ts';
import { RecordingLog } from '../../../support/recordingLog.ts';
import { FakeExchange } from '../../fakeExchange.ts';
import { ALLOW, CANCELED, inTurns, permission, REJECT } from '../fakes.ts';
import type { WindowStep } from './steps.ts';
import type { Reason, World } from './world.ts';

/** One window: its questions, and the conversations that are open in it. */
export class Window {
  readonly id: string;
  readonly pending: PendingQuestions;
  readonly #world: World;
  readonly #open = new Map<string, OpenConversation>();
  #isGone = false;

  constructor(world: World, id: string) {
    this.#world = world;
    this.id = id;
    const { clock, disk } = world;
    this.pending = new PendingQuestions({
      clock,
      heads: disk.window(id),
      window: id,
      answerer: {
        answer: async (question, answer, reason) =>
          (await this.open(question.conversation)).answer(question.id, answer, reason),
        readRecordedQuestion: async ({ id: question, conversation }) => {
          const transcript = await this.#read(conversation);
          const isOver = transcript.question(question)?.stage === 'over';
          const { whenUnanswered } = transcript;
          return { isOver, whenUnanswered, maybeReceived: null };
        },
        applyUnansweredPolicy: async (question) =>
          (await this.open(question.conversation)).applyUnansweredPolicy(question.id),
      },
    });
  }

  async take(step: WindowStep): Promise<void> {
    const { conversation: id } = step;
    if (['drive', 'manual', 'limit cost'].includes(step.do)) await this.open(id);
    const live = this.#live(id);
    if (step.do === 'prompt') await this.#prompt(id);
    else if (step.do === 'open') void this.open(id);
    else if (step.do === 'show' || step.do === 'hide')
      this.pending[step.do](this.#questionOf(id)?.id ?? '');
    else if (step.do === 'answer') this.#answer(id, step.allow ? { ...ALLOW } : { ...CANCELED });
    else if (step.do === 'reject') this.#reject(id);
    else if (step.do === 'queue') this.#queue(id, step.overrideCostLimit);
    else if (step.do === 'send queue') this.#sendQueue(id, step.overrideCostLimit);
    else if (step.do === 'limit cost') live?.record({ type: 'cost-limit', usd: step.usd });
    else if (step.do === 'manual') live?.send({ type: 'set-mode', mode: 'manual' });
    else if (step.do === 'stop') {
      this.#world.wasStopped = true;
      live?.send({ type: 'stop' });
    } else if (step.do === 'drive') {
      this.#world.limits.chose(id, step.lasts);
      live?.send({ type: 'set-mode', mode: 'self-drive', lasts: step.lasts });
    } else if ('then' in step) {
      live?.record({ type: 'unanswered', then: step.then });
      this.pending.handlePolicyChange(id);
    }
  }

  get openIds(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** True if a prompt is held back because a run was left. */
  get holdsPrompt(): boolean {
    return [...this.#open.values()].some(({ live }) => live.state.phase.kind === 'holding');
  }

  #live(id: string): Conversation | undefined {
    return this.#open.get(id)?.live;
  }

  /** Sends a prompt if no window has a run. A user is at one composer at a time, which shows everything. */
  async #prompt(id: string): Promise<void> {
    await this.open(id);
    const { windows } = this.#world;
    const isRunning = windows.some((window) => window.#open.get(id)?.isRunning === true);
    if (!isRunning && !this.#isBehind(id)) this.#submit(id, false);
  }

  /** Queues a prompt if this window has a run. */
  #queue(id: string, overrideCostLimit: boolean): void {
    const phase = this.#live(id)?.state.phase.kind;
    if ((phase === 'requesting' || phase === 'paused') && !this.#isBehind(id))
      this.#submit(id, overrideCostLimit);
  }

  /** Returns whether another window has recorded something that this one doesn't show. */
  #isBehind(id: string): boolean {
    const others = this.#world.windows.filter((window) => window !== this);
    return (
      others.some((window) => window.#open.get(id)?.isWriting === true) ||
      this.#open.get(id)?.unread.length !== 0
    );
  }

  #sendQueue(id: string, overrideCostLimit: boolean): void {
    const live = this.#live(id);
    const [head] = live?.state.queue ?? [];
    if (live?.state.phase.kind !== 'idle' || head === undefined) return;
    if (overrideCostLimit) this.#world.limits.allow(head.text);
    live.send({ type: 'send-now', overrideCostLimit });
  }

  #submit(id: string, overrideCostLimit: boolean): void {
    const text = `Go ${this.#world.newId()}`;
    if (overrideCostLimit) this.#world.limits.allow(text);
    const prompt = { text, sent: text, attachments: [] };
    this.#live(id)?.send({ type: 'submit', prompt, overrideCostLimit });
  }

  /** Returns the transcript of a conversation that is open here, or the recorded one. */
  async #read(id: string): Promise<Transcript> {
    await this.#world.delay();
    return this.#live(id)?.transcript ?? Transcript.fold(this.#world.records.get(id) ?? []);
  }

  async open(id: string): Promise<Conversation> {
    let open = this.#open.get(id);
    if (open === undefined) {
      if (this.#isGone) throw new Error('The window is gone');
      open = new OpenConversation(this.#world, this, id);
      this.#open.set(id, open);
    }
    await open.resumed;
    return open.live;
  }

  /** Returns whether this window lives and shows the dialog of a question. */
  shows(question: string): boolean {
    return !this.#isGone && this.pending.get(question)?.isShown === true;
  }

  #answer(id: string, answer: Answer, reason?: Reason): void {
    const question = this.#questionOf(id);
    if (question === undefined) return;
    this.#world.given.push(answer);
    if (reason !== undefined) this.#world.reasons.push(reason);
    void this.pending.answer(question.id, answer, reason?.text).then((outcome) => {
      if (reason !== undefined)
        reason.isReturned = outcome === undefined || outcome.kind === 'refused';
    });
  }

  /** Rejects with a unique reason. */
  #reject(id: string): void {
    const answer = { ...REJECT };
    const text = `Because of ${this.#world.newId()}`;
    this.#answer(id, answer, { text, answer, window: this.id, isReturned: false });
  }

  /** Returns whether a prompt is queued in this window. */
  isQueued(text: string): boolean {
    return [...this.#open.values()].some(({ live }) =>
      live.state.queue.some((prompt) => prompt.text === text),
    );
  }

  readRecords(): void {
    for (const open of this.#open.values()) open.readOn();
  }

  dispose(): void {
    this.#isGone = true;
    this.pending.dispose();
    for (const open of this.#open.values()) open.dispose();
  }

  #questionOf(conversation: string): PendingQuestion | undefined {
    return this.pending.listOpen().find(({ question }) => question.conversation === conversation)
      ?.question;
  }
}

/** A conversation that is open in a window, with its record and its head. */
class OpenConversation {
  readonly live: Conversation;
  /** Settles when the conversation has continued what it found on record. */
  readonly resumed: Promise<void>;
  readonly #world: World;
  readonly #id: string;
  /** The IDs of the entries that this window has read or made. */
  readonly #known: Set<string>;
  /** Entries that wait to be written. */
  #waiting: JournalEntry[] = [];
  readonly #head: HeadWriter;
  #isGone = false;

  constructor(world: World, { id: window, pending }: Window, id: string) {
    this.#world = world;
    this.#id = id;
    this.#known = new Set(this.#recorded.map((entry) => entry.id));
    const transcript = Transcript.fold(this.#recorded);
    const { clock, disk } = world;
    const owner = disk.owner(id, window);
    const inTurn = inTurns(() => world.delay());
    const write = () => inTurn(() => this.#write());
    const whenRecorded = async () => {
      await write();
      await this.#head.flush();
      return true;
    };
    const put = ({ question }: ConversationHead) =>
      disk.write(window, id, question && describe(id, question));
    const heads = { put, remove: () => Promise.resolve(false) };
    this.#head = new HeadWriter({ heads, owner, clock, log: new RecordingLog() });
    this.live = new Conversation(id, transcript, {
      clock,
      newId: () => world.newId(),
      random: () => 0.5,
      selfDriveAllowed: () => true,
      isDailyCostReached: () => false,
      client: () => ({
        streamChat: async function* (_intern, chat, options) {
          await whenRecorded();
          options?.signal?.throwIfAborted();
          const exchange = new FakeExchange(chat, options ?? {});
          world.receive(exchange, window, id);
          yield* exchange.stream();
        },
      }),
      append: (entry) => {
        world.checkEntry(entry, transcript.whenUnanswered);
        this.#known.add(entry.id);
        if (entry.type === 'prompt') world.limits.started(entry.text, transcript);
        this.#waiting.push(entry);
        void write();
      },
      whenRecorded,
      responses: {
        find: () => Promise.resolve('none'),
        reserve: () => Promise.resolve(true),
        remove: () => Promise.resolve(),
      },
      catchUp: () => inTurn(() => this.readOn()),
      owner,
      pendingQuestions: pending,
      describeQuestion: (question) => describe(id, question),
      onStatusObserved: () => undefined,
      onRunEnd: () => undefined,
      onSilence: () => undefined,
    });
    this.live.onDidChange(({ stateChanged }) => stateChanged && this.#head.update(this.live));
    this.resumed = this.live.resume();
  }

  get isWriting(): boolean {
    return this.#waiting.length > 0;
  }

  get isRunning(): boolean {
    return this.isWriting || this.live.state.phase.kind !== 'idle';
  }

  /** The recorded entries that this window has not read. */
  get unread(): readonly JournalEntry[] {
    return this.#recorded.filter((entry) => !this.#known.has(entry.id));
  }

  get #recorded(): readonly JournalEntry[] {
    return this.#world.records.get(this.#id) ?? [];
  }

  readOn(): void {
    const { unread } = this;
    for (const entry of unread) this.#known.add(entry.id);
    if (unread.length > 0) this.live.follow(unread);
  }

  dispose(): void {
    this.#isGone = true;
    this.live.dispose();
    this.#head.dispose();
  }

  #write(): void {
    if (this.#isGone) return;
    this.#world.records.set(this.#id, [...this.#recorded, ...this.#waiting]);
    this.#waiting = [];
  }
}

/** A question of a conversation, as its head stores it. */
function describe(
  conversation: string,
  { id, askedAt }: Pick<OpenQuestion, 'id' | 'askedAt'>,
): PendingQuestion {
  return permission(id, { arrivedAt: askedAt, conversation });
}
