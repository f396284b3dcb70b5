import type { Event } from '../../base/event.ts';
import type { PendingQuestion } from './types.ts';

/** The right to answer a question, which one window holds at a time. */
export interface AnswerClaim {
  /** Lets any window answer again. Never rejects. */
  release(): Promise<void>;
}

/** A question as all windows see it. */
export interface KeptQuestion {
  readonly question: PendingQuestion;
  /**
   * `held`: a living window sends an answer. A window that is gone holds none: whether the service took its answer
   * nobody can say, so that the question is asked again, and the service, which takes one answer only, decides.
   */
  readonly claim: 'free' | 'held';
  /** The window that opened its dialog last; null where none did. */
  readonly shownIn: string | null;
}

/**
 * Open questions where all windows see them and a restart finds them again. Holds no answer and no value.
 *
 * Nothing here rejects: where the disk fails, a question lives in its own window alone.
 */
export interface QuestionIndex {
  /** Undefined where the disk does not say: then nothing is known, not even that a question is gone. */
  list(): Promise<readonly KeptQuestion[] | undefined>;
  /** Adds a question; one with its id stays as it is. False where the disk did not take it. */
  keep(question: PendingQuestion): Promise<boolean>;
  /** Removes a question, then its claim: so a claim on what is not listed any more is never given. */
  forget(question: PendingQuestion): Promise<void>;
  /** Tells other windows that the dialog is open here. False where they cannot be told. */
  showing(question: PendingQuestion): Promise<boolean>;
  /** Undefined where another window holds the claim, or has closed the question since it was kept. */
  claim(question: PendingQuestion): Promise<AnswerClaim | undefined>;
  /** Something may have changed, here or in another window. */
  readonly onDidChange: Event<void>;
}
