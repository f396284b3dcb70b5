import type { Answer, Question } from '../../api/index.ts';

/** The policies for unanswered questions. */
export const WHEN_UNANSWERED = ['expire', 'refuse', 'cancel'] as const;

export type WhenUnanswered = (typeof WHEN_UNANSWERED)[number];

/** How long before its deadline a question is answered automatically, in ms. */
export const AUTO_ANSWER_BEFORE_DEADLINE_MS = 30_000;

/**
 * Returns the automatic answer of a policy, if any. It never allows an operation, and rejects only once: if `reject_once`
 * was not offered, the question is canceled.
 */
export function automaticAnswer(question: Question, when: WhenUnanswered): Answer | undefined {
  if (when === 'expire' || question.kind === 'unreadable') return undefined;
  if (question.kind === 'elicitation')
    return { kind: 'elicitation', action: when === 'refuse' ? 'decline' : 'cancel' };
  const rejects = when === 'refuse' && question.options.includes('reject_once');
  return { kind: 'permission', choice: rejects ? 'reject_once' : 'cancel' };
}
