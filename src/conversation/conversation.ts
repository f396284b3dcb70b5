import { ApiError, MAX_REPLY_CHARACTERS, type Answer, type ChatEvent } from '../api/index.ts';
import { Alarm } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { deadlineOf } from '../base/limits.ts';
import { answerUnderWay } from './machine/answers.ts';
import { dueAt, reduce, restoreState } from './machine/reduce.ts';
import {
  canStop,
  emptyConversation,
  isReading,
  leavePatienceMs,
  type ConversationState,
  type RequestAttempt,
} from './machine/state.ts';
import type { ConversationEvent, Effect } from './machine/transition.ts';
import type { JournalEntry, EntryBody } from './journal.ts';
import type { ConversationChange, ConversationPorts } from './ports.ts';
import type { AnswerOutcome } from './questions/types.ts';
import { Transcript } from './transcript.ts';
import { partSize, type TranscriptChange } from './messages.ts';

/** How often a window looks whether another one that reads a run still lives, in ms. */
const followMs = 5_000;
/** Text is recorded and shown at most this often: about two frames of a 60 Hz screen, in ms. */
const gatherMs = 30;

/**
 * One conversation, alive: runs the machine (machine/reduce.ts), reads the streams it asks for, and folds what it
 * records into the transcript. The only owner of its state; every window that shows it follows its changes.
 */
export class Conversation implements Disposable {
  readonly id: string;
  readonly #ports: ConversationPorts;
  readonly #changed = new Emitter<ConversationChange>();
  /** Hangs up the request that was made last. */
  #connection: AbortController | undefined;
  readonly #answers = new Map<string, (outcome: AnswerOutcome | undefined) => void>();
  readonly #inbox: ConversationEvent[] = [];
  /** Events of the response since the last flush. */
  #gathered: ChatEvent[] = [];
  #flushTimer: Disposable | undefined;
  #flushedAt = 0;
  readonly transcript: Transcript;
  #state: ConversationState = emptyConversation;
  readonly #alarm: Alarm;
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
    this.#alarm = new Alarm(ports.clock, (at) => this.send({ type: 'due', at }));
  }

  readonly onDidChange = this.#changed.event;

  get state(): ConversationState {
    return this.#state;
  }

  /** Tells the machine what happened; its effects are carried out before this returns. */
  send(event: ConversationEvent): void {
    // Late events of aborted streams are dropped: the record stays as it is.
    if (this.#disposed) return;
    if (!this.#busy) this.#flush();
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
    this.#alarm.set(dueAt(this.#state));
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
   * When the question that is asked now probably expires, in epoch ms by the clock as it is now. Five minutes are the
   * service's default (interface: Limits, Interaction deadline), so only the service can say whether a question is over.
   */
  get deadline(): number | undefined {
    const [question] = this.#state.phase.kind === 'paused' ? this.#state.questions : [];
    return question && (this.#ports.pendingQuestions.deadline(question.id) ?? deadlineOf(question));
  }

  /**
   * Sends the user's answer to a question, with a `reason` to come after a rejection, and resolves with what the service
   * made of it. Undefined if another window owns the conversation or has closed the question, or another answer is on its
   * way: nothing is sent then.
   */
  answer(question: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    return this.#answerAs({ type: 'answer', question, answer, reason });
  }

  /** Applies the conversation's policy for unanswered questions; as {@link answer}. Undefined also if an answer was tried. */
  answerAutomatically(question: string): Promise<AnswerOutcome | undefined> {
    return this.#answerAs({ type: 'unanswered', question });
  }

  /** Sends an event that answers a question, as the owner of the conversation and with the whole record read. */
  async #answerAs(
    event: Extract<ConversationEvent, { type: 'answer' | 'unanswered' | 'cancel' }>,
  ): Promise<AnswerOutcome | undefined> {
    const { question } = event;
    this.#answering += 1;
    try {
      if (!(await this.#takeOwnership())) return undefined;
      await this.#ports.catchUp();
      if (this.#disposed) return undefined;
      if (this.#isBehind || this.#state.phase.kind === 'elsewhere') this.restore(false);
      const stage = this.transcript.question(question)?.stage;
      if (stage === 'over' || (event.type === 'unanswered' && stage !== 'open')) return undefined;
    } finally {
      this.#answering -= 1;
      this.#updateOwnership();
    }
    if (this.#answers.has(question)) return undefined;
    return new Promise((resolve) => {
      this.#answers.set(question, resolve);
      this.send(event);
    });
  }

  /** Cancels the question of a run that the user stopped. `PendingQuestions` follows the outcome, as of any answer. */
  async #cancel(question: string): Promise<void> {
    const outcome = this.#answerAs({ type: 'cancel', question });
    this.#ports.pendingQuestions.follow(question, outcome);
    if ((await outcome) === undefined) this.send({ type: 'not-cancelled', question });
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
    const isOurs = isReading(this.#state);
    this.#isBehind &&= isOurs;
    const reply = this.transcript.lastReply;
    if (reply?.state === 'working' && !runsElsewhere && !isOurs)
      this.#record({ type: 'cut', run: reply.id });
    const before = this.#state.questions;
    this.send({
      type: 'restored',
      state: restoreState(this.transcript, runsElsewhere),
      endedWell: this.transcript.lastReply?.state === 'done',
    });
    const open = new Set(this.#state.questions.map(({ id }) => id));
    for (const { id } of before)
      if (!open.has(id)) this.#ports.pendingQuestions.end(id, { kind: 'elsewhere' });
  }

  /** Applies what another window recorded, and resumes from there; text alone changes no state. */
  follow(entries: readonly JournalEntry[]): void {
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
    this.#alarm.dispose();
    this.#nextLook?.dispose();
    this.#flushTimer?.dispose();
    this.#connection?.abort();
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
      whenUnanswered: this.transcript.whenUnanswered,
    });
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    const { pendingQuestions, describe } = this.#ports;
    switch (effect.type) {
      case 'record':
        this.#record(effect.entry);
        return;
      case 'request':
        void this.#read(effect);
        return;
      case 'abort':
        this.#connection?.abort();
        return;
      case 'ask':
        pendingQuestions.arrive(describe(effect.question));
        return;
      case 'withdraw':
        pendingQuestions.end(effect.question, { kind: effect.why });
        return;
      case 'cancel':
        void this.#cancel(effect.question);
        return;
      case 'report-outcome':
        this.#answers.get(effect.question)?.(effect.outcome);
        this.#answers.delete(effect.question);
        return;
      case 'observed-status':
        this.#ports.observedStatus(effect.running);
        return;
      case 'run-ended':
        this.#ports.runEnded(effect);
        return;
    }
  }

  #record(body: EntryBody): void {
    const entry: JournalEntry = { ...body, id: this.#ports.newId(), at: this.#ports.clock.now() };
    this.#changes.push(...this.transcript.apply(entry));
    this.#ports.append(entry);
  }

  async #read({ request, chat, isRecorded }: Extract<Effect, { type: 'request' }>): Promise<void> {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    this.#flushedAt = Number.NEGATIVE_INFINITY;
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
        onSilenceEnd: () => this.send({ type: 'heard', request }),
      });
      for await (const events of stream) this.#receive(request, events);
      this.send({ type: 'ended', request });
    } catch (error) {
      // The client throws nothing else; anything else is a fault of ours.
      const fault = { kind: 'unexpected-answer', route: 'chat', message: String(error) } as const;
      const known = error instanceof ApiError ? error : new ApiError(fault);
      this.send({ type: 'failed', request, error: known });
    }
  }

  /** Takes what a response said. The first text is handled at once; more text is merged for {@link gatherMs}. */
  #receive(request: string, events: readonly ChatEvent[]): void {
    const attempt = this.#attempt;
    if (attempt?.request !== request) return;
    for (const event of events) gather(this.#gathered, event);
    const { clock } = this.#ports;
    const waitMs = gatherMs - (clock.monotonic() - this.#flushedAt);
    if (waitMs <= 0 || !events.every(isText)) this.#flush();
    else this.#flushTimer ??= clock.setTimeout(() => this.#flush(), waitMs);
    const size = sizeOf(this.#gathered) + this.transcript.sizeOf(attempt.run);
    const message = `The reply has more than ${MAX_REPLY_CHARACTERS} characters`;
    if (size > MAX_REPLY_CHARACTERS)
      throw new ApiError({ kind: 'reply-too-long', route: 'chat', message, inStream: true });
  }

  /**
   * Handles what was gathered. Text alone goes to the record and to whoever shows it, and past the machine, since it
   * changes no state; unless it comes first after an answer, and so says that it was taken.
   */
  #flush(): void {
    const events = this.#gathered;
    const attempt = this.#attempt;
    this.#flushTimer?.dispose();
    this.#flushTimer = undefined;
    this.#gathered = [];
    if (events.length === 0 || attempt === undefined) return;
    this.#flushedAt = this.#ports.clock.monotonic();
    const { request, run } = attempt;
    if (!events.every(isText) || answerUnderWay(attempt) !== undefined) {
      this.send({ type: 'streamed', request, events });
      return;
    }
    for (const { kind, text } of events) this.#record({ type: kind, run, text });
    this.#fireChange(this.#state);
  }

  /** What is asked of the service now; undefined while nothing is. */
  get #attempt(): RequestAttempt | undefined {
    const { phase } = this.#state;
    return phase.kind === 'requesting' ? phase.attempt : undefined;
  }

  /** Fires what changed since the state was `before`. */
  #fireChange(before: ConversationState): void {
    const transcript = this.#changes;
    this.#changes = [];
    const state = this.#state !== before || transcript.some(({ kind }) => kind === 'meta');
    if (state || transcript.length > 0) this.#changed.fire({ transcript, state });
  }
}

function isText(event: ChatEvent): event is Extract<ChatEvent, { kind: 'text' | 'reasoning' }> {
  return event.kind === 'text' || event.kind === 'reasoning';
}

/** Adds an event to others, text to text of its kind. */
function gather(events: ChatEvent[], event: ChatEvent): void {
  const last = events.at(-1);
  if (last !== undefined && isText(last) && isText(event) && last.kind === event.kind)
    events[events.length - 1] = { ...event, text: last.text + event.text };
  else events.push(event);
}

/** The size that events add to a reply, as {@link Transcript.sizeOf} counts it. */
function sizeOf(events: readonly ChatEvent[]): number {
  return events.reduce((sum, event) => sum + partSize + (isText(event) ? event.text.length : 0), 0);
}
