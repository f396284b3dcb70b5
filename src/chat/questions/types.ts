import type { Answer, ApiError, Question, ToolCall } from '../../api/index.ts';

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
  readonly question: Question;
  /** Epoch ms. */
  readonly arrivedAt: number;
  /** Epoch ms when the intern probably gives up: advice, not a rule, since the service decides. */
  readonly deadline: number;
}

/** What the service made of an answer, after every repetition that was allowed. */
export type AnswerOutcome =
  /** The run goes on. */
  | { readonly kind: 'accepted' }
  /** Refused, and still answerable. */
  | { readonly kind: 'kept'; readonly error: ApiError }
  /** Refused, and no answer can count any more. */
  | { readonly kind: 'gone'; readonly error: ApiError }
  /**
   * A response was lost and the service now says that nothing is pending: the answer was probably received, this one or
   * an earlier one. `how` is its way, as in {@link QuestionEnding}.
   */
  | { readonly kind: 'maybe-answered'; readonly how: string; readonly isEarlier: boolean }
  /** The user stopped the run while the answer was on its way: nobody can say whether it arrived. */
  | { readonly kind: 'abandoned' };

/** Sends an answer: echo, tool message and session id, repeated unchanged where design decision 6 allows it. */
export interface Answerer {
  /** Never rejects: every failure is an outcome. */
  answer(question: PendingQuestion, answer: Answer): Promise<AnswerOutcome>;
}

/** Where a question stands in this window. `machine.ts` holds the transitions. */
export type QuestionState =
  /** Waits, and no dialog of this window shows it. */
  | 'pending'
  /** Its dialog is open in this window. */
  | 'shown'
  /** An answer is on its way, from here or from another window. */
  | 'answering'
  /** The service refused the last answer; the question still waits. */
  | 'rejected'
  /** The countdown ran out; an answer may still be tried. */
  | 'expired'
  /** The service took an answer. Final. */
  | 'answered'
  /** Over without an answer that is known to count. Final. */
  | 'gone';

/** How a question came to be over. */
export type QuestionEnding =
  /** `how` is the option kind, or `accept`, `decline`, `cancel`: never a value. */
  | { readonly kind: 'answered'; readonly how: string }
  /** The service said so: `interaction_unknown`, `interaction_not_pending`, 410. */
  | { readonly kind: 'gone'; readonly error: ApiError }
  /** An answer was sent whose response was lost, and was probably received. */
  | { readonly kind: 'maybe-answered'; readonly how: string }
  /** The countdown ran out long ago and nobody tried any more. */
  | { readonly kind: 'expired' }
  /** The run ended for another reason: stopped, cut off, its conversation deleted, its account signed out. */
  | { readonly kind: 'run-ended' }
  /** Another window answered or closed it; the conversation's record says which. */
  | { readonly kind: 'elsewhere' };

/** A question and where it stands: what the tree, the panel and the status bar draw. */
export interface TrackedQuestion {
  readonly question: PendingQuestion;
  readonly state: QuestionState;
  /** Why the service refused the last answer; null where none was refused. */
  readonly error: ApiError | null;
  /** Null while an answer may still be tried. */
  readonly ending: QuestionEnding | null;
}

/** What the broker tells of one question whenever its state changes. */
export type QuestionChange = TrackedQuestion;

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
   * An unreadable question is tracked until it ends, and never asked.
   */
  arrive(question: PendingQuestion): void;
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
