import type { PendingQuestion } from './types.ts';

/** That a user once allowed an operation always. How long the intern honours it, the interface does not say. */
export interface AllowedAlways {
  /** One for each intern and operation. */
  readonly id: string;
  readonly intern: string;
  readonly internName: string;
  /** Null where the tool was unnamed. */
  readonly operation: string | null;
  /** Epoch ms, of the last time. */
  readonly allowedAt: number;
}

/** What an answer that was taken adds to the record of what was allowed always; undefined where it adds nothing. */
export function allowedBy(
  { question, intern, internName }: PendingQuestion,
  how: string,
  now: number,
): AllowedAlways | undefined {
  if (question.kind !== 'permission' || how !== 'allow_always') return undefined;
  const { operation } = question;
  return {
    id: JSON.stringify([intern, operation]),
    intern,
    internName,
    operation,
    allowedAt: now,
  };
}
