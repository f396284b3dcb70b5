import type { ApiError, ApprovalMode, ChatRequest, ReadableQuestion } from '../../api/index.ts';
import type { SelfDriveLimit } from '../journal.ts';
import type { Prompt, QuestionPart, ReplyMessage } from '../messages.ts';
import type { RecordedAnswer } from '../questions/types.ts';

/** How long self-drive lasts. */
export type SelfDriveTerm = 'this-prompt' | '30-minutes' | 'until-switched-off';

export interface QueuedPrompt extends Prompt {
  /** Also the ID of its run, so that the record shows that it was sent. */
  readonly id: string;
  /** The mode when the prompt was queued. It is used when the prompt is sent, even if the conversation's mode has changed. */
  readonly mode: ApprovalMode;
  /** When self-drive ends, as known when the prompt was queued. A prompt sent after that is sent in manual mode. */
  readonly limit?: SelfDriveLimit;
  /** True if the user agreed to exceed the cost limit for it. */
  readonly overrideCostLimit?: boolean;
  /** The question whose rejection this prompt explains. */
  readonly reasonFor?: string;
}

/** A question of the current run that may still be answered. */
export type OpenQuestion = Pick<QuestionPart, 'id' | 'run' | 'call' | 'question' | 'askedAt'>;

/** An open question that the user can be asked. */
export interface AskableQuestion extends OpenQuestion {
  readonly question: ReadableQuestion;
}

/** An answer that was sent. */
export interface GivenAnswer extends RecordedAnswer {
  readonly question: OpenQuestion;
  /** True if the run is left when the answer is accepted, as after Stop. */
  readonly isStopping: boolean;
  /** True if a response to this answer was lost, so that the service may have accepted it. */
  readonly isLost: boolean;
  /** True if the service has accepted the answer. */
  readonly isAccepted: boolean;
}

/** One request and its repetitions. */
export interface RequestAttempt {
  readonly run: string;
  /** A new ID for each repetition, so that late events of earlier ones are ignored. Also the ID of its response. */
  readonly request: string;
  /** Null if another window sent it: only its response is read, and it cannot be repeated. */
  readonly chat: ChatRequest | null;
  /** The mode of the run. Answers continue under it. */
  readonly mode: ApprovalMode;
  /** When self-drive ends: later repetitions are sent in manual mode. */
  readonly limit?: SelfDriveLimit;
  /** 1 for the first. */
  readonly attempts: number;
  /** Epoch ms of the first attempt. */
  readonly startedAt: number;
  /** True if the service has begun to respond. A prompt is not repeated after that. */
  readonly hasResponded: boolean;
  /** Null for a prompt. */
  readonly answer: GivenAnswer | null;
  /** The finish reason, or the error in its place; null before the finish chunk. */
  readonly finish: 'stop' | 'tool_calls' | ApiError | null;
}

export type Phase =
  | { readonly kind: 'idle' }
  /** The head of the queue waits until the service has noticed that a run without a session ID was left. */
  | { readonly kind: 'holding'; readonly until: number }
  /** The head of the queue waits until this window owns the conversation. */
  | { readonly kind: 'claiming' }
  | {
      readonly kind: 'requesting';
      readonly attempt: RequestAttempt;
      /** True if the stream has been silent for so long that it may be dead. */
      readonly isSilent?: boolean;
    }
  /** The request is repeated at `until`, epoch ms. */
  | {
      readonly kind: 'backing-off';
      readonly attempt: RequestAttempt;
      readonly until: number;
      readonly error: ApiError;
    }
  /** The run waits for answers. */
  | {
      readonly kind: 'paused';
      readonly run: string;
      readonly mode: ApprovalMode;
      /** The user pressed Stop: the next answer is a `cancel`. */
      readonly isStopping: boolean;
    }
  /** Another window reads the run's stream. The run is empty until that window has recorded it. */
  | { readonly kind: 'elsewhere'; readonly run: string };

export interface ConversationState {
  /** The mode of the next prompt (interface: Chat request, `approval_mode`). */
  readonly mode: ApprovalMode;
  /** When self-drive ends; null if it does not end by itself, and in manual mode. */
  readonly selfDriveLimit: SelfDriveLimit;
  readonly phase: Phase;
  /** Open questions of the current run, oldest first. In a paused run the first one is asked. */
  readonly questions: readonly OpenQuestion[];
  readonly queue: readonly QueuedPrompt[];
  /** True if the queue waits for the user, not for the run. */
  readonly queueHeld: boolean;
  /** The IDs of queued prompts that are being edited. The queue does not continue with them. */
  readonly editing: readonly string[];
  /** True if the queue is sent as soon as the run is left. */
  readonly sendWhenLeft: boolean;
  /** Queued reasons for rejections in this run. They are sent when it ends well, even if the rest of the queue is held. */
  readonly reasonsDue: readonly string[];
  /**
   * Values submitted in the current run. The record must not repeat them, and the service may quote them in any later
   * failure. They are unknown to a window that took the run over.
   */
  readonly submitted: readonly string[] | 'unknown';
  /** When a run was last left before its end, epoch ms. Its session may be busy for a while. */
  readonly leftAt: number | null;
}

/** The service notices a disconnect within its keepalive interval (interface: Chat run). */
export const DISCONNECT_NOTICE_MS = 30_000;
/** How long the cancel of a question may take at a sign-out or a deletion, in ms. */
export const STOP_TIMEOUT_MS = 3_000;

export const INITIAL_CONVERSATION_STATE: ConversationState = {
  mode: 'manual',
  selfDriveLimit: null,
  phase: { kind: 'idle' },
  questions: [],
  queue: [],
  queueHeld: false,
  editing: [],
  sendWhenLeft: false,
  reasonsDue: [],
  submitted: [],
  leftAt: null,
};

export function currentRun({ phase }: ConversationState): string | null {
  if ('attempt' in phase) return phase.attempt.run;
  return 'run' in phase ? phase.run : null;
}

/** Returns whether this window reads the run's stream, or is about to. */
export function isReadingStream({ phase }: ConversationState): boolean {
  return phase.kind === 'requesting' || phase.kind === 'backing-off';
}

/** Returns whether Stop has an effect. */
export function canStop({ phase }: ConversationState): boolean {
  return phase.kind !== 'idle';
}

export const CONVERSATION_STATUSES = ['idle', 'working', 'waiting', 'failed'] as const;

export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/**
 * Returns the status of a conversation for its tab and lists. It is `working` in all windows while a run is under way or
 * a prompt is held back, and `waiting` while the intern asks.
 */
export function conversationStatus(conversation: {
  readonly state: Pick<ConversationState, 'phase'>;
  readonly transcript: { readonly lastReply: ReplyMessage | undefined };
}): ConversationStatus {
  const { state, transcript } = conversation;
  if (state.phase.kind === 'paused') return 'waiting';
  if (state.phase.kind !== 'idle') return 'working';
  const last = transcript.lastReply?.state;
  return last === 'failed' || last === 'cut' ? 'failed' : 'idle';
}
