import type { Answer } from '../api/index.ts';
import { Alarm } from '../base/clock.ts';
import { DisposableBase, DisposableStore, type Disposable, Emitter } from '../base/disposable.ts';
import { questionDeadline } from '../base/limits.ts';
import { isSendingAnswer } from './machine/answers.ts';
import {
  nextDueAt,
  reduce,
  restoredEvent,
  waitsForAnswer,
  wasUnderWay,
  type ResponseSource,
} from './machine/reduce.ts';
import {
  canStop,
  INITIAL_CONVERSATION_STATE,
  isReadingStream,
  STOP_TIMEOUT_MS,
  type ConversationState,
  type OpenQuestion,
} from './machine/state.ts';
import type { ConversationEvent, CountedEvent, Effect, EventOf } from './machine/transition.ts';
import type { JournalEntry, EntryBody } from './journal.ts';
import type { ConversationChange, ConversationPorts } from './ports.ts';
import type { AnswerOutcome } from './questions/types.ts';
import { isText, ResponseReader } from './responseReader.ts';
import { Transcript } from './transcript.ts';
import type { TranscriptChange } from './messages.ts';

/** How often a window checks whether another one that reads the run is still alive, in ms. */
const OWNER_CHECK_INTERVAL_MS = 5_000;
/** How often a window checks whether another one has released the conversation after its run, in ms. */
const RELEASE_CHECK_INTERVAL_MS = 250;
/** How long another window may take to stop its run, in ms. */
const STOP_ELSEWHERE_TIMEOUT_MS = 2_000;

/** An open conversation: runs the machine, reads its responses, and folds its entries into the transcript. */
export class Conversation extends DisposableBase {
  readonly id: string;
  readonly #ports: ConversationPorts;
  readonly #changed = this.own(new Emitter<ConversationChange>());
  /** The reader of the current or last response, which this window need not take over. */
  #reader: ResponseReader | undefined;
  /** Resolves when the last response was read and removed. */
  #reading: Promise<void> = Promise.resolve();
  readonly #answers = new Map<string, (outcome: AnswerOutcome | undefined) => void>();
  readonly #pendingEvents: ConversationEvent[] = [];
  readonly transcript: Transcript;
  #state: ConversationState = INITIAL_CONVERSATION_STATE;
  readonly #alarm: Alarm;
  /** Checks whether the window that reads the run is still alive. */
  #nextOwnerCheck: Disposable | undefined;
  #releaseTimer: Disposable | undefined;
  #stopTimer: Disposable | undefined;
  /** The number of attempts to own the conversation that have not ended. */
  #claims = 0;
  /** Resolves when the last prompt is sent, or waits for another window. */
  whenSent: Promise<unknown> = Promise.resolve();
  /** True if the record has something that is not in the state yet. */
  #hasUnreadEntries = true;
  #changes: TranscriptChange[] = [];
  #isStepping = false;

  constructor(id: string, transcript: Transcript, ports: ConversationPorts) {
    super();
    this.id = id;
    this.transcript = transcript;
    this.#ports = ports;
    this.#alarm = this.own(new Alarm(ports.clock, (at) => this.send({ type: 'due', at })));
  }

  readonly onDidChange = this.#changed.event;

  get state(): ConversationState {
    return this.#state;
  }

  /** Steps the machine, and performs its effects before it returns. */
  send(event: ConversationEvent): void {
    if (this.isDisposed) return;
    if (!this.#isStepping) this.#reader?.flush();
    const events = this.#pendingEvents;
    events.push(event);
    if (this.#isStepping) return;
    const before = this.#state;
    this.#isStepping = true;
    try {
      for (let next = events.shift(); next !== undefined; next = events.shift()) this.#step(next);
    } finally {
      this.#isStepping = false;
    }
    this.#alarm.set(nextDueAt(this.#state));
    void this.#releaseOwnership();
    this.#fireChange(before);
  }

  /**
   * Stops the run, and resolves when it is left. A paused run is left when the service has accepted the `cancel` of its
   * question, but after {@link STOP_TIMEOUT_MS} at the latest.
   */
  async stopRun(): Promise<void> {
    this.send({ type: 'stop' });
    const waiting = new DisposableStore();
    if (canStop(this.#state))
      await new Promise<void>((resolve) => {
        waiting.add(this.onDidChange(() => !canStop(this.#state) && resolve()));
        waiting.add(this.#ports.clock.setTimeout(resolve, STOP_TIMEOUT_MS));
      });
    waiting.dispose();
    this.send({ type: 'stop' });
  }

  /** True if the cost limit of the day is reached. */
  get isDailyCostReached(): boolean {
    return this.#ports.isDailyCostReached();
  }

  /** When the question that is asked now probably expires, epoch ms (interface: Limits, Interaction deadline). */
  get deadline(): number | undefined {
    const [question] = this.#state.phase.kind === 'paused' ? this.#state.questions : [];
    return question && this.#deadlineOf(question);
  }

  readonly #deadlineOf = (question: OpenQuestion): number =>
    this.#ports.pendingQuestions.deadline(question.id) ?? questionDeadline(question);

  /**
   * Sends the user's answer to a question, and resolves with its outcome. Resolves with undefined if nothing was sent:
   * another window owns the conversation or has closed the question, or another answer is on its way.
   */
  answer(question: string, answer: Answer, reason?: string): Promise<AnswerOutcome | undefined> {
    return this.#answerAsOwner({ type: 'answer', question, answer, reason });
  }

  /** Applies the policy for unanswered questions. Undefined also if an answer was tried before. */
  applyUnansweredPolicy(question: string): Promise<AnswerOutcome | undefined> {
    return this.#answerAsOwner({ type: 'unanswered', question });
  }

  /** Sends an event as the owner of the conversation, after the whole record was read. Resolves with its outcome. */
  async #answerAsOwner(
    event: EventOf<'answer' | 'unanswered'>,
  ): Promise<AnswerOutcome | undefined> {
    const { question } = event;
    let outcome: Promise<AnswerOutcome | undefined> | undefined;
    await this.#asOwner(() => {
      const stage = this.transcript.question(question)?.stage;
      if (stage === 'over' || (event.type === 'unanswered' && stage !== 'open')) return;
      if (this.#answers.has(question)) return;
      outcome = this.#outcomeOf(question);
      this.send(event);
    });
    return outcome;
  }

  #outcomeOf(question: string): Promise<AnswerOutcome | undefined> {
    return new Promise((resolve) => this.#answers.set(question, resolve));
  }

  /** Cancels the question of a stopped run, or sends the head of the queue, as the owner of the conversation. */
  async #claim(question: string | undefined): Promise<void> {
    if (question !== undefined)
      this.#ports.pendingQuestions.followOutcome(question, this.#outcomeOf(question));
    if (await this.#asOwner(() => this.send({ type: 'claimed', isOurs: true, question }))) return;
    this.send({ type: 'claimed', isOurs: false, question });
    await this.resume();
  }

  /** Takes ownership, reads the rest of the record, and then works. Returns false if another window has ownership. */
  async #asOwner(work: () => void = () => undefined): Promise<boolean> {
    this.#claims += 1;
    try {
      const source = await this.#takeOver();
      if (this.isDisposed) return false;
      const { kind } = this.#state.phase;
      const isCurrent = source !== 'stream-keeper' && !this.#hasUnreadEntries;
      // `restore` would forget that the user chose to send a prompt without waiting for the last run.
      if (!isCurrent || (kind !== 'paused' && kind !== 'claiming')) this.restore(source);
      const isOwner = source !== 'other-window';
      if (isOwner) work();
      return isOwner;
    } finally {
      this.#claims -= 1;
      void this.#releaseOwnership();
    }
  }

  /** Sets the state from the record: at start, when another window records, and regularly while it reads the run. */
  async resume(): Promise<void> {
    // The last owner has recorded the end of its run, which the watcher may not have reported yet.
    await this.#ports.catchUp();
    const { phase, queue } = this.#state;
    // Other windows of the workspace have the same queue.
    const waits = phase.kind === 'elsewhere' && queue.length > 0;
    if (wasUnderWay(this.transcript) || waits || (await this.#findResponse()) !== 'none')
      await this.#asOwner();
    else this.restore('none');
    this.#nextOwnerCheck?.dispose();
    if (this.isDisposed || this.#state.phase.kind !== 'elsewhere') return;
    const isRunning = this.transcript.lastReply?.endedAt === null;
    const interval = isRunning ? OWNER_CHECK_INTERVAL_MS : RELEASE_CHECK_INTERVAL_MS;
    this.#nextOwnerCheck = this.#ports.clock.setTimeout(() => void this.resume(), interval);
  }

  /** Takes ownership, and returns where the response of the last owner is, if it is not on record. */
  async #takeOver(): Promise<ResponseSource> {
    if (!(await this.#ports.owner.take())) return 'other-window';
    // The last owner may have recorded more meanwhile.
    await this.#ports.catchUp();
    const source = await this.#findResponse();
    const { lastResponse, lastReply } = this.transcript;
    const isOrphaned = wasUnderWay(this.transcript) && !isReadingStream(this.#state);
    if (source !== 'none' || !isOrphaned || lastResponse === null) return source;
    if (lastReply?.requestedBy === 'window' || lastReply?.failure) return 'none';
    // Otherwise a keeper might send the request after its run was recorded as interrupted.
    return (await this.#ports.responses.reserve(lastResponse.id)) ? 'none' : 'stream-keeper';
  }

  /** Looks for a response of the last run that is not on record. */
  async #findResponse(): Promise<ResponseSource> {
    const { lastResponse, lastReply } = this.transcript;
    if (lastResponse === null || lastResponse.run !== lastReply?.id) return 'none';
    const { id } = lastResponse;
    if (id === this.#reader?.request || lastReply.state === 'cut') return 'none';
    const isOver = lastReply.state === 'failed' || lastReply.state === 'stopped';
    if (isOver) await this.#ports.responses.remove(id);
    const found = isOver ? 'none' : await this.#ports.responses.find(id);
    return ({ none: 'none', readable: 'stream-keeper', foreign: 'other-window' } as const)[found];
  }

  /** Sets the state from the transcript. */
  restore(source: ResponseSource): void {
    const isReading = isReadingStream(this.#state);
    this.#hasUnreadEntries &&= isReading;
    const reply = this.transcript.lastReply;
    const isUnfinished = reply?.endedAt === null && !waitsForAnswer(this.transcript);
    // Without ownership, the run may be one that another window has just begun.
    if (isUnfinished && source === 'none' && !isReading && this.#ports.owner.isOurs) {
      const { id: run, failure } = reply;
      // The user may have stopped the run after its window was gone.
      if (this.transcript.isStopRequested) this.#record({ type: 'stopped', run });
      else this.#record(failure ? { type: 'failed', run, failure } : { type: 'cut', run });
      for (const { id } of this.transcript.openQuestions)
        this.#record({ type: 'closed', question: id, why: 'run-ended' });
    }
    const before = this.#state.questions;
    this.send(restoredEvent(this.transcript, source));
    const open = new Set(this.#state.questions.map(({ id }) => id));
    for (const { id } of before)
      if (!open.has(id)) this.#ports.pendingQuestions.endQuestion(id, { kind: 'elsewhere' });
    if (source === 'stream-keeper' && this.transcript.isStopRequested) this.send({ type: 'stop' });
  }

  /** Applies what another window recorded. Text alone changes no state. */
  follow(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#changes.push(...this.transcript.apply(entry));
    this.#fireChange(this.#state);
    if (entries.every(({ type }) => type === 'text' || type === 'reasoning')) return;
    this.#hasUnreadEntries = true;
    const { phase } = this.#state;
    const run = 'attempt' in phase ? phase.attempt.run : undefined;
    if (entries.some((entry) => entry.type === 'stopping' && entry.run === run))
      this.send({ type: 'stop' });
    // The user may send a prompt before the rest is restored.
    const { mode, selfDriveLimit } = this.transcript;
    if (entries.some(({ type }) => type === 'mode'))
      this.send({ type: 'follow-mode', mode, selfDriveLimit });
    for (const { id } of this.#state.queue)
      if (this.transcript.reply(id) !== undefined) this.send({ type: 'remove-queued', id });
    void this.resume();
  }

  /** Records something that does not concern the machine, such as a title. */
  record(entry: EntryBody): void {
    this.#record(entry);
    this.#fireChange(this.#state);
  }

  override dispose(): void {
    super.dispose();
    this.#nextOwnerCheck?.dispose();
    this.#releaseTimer?.dispose();
    this.#stopTimer?.dispose();
    this.#reader?.dispose();
  }

  /** Releases the conversation if nothing needs it, once its results are on disk for other windows. */
  async #releaseOwnership(): Promise<void> {
    const { owner, whenRecorded, clock } = this.#ports;
    const isNeeded = () => isReadingStream(this.#state) || this.#claims > 0;
    if (!owner.isOurs || isNeeded()) return;
    const [isWhole] = await Promise.all([whenRecorded(), this.#reading]);
    if (this.isDisposed || isNeeded()) return;
    if (isWhole) {
      void owner.release();
      return;
    }
    // Otherwise the next owner would record the missing entries again.
    this.#releaseTimer?.dispose();
    const retry = () => void this.#releaseOwnership();
    this.#releaseTimer = clock.setTimeout(retry, OWNER_CHECK_INTERVAL_MS);
  }

  /** Ends the run of another window if that window does not stop it within {@link STOP_ELSEWHERE_TIMEOUT_MS}. */
  #stopElsewhere(run: string): void {
    this.#stopTimer?.dispose();
    this.#stopTimer = this.#ports.clock.setTimeout(() => {
      const { phase } = this.#state;
      const { lastResponse } = this.transcript;
      if (!('run' in phase) || phase.run !== run) return;
      // The intern asked before that window knew of the Stop.
      if (phase.kind === 'paused') this.send({ type: 'stop' });
      else if (lastResponse?.run === run) void this.#ports.responses.remove(lastResponse.id);
    }, STOP_ELSEWHERE_TIMEOUT_MS);
  }

  #step(event: ConversationEvent): void {
    const { clock, newId, random, selfDriveAllowed, isDailyCostReached } = this.#ports;
    const { session, isForgotten, whenUnanswered } = this.transcript;
    const handledAt = clock.now();
    const { state, effects } = reduce(this.#state, event, {
      now: 'receivedAt' in event ? event.receivedAt : handledAt,
      handledAt,
      isOwner: this.#ports.owner.isOurs,
      newId,
      random,
      selfDriveAllowed,
      session,
      isForgotten,
      whenUnanswered,
      maybeReceived: (question) => this.transcript.question(question)?.maybeReceived ?? null,
      isCostReached: () => this.transcript.isCostReached || isDailyCostReached(),
      deadlineOf: this.#deadlineOf,
    });
    this.#state = state;
    for (const effect of effects) {
      const perform = this.#performers[effect.type] as (effect: Effect) => void;
      perform(effect);
    }
  }

  readonly #performers: {
    readonly [K in Effect['type']]: (effect: Extract<Effect, { type: K }>) => void;
  } = {
    record: ({ entry, at, events }) => this.#record(entry, at, events),
    request: (effect) => {
      this.#reader = new ResponseReader(effect, this.transcript, this.#ports, {
        send: (event) => this.send(event),
        onEvents: (events, receivedAt) => this.#handleEvents(effect.request, events, receivedAt),
      });
      this.#reading = this.#reader.read(this.id);
    },
    'stop-elsewhere': ({ run }) => this.#stopElsewhere(run),
    abort: () => this.#reader?.abort(),
    ask: ({ question }) => this.#ports.pendingQuestions.add(this.#ports.describeQuestion(question)),
    withdraw: ({ question, why }) =>
      this.#ports.pendingQuestions.endQuestion(question, { kind: why }),
    claim: ({ question }) => {
      this.whenSent = this.#claim(question);
    },
    'report-outcome': ({ question, outcome }) => {
      this.#answers.get(question)?.(outcome);
      this.#answers.delete(question);
    },
    'run-ended': (end) => this.#ports.onRunEnd(end),
  };

  #record(body: EntryBody, at = this.#ports.clock.now(), events?: number): void {
    const stamp = { id: this.#ports.newId(), at, ...(events !== undefined && { events }) };
    const entry: JournalEntry = { ...body, ...stamp };
    this.#changes.push(...this.transcript.apply(entry));
    this.#ports.append(entry);
  }

  /**
   * Handles events of a response. Text alone changes no state and bypasses the machine, unless it is the first sign that
   * an answer was accepted.
   */
  #handleEvents(request: string, events: readonly CountedEvent[], receivedAt: number): void {
    const { phase } = this.#state;
    if (phase.kind !== 'requesting' || phase.attempt.request !== request) return;
    const { run } = phase.attempt;
    if (!events.every(isText) || isSendingAnswer(phase.attempt)) {
      this.send({ type: 'streamed', request, events, receivedAt });
      return;
    }
    for (const { event, upTo } of events)
      this.#record({ type: event.kind, run, text: event.text }, receivedAt, upTo);
    this.#fireChange(this.#state);
  }

  #fireChange(before: ConversationState): void {
    const transcript = this.#changes;
    this.#changes = [];
    const stateChanged = this.#state !== before || transcript.some(({ kind }) => kind === 'meta');
    if (stateChanged || transcript.length > 0) this.#changed.fire({ transcript, stateChanged });
  }
}
