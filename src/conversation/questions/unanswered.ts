import type { Answer, Question } from '../../api/index.ts';

/** What becomes of a question that nobody answers: it runs out, it is refused, or its run is cancelled. */
export const WHEN_UNANSWERED = ['expire', 'refuse', 'cancel'] as const;

export type WhenUnanswered = (typeof WHEN_UNANSWERED)[number];

/** How long before a question's countdown runs out it is answered for nobody, in milliseconds; never earlier. */
export const UNANSWERED_MS = 30_000;

/**
 * The answer that is given where nobody gives one; undefined where none is. It never consents, and refuses nothing for
 * longer than this once: where `reject_once` was not offered, the question is cancelled.
 */
export function automaticAnswer(question: Question, when: WhenUnanswered): Answer | undefined {
  if (when === 'expire') return undefined;
  switch (question.kind) {
    case 'permission': {
      const rejects = when === 'refuse' && question.options.includes('reject_once');
      return { kind: 'permission', choice: rejects ? 'reject_once' : 'cancel' };
    }
    case 'elicitation':
      return { kind: 'elicitation', action: when === 'refuse' ? 'decline' : 'cancel' };
    case 'unreadable':
      return undefined;
  }
}
