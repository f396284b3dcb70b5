import { ApiError, type Answer, type ChatEvent } from '../api/index.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { INTERACTION_DEADLINE_MS } from '../base/limits.ts';
import { Alarm } from './alarm.ts';
import { reduce, restoreState } from './machine/reduce.ts';
import { cancelOf, replyUnderWay } from './machine/replies.ts';
import { lapsesAt } from './machine/selfDrive.ts';
import {
  canStop,
  emptyConversation,
  isReading,
  leavePatienceMs,
  type AskableQuestion,
  type ConversationState,
  type Exchange,
  type OpenQuestion,
} from './machine/state.ts';
import type { ConversationEvent, Effect } from './machine/transition.ts';
import { Gatherer, isText } from './gather.ts';
import type { Entry, EntryBody } from './journal.ts';
import type { ConversationChange, ConversationPorts } from './ports.ts';
import type { AnswerOutcome, IsAlone } from './questions/types.ts';
import { ReplyMeter } from './replyMeter.ts';
import { Transcript } from './transcript.ts';
import type { TranscriptChange } from './messages.ts';

/** How often a window looks whether another one that reads a run still lives, in ms. */
const followMs = 5_000;

/**
 * One conversation, alive: runs the machine (machine/reduce.ts), reads the streams it asks for, and folds what it
 * records into the transcript. The only owner of its state; every window that shows it follows its changes.
 */
export class Conversation implements Disposable {
  readonly id: string;
  readonly #ports: ConversationPorts;
  readonly #changed = new Emitter<ConversationChange>();
  /** Requests under way, each with what hangs it up. */
  readonly #connections = new Map<string, AbortController>();
  readonly #answers = new Map<string, (outcome: AnswerOutcome | undefined) => void>();
  readonly #inbox: ConversationEvent[] = [];
  readonly #meter = new ReplyMeter();
  /** What came of the response that is read, and is not taken yet. */
  #gathered: Gatherer | undefined;
  readonly transcript: Transcript;
  #state: ConversationState = emptyConversation;
  readonly #timer: Alarm;
  /** Rings when self-drive ends, so that whoever shows it is told. */
  readonly #lapse: Alarm;
  /** The next look whether the window that reads the run still lives. */
  #nextLook: Disposable | undefined;
  /** Whether this window is the owner; undefined where it does not want to be. */
  #owned: Promise<boolean> | undefined;
  /** How many answers wait for the ownership. */
  #answering = 0;
  /** Another window recorded something that the state does not say yet. */
  #isBehind = false;
  /** How often another window was followed that recorded more than text. */
  #followed = 0;
  #changes: TranscriptChange[] = [];
  #busy = false;
  #disposed = false;

  constructor(id: string, transcript: Transcript, ports: ConversationPorts) {
    this.id = id;
    this.transcript = transcript;
    this.#ports = ports;
    this.#timer = new Alarm(ports.clock, () => this.send({ type: 'due' }));
    this.#lapse = new Alarm(ports.clock, () => this.send({ type: 'lapse' }));
  }

  readonly onDidChange: Event<ConversationChange> = (listener) => this.#changed.event(listener);

  get state(): ConversationState {
    return this.#state;
  }

  /** Tells the machine what happened; its effects are carried out before this returns. */
  send(event: ConversationEvent): void {
    // Late events of aborted streams are dropped: the record stays as it is.
    if (this.#disposed) return;
    if (!this.#busy) this.#gathered?.flush();
    this.#inbox.push(event);
    if (this.#busy) return;
    const before = this.#state;
    this.#busy = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift())
        this.#step(next);
    } finally {
      this.#busy = false;
    }
    this.#lapse.set(lapsesAt(this.#state));
    this.#updateOwnership();
    this.#fireChange(before);
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

  /**
   * Sends the user's answer to a question, with a `reason` to come after a rejection, and resolves with what the service
   * made of it. Undefined where another window owns the conversation or has closed the question: nothing is sent then.
   */
  answer(question: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    return this.#answerAs(question, () => ({ type: 'answer', question, answer, reason }));
  }

  /**
   * Answers a question for nobody, as the conversation says for that; as {@link answer}. Undefined also where an answer was
   * tried already, or `isAlone`, which is asked last, says no.
   */
  answerForNobody(question: string, isAlone: IsAlone): Promise<AnswerOutcome | undefined> {
    const unanswered = (): ConversationEvent => {
      const when = this.transcript.whenUnanswered;
      return { type: 'unanswered', question, when };
    };
    return this.#answerAs(question, unanswered, async () => (await isAlone()) && !this.#disposed);
  }

  async #answerAs(
    question: string,
    answer: () => ConversationEvent,
    isAlone?: IsAlone,
  ): Promise<AnswerOutcome | undefined> {
    this.#answering += 1;
    try {
      if (!(await this.#takeOwnership())) return undefined;
      await this.#ports.catchUp();
      if (this.#disposed) return undefined;
      if (this.#isBehind || this.#state.phase.kind === 'elsewhere') this.restore(false);
      const stage = this.transcript.question(question)?.stage;
      if (stage === 'over') return undefined;
      if (isAlone !== undefined && (stage !== 'open' || !(await isAlone()))) return undefined;
    } finally {
      this.#answering -= 1;
      this.#updateOwnership();
    }
    return new Promise((resolve) => {
      this.#answers.set(question, resolve);
      this.send(answer());
    });
  }

  /** Takes up where the record stands: at start, when another window went on, and now and again while one goes on. */
  async resume(): Promise<void> {
    const { owner, catchUp, clock } = this.#ports;
    let followed: number;
    let isElsewhere: boolean;
    do {
      followed = this.#followed;
      isElsewhere = await owner.isElsewhere();
      // Whoever gave the conversation up has written how the run ended; the watcher may not have told yet.
      if (!isElsewhere) await catchUp();
      // Whoever wrote meanwhile may have become the owner: a run of theirs is not cut off.
    } while (!isElsewhere && followed !== this.#followed);
    this.restore(isElsewhere);
    this.#nextLook?.dispose();
    if (this.#disposed || this.#state.phase.kind !== 'elsewhere') return;
    this.#nextLook = clock.setTimeout(() => void this.resume(), followMs);
  }

  /** Sets the state by the record. `runsElsewhere`: another living window reads the last run's stream. */
  restore(runsElsewhere: boolean): void {
    if (isReading(this.#state)) {
      const { mode, selfDriveLimit } = this.transcript;
      this.send({ type: 'mode-followed', mode, selfDriveLimit });
      return;
    }
    this.#isBehind = false;
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

  /** Applies what another window recorded, and resumes from there; text alone changes no state. */
  follow(entries: readonly Entry[]): void {
    for (const entry of entries) this.#changes.push(...this.transcript.apply(entry));
    this.#fireChange(this.#state);
    if (entries.every(({ type }) => type === 'text' || type === 'reasoning')) return;
    this.#followed += 1;
    this.#isBehind = true;
    void this.resume();
  }

  /** Records something that the machine need not know: a title, a consent. */
  record(entry: EntryBody): void {
    this.#record(entry);
    this.#fireChange(this.#state);
  }

  /** Frees sockets and timers. The record stays as it is: what was being read is found cut at the next start. */
  dispose(): void {
    this.#disposed = true;
    this.#timer.dispose();
    this.#lapse.dispose();
    this.#nextLook?.dispose();
    this.#gathered?.dispose();
    for (const connection of this.#connections.values()) connection.abort();
    this.#connections.clear();
    this.#changed.dispose();
  }

  #takeOwnership(): Promise<boolean> {
    this.#owned ??= this.#ports.owner.take().then((isOurs) => {
      if (!isOurs && !isReading(this.#state)) this.#owned = undefined;
      return isOurs;
    });
    return this.#owned;
  }

  /** Owns the conversation while a request is under way, and until other windows can read what came of it. */
  #updateOwnership(): void {
    if (isReading(this.#state)) void this.#takeOwnership();
    else if (this.#owned !== undefined)
      void this.#ports.recorded().then(() => {
        if (isReading(this.#state) || this.#answering > 0) return;
        this.#owned = undefined;
        void this.#ports.owner.release();
      });
  }

  #step(event: ConversationEvent): void {
    const { clock, newId, random, selfDriveAllowed } = this.#ports;
    const { state, effects } = reduce(this.#state, event, {
      now: clock.now(),
      id: newId,
      random,
      selfDriveAllowed: selfDriveAllowed(),
      session: this.transcript.session,
      isForgotten: this.transcript.isForgotten,
      isCostReached: this.transcript.isCostReached,
    });
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
        void this.#read(effect);
        return;
      case 'abort':
        this.#connections.get(effect.request)?.abort();
        this.#connections.delete(effect.request);
        return;
      case 'timer':
        this.#timer.set(effect.at);
        return;
      case 'ask':
        this.#ask(effect.question);
        return;
      case 'withdraw':
        desk.end(effect.question, { kind: effect.why });
        return;
      case 'cancel':
        void this.#cancel(effect.question);
        return;
      case 'report-outcome':
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

  #ask(question: AskableQuestion): void {
    const { desk, describe, recorded } = this.#ports;
    desk.arrive(describe(question, question.askedAt + INTERACTION_DEADLINE_MS), recorded());
  }

  async #cancel(question: OpenQuestion): Promise<void> {
    const { desk, owner } = this.#ports;
    await desk.answer(question.id, cancelOf(question));
    const isTaken = desk.get(question.id)?.stage === 'sending' || (await owner.isElsewhere());
    this.send({ type: 'cancel-done', question: question.id, isTaken });
  }

  async #read({ request, chat, isRecorded }: Extract<Effect, { type: 'request' }>): Promise<void> {
    const connection = new AbortController();
    const { signal } = connection;
    this.#connections.set(request, connection);
    this.#gathered = new Gatherer(this.#ports.clock, (events) => this.#handleEvents(events));
    try {
      // Whoever reads the record after a crash is to know that an answer may have arrived, or that self-drive is used up.
      if (isRecorded) await this.#ports.recorded();
      if (signal.aborted) return;
      const stream = this.#ports.client().streamChat(this.transcript.intern, chat, {
        tag: this.id,
        signal,
        onResponse: () => this.send({ type: 'opened', request }),
        onSilence: (quietMs) => {
          this.#ports.silent(quietMs);
          this.send({ type: 'silent', request });
        },
        onSound: () => this.send({ type: 'heard', request }),
      });
      for await (const events of stream) this.#receive(request, events);
      this.#connections.delete(request);
      this.send({ type: 'ended', request });
    } catch (error) {
      this.#connections.delete(request);
      this.send({ type: 'failed', request, error: toApiError(error) });
    }
  }

  #receive(request: string, events: readonly ChatEvent[]): void {
    const exchange = this.#exchange;
    if (exchange?.request !== request) return;
    this.#gathered?.push(events);
    this.#meter.count(exchange.run, events);
  }

  /**
   * Handles what a response said. Text alone goes to the record and to whoever shows it, and past the machine, since it
   * changes no state; unless it comes first after an answer, and so says that it was taken.
   */
  #handleEvents(events: readonly ChatEvent[]): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    const { request, run } = exchange;
    if (!events.every(isText) || replyUnderWay(exchange) !== undefined) {
      this.send({ type: 'streamed', request, events });
      return;
    }
    for (const { kind, text } of events) this.#record({ type: kind, run, text });
    this.#fireChange(this.#state);
  }

  /** What is asked of the service now; undefined while nothing is. */
  get #exchange(): Exchange | undefined {
    const { phase } = this.#state;
    return phase.kind === 'requesting' ? phase.exchange : undefined;
  }

  /** Fires what changed since the state was `before`. */
  #fireChange(before: ConversationState): void {
    const transcript = this.#changes;
    this.#changes = [];
    const state = this.#state !== before || transcript.some(({ kind }) => kind === 'meta');
    if (state || transcript.length > 0) this.#changed.fire({ transcript, state });
  }
}

/** The client throws nothing else; anything else is a fault of ours, told without its text. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({ kind: 'unexpected-answer', route: 'chat', message: String(error) });
}
