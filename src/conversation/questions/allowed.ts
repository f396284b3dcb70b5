import type { PendingQuestion } from './types.ts';

/** An `allow_always` of a user. The interface does not say how long the intern honors it. */
export interface AllowedAlways {
  /** One for each intern and operation, and one for each question whose answer may have been received. */
  readonly id: string;
  readonly intern: string;
  readonly internName: string;
  /** Null where the tool was unnamed. */
  readonly operation: string | null;
  /** Epoch ms, of the last time. */
  readonly allowedAt: number;
  /** Tells whether the service may not have received it; absent once the service has taken it. */
  readonly isUnclear?: boolean;
}

/**
 * The record of an answer that allows an operation always; undefined for any other answer.
 *
 * @param isUnclear whether the service may not have received the answer
 */
export function allowedBy(
  { id, question, intern, internName }: PendingQuestion,
  how: string,
  now: number,
  isUnclear = false,
): AllowedAlways | undefined {
  if (question.kind !== 'permission' || how !== 'allow_always') return undefined;
  const { operation } = question;
  return {
    id: isUnclear ? unclearId(id) : JSON.stringify([intern, operation]),
    intern,
    internName,
    operation,
    allowedAt: now,
    ...(isUnclear && { isUnclear }),
  };
}

/** The id of the record of an answer that may have been received, by the id of its question. */
export function unclearId(question: string): string {
  return JSON.stringify({ question });
}
