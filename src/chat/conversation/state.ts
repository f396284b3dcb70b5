import type {
  Answer,
  ApiErrorKind,
  ApprovalMode,
  ChatRequest,
  Question,
  ToolCall,
} from '../../api/index.ts';
import type { StoredAttachment } from '../journal.ts';

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
}

/** A question of the current run that may still be answered. */
export interface OpenQuestion {
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  /** Epoch ms. */
  readonly askedAt: number;
  /** The way of an answer whose response was lost, the first of several: the service may have taken it. Null without one. */
  readonly maybeReceived: string | null;
}

/** One request and its repetitions. */
export interface Exchange {
  readonly run: string;
  /** Changes with each repetition, so that a late event of an earlier one is told apart. */
  readonly request: string;
  readonly chat: ChatRequest;
  /** Of the run: a reply goes on under it. */
  readonly mode: ApprovalMode;
  /** 1 for the first. */
  readonly attempt: number;
  /** Epoch ms of the first attempt. */
  readonly startedAt: number;
  /** Whether the service has begun to respond: from then on nothing is repeated. */
  readonly opened: boolean;
  /** Where this is a reply: the question it answers, and how. */
  readonly reply: {
    readonly question: OpenQuestion;
    readonly answer: Answer;
    /** The answer is the user's Stop: the run is left as soon as it is taken. */
    readonly stopping: boolean;
    /** A response to this answer was lost: the service may have taken it. */
    readonly isLost: boolean;
  } | null;
  /** Questions that this response brought. */
  readonly asked: readonly OpenQuestion[];
  readonly finish: 'stop' | 'tool_calls' | 'error' | null;
}

export type Phase =
  | { readonly kind: 'idle' }
  /** The head of the queue waits until the service has noticed a run that was left without a session id. */
  | { readonly kind: 'holding'; readonly until: number }
  | { readonly kind: 'requesting'; readonly exchange: Exchange }
  /** A refusal that may be repeated: again at `until`, epoch ms. */
  | {
      readonly kind: 'backing-off';
      readonly exchange: Exchange;
      readonly until: number;
      readonly because: ApiErrorKind;
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
  /** Of the next prompt; frozen into a run when that starts (interface: Chat request, `approval_mode`). */
  readonly mode: ApprovalMode;
  /** Null: the next prompt starts a new session. */
  readonly session: string | null;
  readonly phase: Phase;
  /** Open questions of the current run, oldest first; while it is paused the first is asked, the others wait for their turn. */
  readonly questions: readonly OpenQuestion[];
  readonly queue: readonly QueuedPrompt[];
  /** The queue waits for the user's word, not for the run. */
  readonly queueHeld: boolean;
  /** The user asked for the queue to go out as soon as the run is left. */
  readonly sendWhenLeft: boolean;
  /** When a run of ours was last left before its end, epoch ms: its session may be busy for a while. */
  readonly leftAt: number | null;
  /** Whether anything was said before: then a null session means that the intern will not remember it. */
  readonly hasHistory: boolean;
}

/** The service notices a disconnect within its keepalive interval (interface: Chat run). */
export const noticeMs = 30_000;
/** How long the cancel of a question may take, in ms, where its run is given up: by a sign-out, by a deletion. */
export const leavePatienceMs = 3_000;
/** The service's default interaction deadline (interface: Limits). Advice, not a promise. */
export const interactionDeadlineMs = 300_000;

export const emptyConversation: ConversationState = {
  mode: 'manual',
  session: null,
  phase: { kind: 'idle' },
  questions: [],
  queue: [],
  queueHeld: false,
  sendWhenLeft: false,
  leftAt: null,
  hasHistory: false,
};

/** The run that is under way, in any phase. */
export function currentRun(state: ConversationState): string | null {
  switch (state.phase.kind) {
    case 'idle':
    case 'holding':
      return null;
    case 'requesting':
    case 'backing-off':
      return state.phase.exchange.run;
    case 'paused':
    case 'elsewhere':
      return state.phase.run;
  }
}

/** The approval mode of the run that is under way; null where none is, or another window has it. */
export function currentRunMode(state: ConversationState): ApprovalMode | null {
  switch (state.phase.kind) {
    case 'requesting':
    case 'backing-off':
      return state.phase.exchange.mode;
    case 'paused':
      return state.phase.mode;
    case 'idle':
    case 'holding':
    case 'elsewhere':
      return null;
  }
}

/** Whether this window reads the run's stream, or is about to. */
export function isReading({ phase }: ConversationState): boolean {
  return phase.kind === 'requesting' || phase.kind === 'backing-off';
}

/** Whether Stop would do something here: a run is under way in this window, or a prompt waits to go out. */
export function canStop({ phase }: ConversationState): boolean {
  return phase.kind !== 'idle' && phase.kind !== 'elsewhere';
}
