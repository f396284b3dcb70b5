import {
  REASONS,
  isReason,
  createRedactor,
  type Answer,
  type ApiError,
  type ApprovalMode,
  type ChatEvent,
  type ChatRequest,
} from '../../api/index.ts';
import type { EntryBody } from '../journal.ts';
import type { Prompt } from '../messages.ts';
import type { AnswerOutcome, ConversationCloseReason, RecordedAnswer } from '../questions/types.ts';
import type { ConversationPorts } from '../ports.ts';
import type { WhenUnanswered } from '../questions/unanswered.ts';
import type {
  AskableQuestion,
  ConversationState,
  OpenQuestion,
  RequestAttempt,
  QueuedPrompt,
  SelfDriveTerm,
} from './state.ts';

/** A union of objects, each with its key in `T` as its type. */
type Tagged<T> = { [K in keyof T]: { readonly type: K } & Readonly<T[K]> }[keyof T];

interface CostOverride {
  /** True if the user agreed to exceed the cost limit for the prompt. */
  readonly overrideCostLimit?: boolean;
}

/** An event of a response, or several whose text was merged. */
export interface CountedEvent {
  readonly event: ChatEvent;
  /** The number of events of the response up to this one. */
  readonly upTo: number;
}

/** The request of an event, and when the event arrived, epoch ms. An event may be handled later than it arrived. */
interface Received {
  readonly request: string;
  readonly receivedAt: number;
}

export type ConversationEvent = Tagged<{
  submit: { prompt: Prompt } & CostOverride;
  stop: unknown;
  /** Stops the run, then sends a new prompt or the queued one with this ID before all others. */
  'stop-and-send': { prompt: Prompt | string } & CostOverride;
  /** `lasts` limits self-drive; without it, self-drive lasts until it is switched off. */
  'set-mode': { mode: ApprovalMode; lasts?: SelfDriveTerm };
  /** Another window has recorded a mode. */
  'follow-mode': Pick<ConversationState, 'mode' | 'selfDriveLimit'>;
  /** `reason` explains a rejection; it becomes the next prompt. */
  answer: { question: string; answer: Answer; reason?: string | undefined };
  /** A question was not answered, and its time is nearly up. */
  unanswered: { question: string };
  /** The result of `claim`: this window may cancel the question or send the prompt, or another window has ownership. */
  claimed: { isOurs: boolean; question: string | undefined };
  'edit-queued': { id: string; prompt: Prompt };
  /** The user edits these queued prompts from now on, and no others. */
  'editing-queued': { ids: readonly string[] };
  'remove-queued': { id: string };
  /** The queue waits until the user sends it. */
  'hold-queue': unknown;
  /** Restores the queue of an earlier window: held for the user, unless its run continues and it was not held there. */
  requeue: { queue: readonly QueuedPrompt[]; isHeld: boolean };
  /** Sends the waiting prompt, or the head of the held queue. */
  'send-now': CostOverride;
  /** Answers the pending question with `cancel`, then sends the queue. */
  'cancel-and-send': CostOverride;
  /** Leaves the paused run without an answer, then sends the queue. */
  'give-up-and-send': CostOverride;
  /** Headers of an accepted response. */
  opened: { request: string };
  /** A response has been silent for so long that its stream may be dead, or bytes arrived after that. */
  silence: { request: string; isSilent: boolean };
  streamed: Received & { events: readonly CountedEvent[] };
  /** The stream ended with finish chunk, final chunk and `[DONE]`. */
  ended: Received;
  failed: Received & { error: ApiError };
  /** The time that {@link nextDueAt} returned has come, epoch ms. */
  due: { at: number };
  /**
   * The state was read from the transcript: at start, or because another window recorded something or released the
   * conversation.
   */
  restored: { state: RestoredState; endedWell: boolean; isOwnedElsewhere: boolean };
}>;

export type EventOf<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>;

type RestoredState = Pick<
  ConversationState,
  'mode' | 'selfDriveLimit' | 'phase' | 'questions' | 'leftAt' | 'submitted'
>;

export type Effect = Tagged<{
  /** `at` is in epoch ms. `events` is the number of events of the response that are on record with the entry. */
  record: { entry: EntryBody; at: number; events?: number };
  /** `chat` is null if only the response is to be read. */
  request: { request: string; chat: ChatRequest | null };
  /** Stops a run that another window reads, if that window does not stop it soon. */
  'stop-elsewhere': { run: string };
  /** Aborts the current request. */
  abort: unknown;
  ask: { question: AskableQuestion };
  /** Ends a question that was not answered. */
  withdraw: { question: string; why: ConversationCloseReason };
  /** Takes ownership to cancel the question of a stopped run, or else to send the head of the queue. */
  claim: { question?: string };
  /** Reports the outcome of an answer; undefined if none was sent. */
  'report-outcome': { question: string; outcome: AnswerOutcome | undefined };
  /** A run ended without being stopped. */
  'run-ended': { endedWell: boolean; tookMs: number };
}>;

/** The values that the machine reads besides its state and the event. */
export interface Environment extends Pick<
  ConversationPorts,
  'newId' | 'random' | 'selfDriveAllowed'
> {
  /** When the event occurred, epoch ms. */
  readonly now: number;
  /** When the event is handled, epoch ms. A keeper may have stored the event for hours. */
  readonly handledAt: number;
  /** True if this window owns the conversation. Only its owner starts a run. */
  readonly isOwner: boolean;
  /** The session of the next prompt; null starts a new one. */
  readonly session: string | null;
  /** True if the intern has lost its memory of the conversation: its session is unknown. */
  readonly isForgotten: boolean;
  readonly whenUnanswered: WhenUnanswered;
  /** Returns the first answer to a question that failed and may still have been received, by the record. */
  readonly maybeReceived: (question: string) => RecordedAnswer | null;
  /** Returns whether the cost limit of the conversation or of the day is reached. */
  readonly isCostReached: () => boolean;
  /** Returns when the countdown of a question ends, epoch ms. */
  readonly deadlineOf: (question: OpenQuestion) => number;
}

/** One step of the machine: the state so far, and the effects in order. */
export class Transition {
  readonly effects: Effect[] = [];
  readonly env: Environment;
  #state: ConversationState;

  constructor(state: ConversationState, env: Environment) {
    this.#state = state;
    this.env = env;
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** Returns the current attempt if it is the one of this request. */
  attempt(request: string): RequestAttempt | undefined {
    const { phase } = this.#state;
    return phase.kind === 'requesting' && phase.attempt.request === request
      ? phase.attempt
      : undefined;
  }

  /** Changes the state. An empty queue is never held. */
  set(change: Partial<ConversationState>): void {
    const state = { ...this.#state, ...change };
    this.#state = { ...state, queueHeld: state.queueHeld && state.queue.length > 0 };
  }

  /** Changes the current attempt. */
  update(attempt: RequestAttempt, change: Partial<RequestAttempt>): void {
    this.set({ phase: { kind: 'requesting', attempt: { ...attempt, ...change } } });
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Records an entry without the values that were submitted in the run. */
  record(entry: EntryBody, at = this.env.now): void {
    this.emit({ type: 'record', entry: withoutSubmitted(entry, this.#state.submitted), at });
  }

  /** Adds the number of recorded events of the response to its last entry, unless that came before effect `since`. */
  noteEvents(events: number, since: number): void {
    const last = this.effects.findLastIndex(({ type }) => type === 'record');
    const effect = this.effects[last];
    if (last >= since && effect?.type === 'record') this.effects[last] = { ...effect, events };
  }
}

/** Redacts the service's words in an entry if they repeat a submitted value, or may repeat an unknown one. */
function withoutSubmitted(entry: EntryBody, submitted: readonly string[] | 'unknown'): EntryBody {
  if (!('failure' in entry) || entry.failure === undefined) return entry;
  const { failure } = entry;
  const { message, reason, ...rest } = failure;
  if (submitted === 'unknown') {
    const isListed = reason !== undefined && isReason(reason);
    return { ...entry, failure: { ...rest, message: '', ...(isListed && { reason }) } };
  }
  const redact = createRedactor({ values: submitted });
  const redactReason = createRedactor({ values: submitted, names: REASONS });
  const redacted = { ...failure, message: redact(message) };
  if (reason !== undefined) redacted.reason = redactReason(reason);
  return { ...entry, failure: redacted };
}
