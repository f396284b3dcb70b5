import {
  REASONS,
  redactor,
  type Answer,
  type ApiError,
  type ApprovalMode,
  type ChatEvent,
  type ChatRequest,
} from '../../api/index.ts';
import type { EntryBody } from '../journal.ts';
import type { AnswerOutcome, Withdrawal } from '../questions/types.ts';
import type { WhenUnanswered } from '../questions/unanswered.ts';
import type {
  AskableQuestion,
  ConversationState,
  RequestAttempt,
  Prompt,
  QueuedPrompt,
  SelfDriveTerm,
} from './state.ts';

/** True if the user said to send the prompt although the cost limit is reached. */
interface CostOverride {
  readonly overrideCostLimit?: boolean;
}

/** Everything that can happen to a conversation. */
export type ConversationEvent =
  | ({ readonly type: 'submit'; readonly prompt: Prompt } & CostOverride)
  /** The last prompt once more, as a run of its own. */
  | ({
      readonly type: 'resubmit';
      readonly prompt: Prompt;
      readonly edited: boolean;
    } & CostOverride)
  | { readonly type: 'stop' }
  /** `lasts` is of self-drive; without it that is on until it is switched off. */
  | { readonly type: 'set-mode'; readonly mode: ApprovalMode; readonly lasts?: SelfDriveTerm }
  /** `reason`: why its user rejects what is asked, as the next prompt. */
  | {
      readonly type: 'answer';
      readonly question: string;
      readonly answer: Answer;
      readonly reason?: string | undefined;
    }
  /** Nobody has answered a question, and its time is nearly up. */
  | { readonly type: 'unanswered'; readonly question: string }
  /** This window owns the conversation, and may cancel the question of a run that was stopped. */
  | { readonly type: 'cancel'; readonly question: string }
  /** The question could not be canceled, because another window owns the conversation. */
  | { readonly type: 'not-cancelled'; readonly question: string }
  | { readonly type: 'edit-queued'; readonly id: string; readonly prompt: Prompt }
  | { readonly type: 'remove-queued'; readonly id: string }
  /** Prompts that waited when the window went away: held for the user. */
  | { readonly type: 'requeue'; readonly queue: readonly QueuedPrompt[] }
  /** Sends what waits: a held prompt now, or the queue that was held for the user. */
  | ({ readonly type: 'send-now' } & CostOverride)
  /** Answers the pending question with `cancel`, then sends the queue. */
  | ({ readonly type: 'cancel-and-send' } & CostOverride)
  /** Leaves the paused run without an answer, and then sends the queue. */
  | ({ readonly type: 'give-up-and-send' } & CostOverride)
  /** Headers of an accepted response. */
  | { readonly type: 'opened'; readonly request: string }
  /** Nothing has come of a response for so long that its stream may be dead, or bytes came again after that. */
  | { readonly type: 'silent' | 'heard'; readonly request: string }
  | { readonly type: 'streamed'; readonly request: string; readonly events: readonly ChatEvent[] }
  /** The stream ended with finish chunk, final chunk and `[DONE]`. */
  | { readonly type: 'ended'; readonly request: string }
  | { readonly type: 'failed'; readonly request: string; readonly error: ApiError }
  /** The time has come that {@link dueAt} named, epoch ms. */
  | { readonly type: 'due'; readonly at: number }
  /** The state was read from the transcript, at start or because another window recorded something. */
  | {
      readonly type: 'restored';
      readonly state: RestoredState;
      /** Whether the last run came to a good end. */
      readonly endedWell: boolean;
    };

export type RestoredState = Pick<
  ConversationState,
  'mode' | 'selfDriveLimit' | 'phase' | 'questions' | 'leftAt'
>;

/** Everything that a conversation asks of its ports. */
export type Effect =
  | { readonly type: 'record'; readonly entry: EntryBody }
  | {
      readonly type: 'request';
      readonly request: string;
      readonly chat: ChatRequest;
      /** Goes out once what was recorded before is on disk. */
      readonly isRecorded: boolean;
    }
  /** Hangs up the request under way. */
  | { readonly type: 'abort' }
  | { readonly type: 'ask'; readonly question: AskableQuestion }
  /** The question is over without an answer of the user's. */
  | { readonly type: 'withdraw'; readonly question: string; readonly why: Withdrawal }
  /** Takes the conversation over, so that a stopped run's question can be canceled. */
  | { readonly type: 'cancel'; readonly question: string }
  /** What became of an answer; undefined where none was given. */
  | {
      readonly type: 'report-outcome';
      readonly question: string;
      readonly outcome: AnswerOutcome | undefined;
    }
  /** A response showed whether the intern runs (interface: Intern status). */
  | { readonly type: 'observed-status'; readonly running: boolean }
  /** A run came to its end by itself, after so many ms. */
  | {
      readonly type: 'run-ended';
      readonly run: string;
      readonly ok: boolean;
      readonly tookMs: number;
    };

/** What the machine may not make up itself. */
export interface Environment {
  /** Epoch ms. */
  readonly now: number;
  /** A fresh unique id. */
  readonly id: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Whether a prompt may go out in self-drive at all: never from an untrusted workspace. */
  readonly selfDriveAllowed: boolean;
  /** The session that the next prompt goes on in, as the transcript has it; null: it starts a new one. */
  readonly session: string | null;
  /** Whether the intern will not remember what was said: its session is not known. */
  readonly isForgotten: boolean;
  /** Whether the conversation has cost what its user allowed, by all that is on record. */
  readonly isCostReached: boolean;
  /** What becomes of a question that nobody answers. */
  readonly whenUnanswered: WhenUnanswered;
}

/** A step of the machine as it is taken: the state so far and the effects in their order. */
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

  /** The attempt under way, where it is the one of this request. */
  attempt(request: string): RequestAttempt | undefined {
    const { phase } = this.#state;
    return phase.kind === 'requesting' && phase.attempt.request === request
      ? phase.attempt
      : undefined;
  }

  set(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change };
  }

  /** Changes the attempt of a request that is under way. */
  update(attempt: RequestAttempt, change: Partial<RequestAttempt>): RequestAttempt {
    const next = { ...attempt, ...change };
    this.set({ phase: { kind: 'requesting', attempt: next } });
    return next;
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Records an entry, in which the service repeats no value that was submitted in the run. */
  record(entry: EntryBody): void {
    this.emit({ type: 'record', entry: withoutSubmitted(entry, this.#state.submitted) });
  }
}

/** Withholds what the service says in an entry if that repeats a submitted value. */
function withoutSubmitted(entry: EntryBody, submitted: readonly string[]): EntryBody {
  if (!('failure' in entry) || entry.failure === undefined) return entry;
  const { failure } = entry;
  const { message, reason } = failure;
  return {
    ...entry,
    failure: {
      ...failure,
      message: redactor({ values: submitted })(message),
      ...(reason !== undefined && {
        reason: redactor({ values: submitted, names: REASONS })(reason),
      }),
    },
  };
}
