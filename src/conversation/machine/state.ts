import type {
  Answer,
  ApiError,
  ApprovalMode,
  ChatRequest,
  Question,
  ReadableQuestion,
  ToolCall,
} from '../../api/index.ts';
import type { SelfDriveLimit, StoredAttachment, StoredFailure } from '../journal.ts';
import type { ReplyMessage } from '../messages.ts';
import type { AnswerWay } from '../questions/types.ts';

/** For how long its user lets an intern act without asking. */
export type SelfDriveTerm = 'this-prompt' | '30-minutes' | 'until-switched-off';

/** A prompt before it is sent. */
export interface Prompt {
  /** As typed. */
  readonly text: string;
  /** The whole that goes to the service: the text with its attachments; at most 32,000 characters. */
  readonly sent: string;
  readonly attachments: readonly StoredAttachment[];
}

export interface QueuedPrompt extends Prompt {
  readonly id: string;
  /** Of the moment in which it was sent to wait: it goes out under that, whatever the conversation's is by then. */
  readonly mode: ApprovalMode;
  /** Of self-drive at that moment: past it, it goes out in manual. Left out or null where nothing ends it. */
  readonly limit?: SelfDriveLimit;
  /** The user said to send it although the cost limit is reached. */
  readonly overrideCostLimit?: boolean;
  /** The question whose rejection it gives the reason for; absent of any other prompt. */
  readonly reasonFor?: string;
}

/** A question of the current run that may still be answered. */
export interface OpenQuestion {
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  /** Epoch ms. */
  readonly askedAt: number;
  /** The first answer that may have been received though it failed; null without one. */
  readonly maybeReceived: AnswerWay | null;
  /** Why the last answer failed; null if none did. */
  readonly failure: StoredFailure | null;
}

/** An open question that its user can be asked. */
export interface AskableQuestion extends OpenQuestion {
  readonly question: ReadableQuestion;
}

/** An answer that was sent. */
export interface GivenAnswer {
  readonly question: OpenQuestion;
  readonly content: Answer;
  /** Names the policy if it gave the answer; undefined if the user did. */
  readonly by: AnswerWay['by'];
  /** The answer is the user's Stop: the run is left as soon as it is taken. */
  readonly stopping: boolean;
  /** A response to this answer was lost: the service may have taken it. */
  readonly isLost: boolean;
  /** The service has taken the answer: from then on the response is one like any other. */
  readonly isTaken: boolean;
}

/** One request and its repetitions. */
export interface RequestAttempt {
  readonly run: string;
  /** Changes with each repetition, so that a late event of an earlier one is told apart. */
  readonly request: string;
  readonly chat: ChatRequest;
  /** The mode of the run. Answers continue under it. */
  readonly mode: ApprovalMode;
  /** Of a prompt in self-drive: past it, it is repeated in manual. */
  readonly limit?: SelfDriveLimit;
  /** 1 for the first. */
  readonly attempts: number;
  /** Epoch ms of the first attempt. */
  readonly startedAt: number;
  /** Whether the service has begun to respond: from then on a prompt is not repeated. */
  readonly opened: boolean;
  /** The answer that this request brings; null for a prompt. */
  readonly answer: GivenAnswer | null;
  /** Questions that this response brought. */
  readonly asked: readonly OpenQuestion[];
  /** The finish chunk, an error as what it said; null before it. */
  readonly finish: 'stop' | 'tool_calls' | ApiError | null;
}

export type Phase =
  | { readonly kind: 'idle' }
  /** The head of the queue waits until the service has noticed a run that was left without a session id. */
  | { readonly kind: 'holding'; readonly until: number }
  | {
      readonly kind: 'requesting';
      readonly attempt: RequestAttempt;
      /** Nothing has come for so long that the stream may be dead. */
      readonly isSilent?: boolean;
    }
  /** A refusal that may be repeated: again at `until`, epoch ms. */
  | {
      readonly kind: 'backing-off';
      readonly attempt: RequestAttempt;
      readonly until: number;
      readonly because: ApiError;
    }
  /** The run waits for answers. */
  | {
      readonly kind: 'paused';
      readonly run: string;
      readonly mode: ApprovalMode;
      /** The user pressed Stop: the answer on its way is a `cancel`. */
      readonly stopping: boolean;
    }
  /** Another window reads the run's stream. */
  | { readonly kind: 'elsewhere'; readonly run: string };

/** What a conversation is doing. What it has said is in its transcript. */
export interface ConversationState {
  /** Of the next prompt; frozen into it when it is sent, also where it waits (interface: Chat request, `approval_mode`). */
  readonly mode: ApprovalMode;
  /** Of self-drive; null in manual. */
  readonly selfDriveLimit: SelfDriveLimit;
  readonly phase: Phase;
  /** Open questions of the current run, oldest first; while it is paused the first is asked, the others wait for their turn. */
  readonly questions: readonly OpenQuestion[];
  readonly queue: readonly QueuedPrompt[];
  /** The queue waits for the user's word, not for the run. */
  readonly queueHeld: boolean;
  /** The user asked for the queue to go out as soon as the run is left. */
  readonly sendWhenLeft: boolean;
  /**
   * The queued prompts that give the reasons for rejections in this run: they go out when it ends well, also where the
   * rest of the queue is held.
   */
  readonly reasonsDue: readonly string[];
  /**
   * The values that were submitted in the current run, which the record must not repeat. They are kept in memory until the
   * run ends, because the service may quote them in any later failure. A window that takes over the run does not know them.
   */
  readonly submitted: readonly string[];
  /** When a run of ours was last left before its end, epoch ms: its session may be busy for a while. */
  readonly leftAt: number | null;
}

/** The service notices a disconnect within its keepalive interval (interface: Chat run). */
export const noticeMs = 30_000;
/** How long the cancel of a question may take, in ms, where its run is given up: by a sign-out, by a deletion. */
export const leavePatienceMs = 3_000;

export const emptyConversation: ConversationState = {
  mode: 'manual',
  selfDriveLimit: null,
  phase: { kind: 'idle' },
  questions: [],
  queue: [],
  queueHeld: false,
  sendWhenLeft: false,
  reasonsDue: [],
  submitted: [],
  leftAt: null,
};

/** The run that is under way, in any phase. */
export function currentRun({ phase }: ConversationState): string | null {
  if ('attempt' in phase) return phase.attempt.run;
  return 'run' in phase ? phase.run : null;
}

/** The approval mode of the run that is under way; null where none is, or another window has it. */
export function currentRunMode({ phase }: ConversationState): ApprovalMode | null {
  if ('attempt' in phase) return phase.attempt.mode;
  return phase.kind === 'paused' ? phase.mode : null;
}

/** Whether this window reads the run's stream, or is about to. */
export function isReading({ phase }: ConversationState): boolean {
  return phase.kind === 'requesting' || phase.kind === 'backing-off';
}

/** Whether Stop would do something here: a run is under way in this window, or a prompt waits to go out. */
export function canStop({ phase }: ConversationState): boolean {
  return phase.kind !== 'idle' && phase.kind !== 'elsewhere';
}

/** What a conversation is doing at a glance, as its tab and every list show it. */
export const CONVERSATION_STATUSES = ['idle', 'working', 'waiting', 'failed'] as const;

export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/**
 * Where a conversation stands. It is `working` while anything of it is under way, in this window or another, a prompt
 * that is held back before it goes out included; `waiting` while the intern asks; `failed` where its last run did.
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
