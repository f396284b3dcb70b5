import type { ApiError } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Countdown } from './countdown.ts';
import type { PendingQuestion, QuestionEnding, QuestionStage, TrackedQuestion } from './types.ts';
import type { WhenUnanswered } from './unanswered.ts';

/** A reminder comes this long before the countdown runs out. */
export const REMINDER_MS = 60_000;

/**
 * How long a question counts as one that waits after its countdown ran out, in milliseconds: an hour. The service's five
 * minutes are its default, not a rule, so that no question is closed by this side alone: after this its card can still
 * be answered, but no badge and no status bar tells of it.
 */
export const COUNTED_MS = 3_600_000;

/** A tracked question and what only the broker knows of it. */
export interface Entry {
  readonly question: PendingQuestion;
  readonly countdown: Countdown;
  stage: QuestionStage;
  isShown: boolean;
  error: ApiError | null;
  ending: QuestionEnding | null;
  /** The index has it, so its absence there means that another window closed it. */
  isIndexed: boolean;
  /** Settles when the index has been told of it. */
  readonly indexing: Promise<unknown>;
  /** Settles when other windows have been told whether its dialog is here. */
  reporting: Promise<unknown>;
  /** The window that has its dialog open, as the index said last. */
  shownIn: string | null;
  /** Other windows have been told that its dialog is here. */
  isShownReported: boolean;
  /** The answer on its way is this window's. */
  answeringHere: boolean;
  whenUnanswered: WhenUnanswered | null;
  /** Whether to answer it for nobody is being checked. */
  isBeingChecked: boolean;
  reminded: boolean;
  /** When the countdown ran out, on the monotonic clock. */
  ranOutAt: number | undefined;
  timer: Disposable | undefined;
}

/** A question that the broker begins to track; `indexing` settles when the index has been told of it. */
export function newEntry(
  question: PendingQuestion,
  clock: Clock,
  indexing: Promise<unknown>,
): Entry {
  const countdown = new Countdown(clock, question.deadline);
  const overdue = clock.now() - question.deadline;
  return {
    question,
    countdown,
    stage: 'open',
    isShown: false,
    error: null,
    ending: null,
    isIndexed: false,
    indexing,
    reporting: indexing,
    shownIn: null,
    isShownReported: false,
    answeringHere: false,
    whenUnanswered: null,
    isBeingChecked: false,
    reminded: countdown.left() <= REMINDER_MS,
    ranOutAt: overdue < 0 ? undefined : clock.monotonic() - overdue,
    timer: undefined,
  };
}

export function snapshotOf(entry: Entry, clock: Clock): TrackedQuestion {
  const { question, stage, isShown, error, ending, countdown, ranOutAt, whenUnanswered } = entry;
  const isLate = countdown.left() === 0;
  const counts = clock.monotonic() - (ranOutAt ?? Infinity) < COUNTED_MS;
  return { question, stage, isShown, isLate, error, ending, whenUnanswered, counts };
}

/** Whether no answer was tried here, and no dialog is open here. */
export function isUntouched({ stage, isShown }: Entry): boolean {
  return stage === 'open' && !isShown;
}

export function isOver({ stage }: Entry): boolean {
  return stage === 'over';
}
