import { ApiError, type Answer, type ChatRequest, type ServiceClient } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ConversationEvent, Effect } from './conversation/events.ts';
import { reduce } from './conversation/reduce.ts';
import { restoreState } from './conversation/restore.ts';
import {
  canStop,
  currentRun,
  emptyConversation,
  interactionDeadlineMs,
  leavePatienceMs,
  type ConversationState,
  type OpenQuestion,
} from './conversation/state.ts';
import { Gatherer } from './gather.ts';
import type { Entry, EntryBody } from './journal.ts';
import type { AnswerOutcome, PendingQuestion, QuestionDesk } from './questions/types.ts';
import { mostReplyCharacters, ReplyMeter } from './replyMeter.ts';
import { Transcript, type TranscriptChange } from './transcript.ts';

/** What a conversation needs of the world. */
export interface ConversationPorts {
  readonly clock: Clock;
  /** A fresh unique id. */
  readonly newId: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** The client of the account's current key; a run keeps the one that it started with. */
  readonly client: () => Pick<ServiceClient, 'streamChat'>;
  /** Appends to the record; returns at once. */
  readonly append: (entry: Entry) => void;
  /** Resolves when what was appended is on disk, or when the disk has refused it. */
  readonly recorded: () => Promise<unknown>;
  readonly desk: Pick<QuestionDesk, 'arrive' | 'end' | 'answer' | 'get'>;
  /** Completes a question with what the conversation does not know of itself. */
  readonly describe: (question: OpenQuestion, deadline: number) => PendingQuestion;
  readonly learned: (running: boolean) => void;
  readonly runEnded: (run: { readonly ok: boolean; readonly tookMs: number }) => void;
  /** A stream that a proxy may buffer has said nothing for so many ms. */
  readonly silent: (quietMs: number) => void;
}

export interface ConversationChange {
  readonly transcript: readonly TranscriptChange[];
  /** Whether the state, and so everything around the transcript, may differ. */
  readonly state: boolean;
}

interface Connection {
  readonly abort: AbortController;
}

/**
 * One conversation, alive: runs the machine (conversation/reduce.ts), reads the streams it asks for, and folds what it
 * records into the transcript. The only owner of its state; every window that shows it follows its changes.
 */
export class Conversation implements Disposable {
  readonly id: string;
  readonly #ports: ConversationPorts;
  readonly #changed = new Emitter<ConversationChange>();
  readonly #connections = new Map<string, Connection>();
  readonly #answers = new Map<string, (outcome: AnswerOutcome) => void>();
  readonly #inbox: ConversationEvent[] = [];
  readonly #meter = new ReplyMeter();
  readonly transcript: Transcript;
  #state: ConversationState = emptyConversation;
  #runClient:
    { readonly run: string; readonly client: Pick<ServiceClient, 'streamChat'> } | undefined;
  #timer: Disposable | undefined;
  #changes: TranscriptChange[] = [];
  #busy = false;
  #disposed = false;

  constructor(id: string, transcript: Transcript, ports: ConversationPorts) {
    this.id = id;
    this.transcript = transcript;
    this.#ports = ports;
  }

  readonly onDidChange: Event<ConversationChange> = (listener) => this.#changed.event(listener);

  get state(): ConversationState {
    return this.#state;
  }

  /** Tells the machine what happened; its effects are carried out before this returns. */
  send(event: ConversationEvent): void {
    // What an aborted stream still says is no news of the run's: the record stays as it is.
    if (this.#disposed) return;
    this.#inbox.push(event);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift())
        this.#step(next);
    } finally {
      this.#busy = false;
    }
    const transcript = this.#changes;
    this.#changes = [];
    this.#changed.fire({ transcript, state: true });
  }

  /**
   * Stops the run, and resolves when it is left: one that waits is left when the service has taken the `cancel` of its
   * question. After {@link leavePatienceMs} it is left without.
   */
  async leave(): Promise<void> {
    this.send({ type: 'stop' });
    const waiting = new DisposableStore();
    if (canStop(this.#state))
      await new Promise<void>((resolve) => {
        waiting.add(this.onDidChange(() => !canStop(this.#state) && resolve()));
        waiting.add(this.#ports.clock.setTimeout(resolve, leavePatienceMs));
      });
    waiting.dispose();
    this.send({ type: 'stop' });
  }

  /** Sends the user's answer to a question of this conversation, and resolves with what the service made of it. */
  answer(question: string, answer: Answer): Promise<AnswerOutcome> {
    return new Promise((resolve) => {
      this.#answers.set(question, resolve);
      this.send({ type: 'answer', question, answer });
    });
  }

  /**
   * Takes up where the record stands: at start, and when another window went on.
   *
   * @param runsElsewhere whether a living window reads the last run's stream
   */
  restore(runsElsewhere: boolean): void {
    if (this.#state.phase.kind === 'requesting' || this.#state.phase.kind === 'backing-off') return;
    const reply = this.transcript.lastReply;
    if (reply?.state === 'working' && !runsElsewhere) this.#record({ type: 'cut', run: reply.id });
    const before = this.#state.questions;
    this.send({
      type: 'restored',
      state: restoreState(this.transcript, runsElsewhere),
      endedWell: this.transcript.lastReply?.state === 'done',
    });
    for (const { id } of before) {
      if (this.#state.questions.some((question) => question.id === id)) continue;
      this.#ports.desk.end(id, { kind: 'elsewhere' });
    }
  }

  /** Applies an entry that another window recorded. */
  follow(entries: readonly Entry[]): void {
    const changes = entries.flatMap((entry) => this.transcript.apply(entry));
    if (changes.length > 0) this.#changed.fire({ transcript: changes, state: false });
  }

  /** Records something that the machine need not know: a title, a consent. */
  record(entry: EntryBody): void {
    this.#record(entry);
    const transcript = this.#changes;
    this.#changes = [];
    this.#changed.fire({ transcript, state: false });
  }

  /** Frees sockets and timers. The record stays as it is: what was being read is found cut at the next start. */
  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    for (const { abort } of this.#connections.values()) abort.abort();
    this.#connections.clear();
    this.#changed.dispose();
  }

  #step(event: ConversationEvent): void {
    const { clock, newId, random } = this.#ports;
    const { state, effects } = reduce(this.#state, event, { now: clock.now(), id: newId, random });
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    const { desk } = this.#ports;
    switch (effect.type) {
      case 'record':
        this.#record(effect.entry);
        return;
      case 'request':
        void this.#read(effect.request, effect.chat);
        return;
      case 'abort':
        this.#connections.get(effect.request)?.abort.abort();
        this.#connections.delete(effect.request);
        return;
      case 'timer':
        this.#setTimer(effect.at);
        return;
      case 'ask':
        this.#ask(effect.question);
        return;
      case 'withdraw':
        desk.end(effect.question, { kind: 'run-ended' });
        return;
      case 'cancel':
        void this.#cancel(effect.question);
        return;
      case 'settle':
        this.#answers.get(effect.question)?.(effect.outcome);
        this.#answers.delete(effect.question);
        return;
      case 'learned':
        this.#ports.learned(effect.running);
        return;
      case 'run-ended':
        this.#ports.runEnded(effect);
        return;
    }
  }

  #record(body: EntryBody): void {
    const entry: Entry = { ...body, id: this.#ports.newId(), at: this.#ports.clock.now() };
    this.#changes.push(...this.transcript.apply(entry));
    this.#ports.append(entry);
  }

  #ask(question: OpenQuestion): void {
    const deadline = question.askedAt + interactionDeadlineMs;
    this.#ports.desk.arrive(this.#ports.describe(question, deadline));
  }

  async #cancel(question: OpenQuestion): Promise<void> {
    const { desk } = this.#ports;
    await desk.answer(question.id, cancelOf(question));
    const isTaken = desk.get(question.id)?.state === 'answering';
    this.send({ type: 'cancel-settled', question: question.id, isTaken });
  }

  #setTimer(at: number | null): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (at === null) return;
    const { clock } = this.#ports;
    this.#timer = clock.setTimeout(() => this.send({ type: 'due' }), Math.max(0, at - clock.now()));
  }

  async #read(request: string, chat: ChatRequest): Promise<void> {
    const abort = new AbortController();
    this.#connections.set(request, { abort });
    const gatherer = new Gatherer(this.#ports.clock, (events) => {
      this.send({ type: 'streamed', request, events });
    });
    try {
      // Whoever reads the record after a crash is to know that an answer may have arrived.
      if (chat.kind === 'reply') await this.#ports.recorded();
      if (abort.signal.aborted) return;
      const stream = this.#client().streamChat(this.transcript.intern, chat, {
        tag: this.id,
        signal: abort.signal,
        onResponse: () => this.send({ type: 'opened', request }),
        onSilence: this.#ports.silent,
      });
      for await (const events of stream) {
        gatherer.push(events);
        if (!this.#meter.take(currentRun(this.#state) ?? '', events)) throw replyTooLong();
      }
      gatherer.flush();
      this.#connections.delete(request);
      this.send({ type: 'ended', request });
    } catch (error) {
      gatherer.flush();
      this.#connections.delete(request);
      this.send({ type: 'failed', request, error: toApiError(error) });
    } finally {
      gatherer.dispose();
    }
  }

  #client(): Pick<ServiceClient, 'streamChat'> {
    const run = currentRun(this.#state) ?? '';
    if (this.#runClient?.run !== run) this.#runClient = { run, client: this.#ports.client() };
    return this.#runClient.client;
  }
}

/** The answer that cancels a question (interface: Tool reply contents). */
function cancelOf({ question }: OpenQuestion): Answer {
  return question.kind === 'permission'
    ? { kind: 'permission', choice: 'cancel' }
    : { kind: 'elicitation', action: 'cancel' };
}

function replyTooLong(): ApiError {
  const message = `The reply has more than ${mostReplyCharacters} characters`;
  return new ApiError({ kind: 'reply-too-long', route: 'chat', message, inStream: true });
}

/** The client throws nothing else; anything else is a fault of ours, told without its text. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ kind: 'unexpected-answer', route: 'chat', message: String(error) });
}
