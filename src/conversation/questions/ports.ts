import type { Event } from '../../base/event.ts';
import type { PendingQuestion } from './types.ts';

/** A question as all windows see it. */
export interface KeptQuestion {
  readonly question: PendingQuestion;
  /** Another living window owns its conversation: it sends an answer. */
  readonly isSending: boolean;
  /** The window that opened its dialog last; null where none did, or that one has closed it. */
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
  /** Removes a question. */
  forget(question: PendingQuestion): Promise<void>;
  /** Tells other windows that the dialog is open here. False where they cannot be told. */
  showing(question: PendingQuestion): Promise<boolean>;
  /** Tells other windows that the dialog is no longer open here; one that opened elsewhere meanwhile stays told. */
  hidden(question: PendingQuestion): Promise<void>;
  /** Whether another living window has the dialog open, as the disk says now; true where it does not say. */
  isShownElsewhere(question: PendingQuestion): Promise<boolean>;
  /** Something may have changed, here or in another window. */
  readonly onDidChange: Event<void>;
}
