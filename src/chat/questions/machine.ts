import type { QuestionState } from './types.ts';

/** What may happen to a question in one window. */
export type QuestionEvent =
  /** Its dialog opened here. */
  | 'show'
  /** Its dialog went away without an answer: Escape, a palette, another dialog, another window. */
  | 'hide'
  /** The user answered, here or in another window. */
  | 'send'
  /** The service took the answer. */
  | 'accept'
  /** The service refused the answer and the question still waits. */
  | 'refuse'
  /** Another window gave up its answer. */
  | 'release'
  /** The countdown reached zero. */
  | 'run-out'
  /** Nothing that is sent can count any more. */
  | 'close';

/**
 * Every transition there is; an event that a state does not list changes nothing.
 *
 * A question that is shown or being answered stays so when its time runs out: the service decides, not our clock.
 */
export const TRANSITIONS: Readonly<
  Record<QuestionState, Readonly<Partial<Record<QuestionEvent, QuestionState>>>>
> = {
  pending: { show: 'shown', send: 'answering', 'run-out': 'expired', close: 'gone' },
  shown: { hide: 'pending', send: 'answering', close: 'gone' },
  answering: { accept: 'answered', refuse: 'rejected', release: 'pending', close: 'gone' },
  rejected: { show: 'shown', send: 'answering', 'run-out': 'expired', close: 'gone' },
  expired: { show: 'shown', send: 'answering', close: 'gone' },
  answered: {},
  gone: {},
};

/** The state after an event, or undefined where the state does not know the event. */
export function transition(state: QuestionState, event: QuestionEvent): QuestionState | undefined {
  return TRANSITIONS[state][event];
}

/** Whether an answer may still be tried or is on its way. */
export function isOpen(state: QuestionState): boolean {
  return state !== 'answered' && state !== 'gone';
}

/** Whether a question waits for its user and no dialog of this window shows it. */
export function isWaiting(state: QuestionState): boolean {
  return state === 'pending' || state === 'rejected' || state === 'expired';
}
