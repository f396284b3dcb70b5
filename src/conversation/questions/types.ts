import type { Answer, ApiError, ReadableQuestion, ToolCall } from '../../api/index.ts';
import type { WhenUnanswered } from './unanswered.ts';

/** What a user can judge a question by: what was said and decided before it in its conversation. */
export interface Grounds {
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
  readonly grounds?: Grounds;
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

/** Who gave an answer where no user did: the setting of its conversation for that, as records say it. */
export const NOBODY = 'nobody';

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

/** What is remembered of an answer: the way, never a value, and {@link NOBODY} where no user gave it. */
export interface AnswerWay {
  readonly how: string;
  readonly by?: typeof NOBODY | undefined;
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

/** Sends an answer: echo, tool message and session id, repeated unchanged where design decision 6 allows it. */
export interface Answerer {
  /**
   * Every failure of the service is an outcome. Undefined where another window sends an answer or has closed the question;
   * rejects where the question's conversation cannot be read. Nothing is sent then.
   *
   * @param reason why the user rejects what is asked: the conversation's next prompt
   */
  answer(
    question: PendingQuestion,
    answer: Answer,
    reason?: string,
  ): Promise<AnswerOutcome | undefined>;
  /** Returns whether the record of its conversation says that it is over; false where that cannot be read. */
  isOver(question: PendingQuestion): Promise<boolean>;
  /** What becomes of it where nobody answers, as its conversation's record says now; `expire` where it cannot be read. */
  whenUnanswered(question: PendingQuestion): Promise<WhenUnanswered>;
  /**
   * As {@link answer}, with what the conversation says for where nobody answers. Undefined also where it says nothing, an
   * answer was tried already, or `isAlone`, asked at the last moment, says no.
   */
  answerForNobody(question: PendingQuestion, isAlone: IsAlone): Promise<AnswerOutcome | undefined>;
}

/** Whether still nobody looks at a question, and its time is neither too early nor over. */
export type IsAlone = () => Promise<boolean>;

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
  /** Whether it counts as one that waits for its user: not for ever, though it can be answered for as long as it is open. */
  readonly counts: boolean;
}

/** Whether a question waits for its user and no dialog of this window shows it. */
export function isWaiting({ stage, isShown }: Pick<TrackedQuestion, 'stage' | 'isShown'>): boolean {
  return !isShown && (stage === 'open' || stage === 'refused');
}

/** What a chat's page reports of its user. */
export interface ChatPresence {
  /** The page has the keyboard focus (`document.hasFocus()`). */
  readonly focused: boolean;
  /** An input method is composing. */
  readonly composing: boolean;
  /** Unsent text stands in the composer. */
  readonly hasDraft: boolean;
}

/** What a conversation and its page see of the broker. */
export interface QuestionDesk {
  /**
   * Takes a question whose response has ended with `[DONE]`, or one that was restored. Known ids are left as they are.
   * Other windows are told once it is on record, which `recorded` waits for.
   */
  arrive(question: PendingQuestion, recorded?: Promise<unknown>): void;
  /** The run is over for a reason other than an answer; closes the dialog. Unknown ids are ignored. */
  end(question: string, how: QuestionEnding): void;
  /**
   * Sends an answer that the user gave elsewhere than in a dialog, such as Stop, which cancels.
   * Undefined where the question is not open, or an answer is on its way already: nothing is sent then.
   */
  answer(question: string, answer: Answer): Promise<AnswerOutcome | undefined>;
  /** Undefined for an id that was never seen or has been forgotten. */
  get(question: string): TrackedQuestion | undefined;
  /** Open questions, oldest deadline first. */
  open(): readonly TrackedQuestion[];
  /** Milliseconds until the countdown runs out, 0 to 300,000; 0 for unknown ids. */
  timeLeft(question: string): number;
}
