import type { Answer, ApiError, ReadableQuestion } from '../../api/index.ts';
import type { Event } from '../../base/disposable.ts';
import type { WhenUnanswered } from './unanswered.ts';

export interface QuestionContext {
  /** The last two sentences of the intern, unchecked; empty without any. */
  readonly said: string;
  /** How often the same operation was allowed and rejected. 0 if no operation is named. */
  readonly allowed: number;
  readonly rejected: number;
}

/** A question that waits for the user (interface: Chat run, `paused`). */
export interface PendingQuestion {
  /** Unique among all conversations. The service's interaction ID is `call.id`. */
  readonly id: string;
  readonly conversation: string;
  readonly intern: string;
  /** The intern's name, or its ID if none is known. The service's text: escape it in native UI. */
  readonly internName: string;
  readonly account: string;
  readonly question: ReadableQuestion;
  /** When it probably expires, epoch ms. The service decides. */
  readonly deadline: number;
  readonly context: QuestionContext;
}

export type QuestionStage =
  | 'open'
  /** An answer is on its way, from this or another window. */
  | 'sending'
  /** The service refused the last answer, and the question is open again. */
  | 'refused'
  | 'over';

/** Why a question is over without an answer that is known to count, as recorded. */
export const CLOSE_REASONS = [
  /** The service said so: `interaction_unknown`, `interaction_not_pending`, 410. */
  'gone',
  /** The question is over, and an answer whose response was lost may have been received. */
  'maybe-answered',
  /** The user stopped the run while the answer was on its way. */
  'abandoned',
  /** The run ended: stopped, cut off, its conversation deleted, its account signed out. */
  'run-ended',
  /** It cannot be answered, not even with `cancel`, and expires on the service. */
  'unanswerable',
  /** The user gave it up after its time ran out, to send another prompt. */
  'given-up',
  /** In records of earlier versions. */
  'expired',
] as const;

/** Marks in records an answer that the policy for unanswered questions gave, not the user. */
export const AUTO_ANSWER = 'nobody';

/** How a question ended. `elsewhere`: another window closed it, and its record has the outcome. */
export type QuestionEndKind = 'answered' | (typeof CLOSE_REASONS)[number] | 'elsewhere';

/**
 * How a question ended. The `how` of the answer that counts may differ from that of the last answer: a Stop may have
 * replaced it, or an earlier answer may have been received.
 */
export type QuestionEnding =
  | ({ readonly kind: 'answered' } & RecordedAnswer)
  | { readonly kind: 'gone'; readonly error: ApiError }
  | ({ readonly kind: 'maybe-answered' } & MaybeReceived)
  | { readonly kind: Exclude<QuestionEndKind, 'answered' | 'gone' | 'maybe-answered'> };

/** A permission option, or `accept`, `decline` or `cancel`, and {@link AUTO_ANSWER} if no user gave the answer. */
export interface RecordedAnswer {
  readonly how: string;
  readonly by?: typeof AUTO_ANSWER | undefined;
}

/** An answer that may have been received. */
export interface MaybeReceived extends RecordedAnswer {
  /** True if another answer was given after it. */
  readonly isEarlier: boolean;
}

/** Why a conversation closes a question by itself. */
export type ConversationCloseReason = 'abandoned' | 'run-ended' | 'unanswerable' | 'given-up';

/** The outcome of an answer after all repetitions. */
export type AnswerOutcome =
  | QuestionEnding
  | {
      readonly kind: 'refused';
      readonly error: ApiError;
      /** The answer that may have been received: this or an earlier one. */
      readonly maybeReceived?: MaybeReceived;
      /** The reason for a rejection, as last edited. It is not sent. */
      readonly reason?: string;
    };

export interface Answerer {
  /**
   * Sends an answer. Every failure of the service is an outcome. Undefined if nothing was sent, because another window
   * owns the conversation or has closed the question.
   *
   * @param reason explains a rejection; it is the conversation's next prompt
   * @throws if the record of the conversation cannot be read
   */
  answer(
    question: PendingQuestion,
    answer: Answer,
    reason?: string,
  ): Promise<AnswerOutcome | undefined>;
  /** Applies the policy for unanswered questions; undefined also if an answer was tried already. */
  applyUnansweredPolicy(question: PendingQuestion): Promise<AnswerOutcome | undefined>;
  readRecordedQuestion(question: PendingQuestion): Promise<RecordedQuestion>;
}

/** A question as recorded; open and without a policy if the record cannot be read. */
export interface RecordedQuestion {
  readonly isOver: boolean;
  /** The first answer that may have been received. */
  readonly maybeReceived: RecordedAnswer | null;
  readonly whenUnanswered: WhenUnanswered;
}

/** A pending question in the head of its conversation. */
export interface HeadQuestion {
  readonly question: PendingQuestion;
  /** True if another living window owns the conversation, and sends an answer. */
  readonly isSending: boolean;
}

/** The last open dialog of a question, in any window. */
export interface LastDialog {
  readonly window: string;
  /** When it was last open, epoch ms. Its window renews this while the dialog is open. */
  readonly openAt: number;
}

/** The pending questions in the heads of all conversations. Nothing here rejects. */
export interface QuestionHeads {
  /** Undefined if the disk cannot be read. */
  list(): Promise<readonly HeadQuestion[] | undefined>;
  /** Tells other windows when the dialog of a question was open here, epoch ms. */
  markDialog(question: PendingQuestion, openAt: number): Promise<void>;
  /** Null without one, undefined if the disk cannot be read. */
  lastDialog(question: PendingQuestion): Promise<LastDialog | null | undefined>;
  readonly onDidChange: Event<void>;
}

/** The focus of the page of a chat, and the typing of its user. */
export interface PagePresence {
  readonly focused: boolean;
  /** True while an input method is composing. */
  readonly composing: boolean;
  /** True if the reason for the report is a key or a composition step. */
  readonly typed: boolean;
}
