import { retryDelay, type ApiError } from '../../api/index.ts';
import { interactionDeadlineMs, type Exchange, type OpenQuestion } from './state.ts';
import type { Step } from './step.ts';

/** How a conversation asks the client's retry policy: what only it knows of the run and the question. */

/** Below the policy's limit of attempts: a lost connection is tried again for as long as the question lasts. */
const unlimitedAttempts = 3;

/** Milliseconds until the prompt may be sent again, or null where it may not: it might run twice. */
export function promptDelay(step: Step, exchange: Exchange, error: ApiError): number | null {
  const { now, random } = step.env;
  const { leftAt } = step.state;
  return retryDelay(
    { operation: 'prompt', sinceOwnRunEndedMs: leftAt === null ? null : now - leftAt },
    error,
    { attempts: exchange.attempt, elapsedMs: now - exchange.startedAt },
    random,
  );
}

/** Milliseconds until the answer may be sent again unchanged, or null where the user decides. */
export function replyDelay(
  step: Step,
  exchange: Exchange,
  question: OpenQuestion,
  error: ApiError,
): number | null {
  const { now, random } = step.env;
  const isLost = error.status === null;
  return retryDelay(
    { operation: 'reply', remainingMs: question.askedAt + interactionDeadlineMs - now },
    error,
    {
      attempts: isLost ? Math.min(exchange.attempt, unlimitedAttempts) : exchange.attempt,
      elapsedMs: now - exchange.startedAt,
    },
    random,
  );
}
