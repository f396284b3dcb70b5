import type { Answer, ApiError, ReadableQuestion, ToolCall } from '../../api/index.ts';
import type { Event } from '../../base/event.ts';
import type { WhenUnanswered } from './unanswered.ts';

/** What a user can judge a question by: what was said and decided before it in its conversation. */
export interface QuestionContext {
  /** The last two sentences that the intern wrote before it asked, as text; empty where it wrote nothing. Unchecked. */
  readonly said: string;
  /** How often the same operation was allowed, and rejected. 0 where no operation is named. */
  readonly allowed: number;
  readonly rejected: number;
}

/** One interaction that waits for its user (interface: States and transitions, Chat run, `paused`). */
export interface PendingQuestion {
  /** Unique among all conversations; the interaction id of the service is `call.id`. */
  readonly id: string;
  readonly conversation: string;
  readonly intern: string;
  /** The intern's name, or its id where none is known; service text, so escaped in native UI. */
  readonly internName: string;
  readonly account: string;
  /** As it was streamed: an answer echoes it unchanged. */
  readonly call: ToolCall;
  readonly question: ReadableQuestion;
  /** Epoch ms. */
  readonly arrivedAt: number;
  /** Epoch ms when the intern probably gives up: advice, not a rule, since the service decides. */
  readonly deadline: number;
  /** Absent in records of a version that did not keep it. */
  readonly context?: QuestionContext;
}

/** Where a question stands, for its card, its dialog, the tree and the status bar alike. */
export type QuestionStage =
  /** Waits for its user. */
  | 'open'
  /** An answer is on its way, from this window or from another. */
  | 'sending'
  /** The service refused the last answer; the question waits again. */
  | 'refused'
  /** No answer can count any more. */
  | 'over';

/** Why a question is over without an answer that is known to count, as records say it. */
export const CLOSINGS = [
  /** The service said so: `interaction_unknown`, `interaction_not_pending`, 410. */
  'gone',
  /** An answer was sent whose response was lost, and the question no longer waits: the answer may have been received. */
  'maybe-answered',
  /** The user stopped the run while the answer was on its way: nobody can say whether it arrived. */
  'abandoned',
  /** The run ended for another reason: stopped, cut off, its conversation deleted, its account signed out. */
  'run-ended',
  /** Nobody can answer it, not even with a `cancel`: it runs out on the service. */
  'unanswerable',
  /** Its user gave it up after its time ran out, to go on with another prompt. */
  'given-up',
  /** Of records that earlier versions wrote: only the service lets a question expire. */
  'expired',
] as const;

/** Marks in records an answer that the policy for unanswered questions gave, not the user. */
export const AUTO_ANSWER = 'nobody';

/** How a question came to be over; `elsewhere`: another window closed it, and its record says how. */
export type EndingKind = 'answered' | (typeof CLOSINGS)[number] | 'elsewhere';

/**
 * How a question came to be over, with what is told of it. `how` is the way of the answer that counts, the option kind or
 * `accept`, `decline`, `cancel`: never a value. It need not be the way of the answer given last: a Stop may have put
 * `cancel` in its place, or an earlier answer may have been received.
 */
export type QuestionEnding =
  | ({ readonly kind: 'answered' } & AnswerWay)
  | { readonly kind: 'gone'; readonly error: ApiError }
  | ({ readonly kind: 'maybe-answered' } & UnclearAnswer)
  | { readonly kind: Exclude<EndingKind, 'answered' | 'gone' | 'maybe-answered'> };

/** What is remembered of an answer: the way, never a value, and {@link AUTO_ANSWER} where no user gave it. */
export interface AnswerWay {
  readonly how: string;
  readonly by?: typeof AUTO_ANSWER | undefined;
}

/** An answer that may have been received. */
export interface UnclearAnswer extends AnswerWay {
  /** Another answer was given after it. */
  readonly isEarlier: boolean;
}

/** How a conversation closes a question by itself, without the service's word on it. */
export type Withdrawal = 'abandoned' | 'run-ended' | 'unanswerable' | 'given-up';

/** What the service made of an answer, after every repetition that was allowed: the question is over, or still waits. */
export type AnswerOutcome =
  | QuestionEnding
  | {
      readonly kind: 'refused';
      readonly error: ApiError;
      /** The answer that may have been received all the same: this one, or one before it. */
      readonly maybeReceived?: UnclearAnswer;
      /** The reason that was to go out after a rejection, as it was last edited: it is not sent. */
      readonly reason?: string;
    };

/** Answers questions, and reads the records of their conversations. */
export interface Answerer {
  /**
   * Sends an answer; every failure of the service is an outcome. Undefined if another window owns the conversation or has
   * closed the question: nothing is sent then.
   *
   * @param reason why the user rejects what is asked: the conversation's next prompt
   * @throws if the record of the conversation cannot be read
   */
  answer(
    question: PendingQuestion,
    answer: Answer,
    reason?: string,
  ): Promise<AnswerOutcome | undefined>;
  /** Sends the answer that its conversation's policy gives; undefined also if an answer was tried already. */
  answerAutomatically(question: PendingQuestion): Promise<AnswerOutcome | undefined>;
  /** Reads what the record of its conversation says of a question. */
  recorded(question: PendingQuestion): Promise<RecordedQuestion>;
}

/** What a record says of a question; if it cannot be read, that it is open, and expires. */
export interface RecordedQuestion {
  readonly isOver: boolean;
  /** The first answer that may have been received; null without one. */
  readonly maybeReceived: AnswerWay | null;
  /** The policy of its conversation. */
  readonly whenUnanswered: WhenUnanswered;
}

/** A pending question, as the head of its conversation says it in every window. */
export interface HeadQuestion {
  readonly question: PendingQuestion;
  /** Another living window owns the conversation: it sends an answer. */
  readonly isSending: boolean;
}

/** The dialog of a question that was open last, in any window. */
export interface LastDialog {
  readonly window: string;
  /** When it was open last, epoch ms; its window renews it while the dialog is open. */
  readonly openAt: number;
}

/** The pending questions of all windows, from the heads of their conversations. Nothing here rejects. */
export interface QuestionHeads {
  /** Undefined if the disk cannot be read. */
  list(): Promise<readonly HeadQuestion[] | undefined>;
  /** Tells other windows that the dialog of a question was open here at a moment (epoch ms). */
  markDialog(question: PendingQuestion, openAt: number): Promise<void>;
  /** Reads which dialog of a question was open last; null without one, undefined if the disk cannot be read. */
  lastDialog(question: PendingQuestion): Promise<LastDialog | null | undefined>;
  /** Something may have changed, here or in another window. */
  readonly onDidChange: Event<void>;
}

/** A question and where it stands: what the tree, the panel and the status bar draw. */
export interface TrackedQuestion {
  readonly question: PendingQuestion;
  readonly stage: QuestionStage;
  /** Its dialog is open in this window. */
  readonly isShown: boolean;
  /** Its countdown ran out; an answer may still be tried, since the service decides and not our clock. */
  readonly isLate: boolean;
  /** Why the service refused the last answer; null where none was refused. */
  readonly error: ApiError | null;
  /** Null while an answer may still be tried. */
  readonly ending: QuestionEnding | null;
  /** What becomes of it where nobody answers; null until its last minute, in which that is read. */
  readonly whenUnanswered: WhenUnanswered | null;
  /** False an hour after its countdown ran out, though it may still be answered. */
  readonly isCountedAsWaiting: boolean;
}

/** Whether a question waits for its user and no dialog of this window shows it. */
export function isWaiting({ stage, isShown }: Pick<TrackedQuestion, 'stage' | 'isShown'>): boolean {
  return !isShown && (stage === 'open' || stage === 'refused');
}

/** What a chat's page reports of its user. */
export interface PagePresence {
  /** The page has the keyboard focus (`document.hasFocus()`). */
  readonly focused: boolean;
  /** An input method is composing. */
  readonly composing: boolean;
  /** Unsent text stands in the composer. */
  readonly hasDraft: boolean;
}
