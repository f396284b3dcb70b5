import type { ApprovalMode, Question, ToolCall } from '../api/index.ts';
import type { Entry, StoredAttachment, StoredFailure, StoredUsage } from './journal.ts';
import type { AnswerWay, EndingKind, QuestionStage } from './questions/types.ts';

/** What a transcript holds, for whoever shows it. */

/** A prompt. */
export interface PromptMessage {
  readonly kind: 'prompt';
  readonly id: string;
  readonly run: string;
  readonly at: number;
  /** As typed. */
  readonly text: string;
  /** What went to the service: the text with its attachments. */
  readonly sent: string;
  readonly attachments: readonly StoredAttachment[];
  readonly mode: ApprovalMode;
  /** Tells whether an agent of the editor wrote it, and not the user. */
  readonly isByAgent: boolean;
}

export type ReplyState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped' | 'cut';

/** Everything that one run said, across its questions. */
export interface ReplyMessage {
  readonly kind: 'reply';
  /** The run's id. */
  readonly id: string;
  readonly at: number;
  readonly mode: ApprovalMode;
  readonly state: ReplyState;
  readonly parts: readonly Part[];
  readonly model: string | null;
  /** Of the last response that reported one. */
  readonly usage: StoredUsage | null;
  /** What the service calls the last response; null where it gave no id. */
  readonly completion: string | null;
  readonly failure: StoredFailure | null;
  /** When the run ended; null before. */
  readonly endedAt: number | null;
}

export interface NoticeMessage {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly notice: Extract<Entry, { type: 'notice' }>['notice'];
}

export type Message = PromptMessage | ReplyMessage | NoticeMessage;

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      readonly startedAt: number;
      readonly endedAt: number | null;
    }
  | QuestionPart;

export interface QuestionPart {
  readonly kind: 'question';
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  readonly askedAt: number;
  readonly stage: QuestionStage;
  /** The way in which it was answered, or is being, or the last try that was refused. */
  readonly how: string | null;
  /** Who gave that answer where no user did; null where one did, or none was given. */
  readonly by: AnswerWay['by'] | null;
  /** The intern was told that nobody had answered. */
  readonly isTold: boolean;
  /** How it came to be over; null before. */
  readonly ending: EndingKind | null;
  /** Why the last answer failed, while the question waits again. */
  readonly failure: StoredFailure | null;
  /** The first answer that may have been received though it failed; null without one. */
  readonly maybeReceived: AnswerWay | null;
}

/** A difference that one entry made. */
export type TranscriptChange =
  | { readonly kind: 'add'; readonly message: Message }
  /** A prompt went out in another mode than it was sent in. */
  | { readonly kind: 'prompt'; readonly id: string }
  /** A new part, or another state of one. */
  | { readonly kind: 'part'; readonly id: string; readonly part: number }
  /** A reply's state, facts or failure. */
  | { readonly kind: 'shell'; readonly id: string }
  | { readonly kind: 'append'; readonly id: string; readonly part: number; readonly text: string }
  /** Title, place in lists, mode, consent, session, or what becomes of questions that nobody answers. */
  | { readonly kind: 'meta' };
