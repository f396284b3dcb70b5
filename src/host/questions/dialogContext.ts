import type { ApiError } from '../../api/index.ts';
import type { Answer } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { PendingQuestion } from '../../chat/questions/types.ts';

/** What the dialog of a question is opened with. */
export interface DialogContext {
  readonly question: PendingQuestion;
  /** Why the service refused the last answer; null where none was refused. */
  readonly error: ApiError | null;
  /** Milliseconds until the countdown runs out. */
  readonly timeLeft: () => number;
  /** Closes the dialog: the question was answered elsewhere, or is over. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Shows what is asked in full, beside the dialog; undefined where the dialog has room for it. */
  readonly showWhole?: (() => void) | undefined;
}

/** What the user did with a question's dialog. */
export type DialogResult =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The question stays pending. */
  | { readonly kind: 'hidden' }
  /** The question stays pending, and the user wants to read what was said before it. */
  | { readonly kind: 'conversation' };
