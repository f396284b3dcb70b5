import {
  ApiError,
  RESPONSE_STOPPED,
  type ChatEvent,
  type ToolCall,
  type Usage,
} from '../../api/index.ts';
import type { StoredUsage } from '../journal.ts';
import { newQuestion } from '../messages.ts';
import { mayBeRunning, storedFailure } from './failures.ts';
import {
  handleAnswerRefused,
  handleAnswerAccepted,
  askNext,
  isEndedByCancel,
  isAskable,
  isSendingAnswer,
  stopPaused,
} from './answers.ts';
import {
  scheduleRetry,
  closeQuestion,
  endRun,
  leaveRun,
  leaveUnanswerableRun,
  type RunEndKind,
} from './runs.ts';
import type { RequestAttempt } from './state.ts';
import type { EventOf, Transition } from './transition.ts';

export function handleOpened(step: Transition, { request }: EventOf<'opened'>): void {
  const attempt = step.attempt(request);
  if (attempt !== undefined) step.update(attempt, { hasResponded: true });
}

/** Stores whether a stream is silent. The next event of the request clears this. */
export function setSilence(step: Transition, { request, isSilent }: EventOf<'silence'>): void {
  const attempt = step.attempt(request);
  if (attempt !== undefined) step.set({ phase: { kind: 'requesting', attempt, isSilent } });
}

export function handleStreamed(step: Transition, { request, events }: EventOf<'streamed'>): void {
  for (const { event, upTo } of events) {
    const since = step.effects.length;
    handleEvent(step, request, event);
    step.noteEvents(upTo, since);
  }
  const attempt = step.attempt(request);
  if (attempt?.answer?.isStopping !== true || !attempt.answer.isAccepted) return;
  // A run that asks again is stopped when it is paused; one that continues is left now.
  const asksAgain = step.state.questions.some(({ askedAt }) => askedAt >= attempt.startedAt);
  if (attempt.finish !== null || asksAgain) return;
  step.emit({ type: 'abort' });
  leaveRun(step);
}

function handleEvent(step: Transition, request: string, event: ChatEvent): void {
  if (handleAnswerProof(step, request, event)) return;
  const attempt = step.attempt(request);
  if (attempt === undefined) return;
  const { run } = attempt;
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      step.record({ type: event.kind, run, text: event.text });
      return;
    case 'interaction':
      handleQuestion(step, attempt, event.call);
      return;
    case 'finish':
      handleFinish(step, attempt, event);
      return;
    case 'end': {
      const { sessionId: session, model, completionId } = event;
      const usage = event.usage === null ? null : storedUsage(event.usage);
      const completion = completionId === null ? {} : { completion: completionId };
      step.record({ type: 'end', run, session, model, usage, ...completion });
      return;
    }
    case 'malformed':
      // The intern may wait for an answer to this call. Other problems are only logged.
      if (event.problem === 'tool-call') step.record({ type: 'notice', notice: 'unreadable-call' });
      return;
    case 'role':
      return;
  }
}

/**
 * Handles an event that proves whether the service accepted the answer. Headers and role chunk prove nothing (interface:
 * Errors after streaming began). Returns true if the answer was refused: the event needs no more handling then.
 */
function handleAnswerProof(step: Transition, request: string, event: ChatEvent): boolean {
  const attempt = step.attempt(request);
  if (attempt === undefined || !isSendingAnswer(attempt)) return false;
  if ('error' in event && !isEndedByCancel(attempt.answer, event.error)) {
    handleAnswerRefused(step, attempt, event.error);
    return true;
  }
  if (ACCEPTANCE_EVENTS.has(event.kind)) handleAnswerAccepted(step, attempt);
  return false;
}

/** The events that prove that an answer was accepted. */
const ACCEPTANCE_EVENTS: ReadonlySet<ChatEvent['kind']> = new Set<ChatEvent['kind']>([
  'text',
  'reasoning',
  'interaction',
  'finish',
]);

function handleFinish(
  step: Transition,
  attempt: RequestAttempt,
  event: Extract<ChatEvent, { kind: 'finish' }>,
): void {
  const { run, answer } = attempt;
  const { reason } = event;
  step.update(attempt, { finish: 'error' in event ? event.error : event.reason });
  // A run that is being stopped is recorded as stopped instead.
  if (answer?.isStopping === true && reason !== 'tool_calls') return;
  if ('error' in event)
    step.record({ type: 'finished', run, reason: 'error', failure: storedFailure(event.error) });
  else step.record({ type: 'finished', run, reason: event.reason });
}

function handleQuestion(step: Transition, attempt: RequestAttempt, call: ToolCall): void {
  const { questions } = step.state;
  if (questions.some((question) => question.call.id === call.id)) return;
  const asked = { run: attempt.run, question: step.env.newId(), call };
  step.record({ type: 'asked', ...asked });
  step.set({ questions: [...questions, newQuestion({ ...asked, at: step.env.now })] });
}

/** Handles the regular end of a stream. */
export function handleEnded(step: Transition, { request }: EventOf<'ended'>): void {
  const attempt = step.attempt(request);
  if (attempt !== undefined) endResponse(step, attempt);
}

function endResponse(step: Transition, attempt: RequestAttempt): void {
  const { finish } = attempt;
  if (finish === 'tool_calls') pause(step, attempt);
  else finishRun(step, attempt, finish instanceof ApiError ? endKindAfter(finish, 'over') : 'done');
}

export function handleFailed(step: Transition, { request, error }: EventOf<'failed'>): void {
  const attempt = step.attempt(request);
  if (attempt === undefined) return;
  // Another window has already recorded how this response ended.
  if (attempt.chat === null && attempt.finish !== null) {
    endResponse(step, attempt);
    return;
  }
  if (isSendingAnswer(attempt)) handleAnswerRefused(step, attempt, error);
  else if (attempt.hasResponded) handleFailureInStream(step, attempt, error);
  else if (!scheduleRetry(step, attempt, error))
    endRun(step, attempt, endKindAfter(error, 'refused'), error);
}

function handleFailureInStream(step: Transition, attempt: RequestAttempt, error: ApiError): void {
  const { run, finish } = attempt;
  if (error.code === RESPONSE_STOPPED) {
    step.record({ type: 'cut', run });
    finishRun(step, attempt, 'left');
    return;
  }
  // A run that asked stays open after its stream was cut. An answer needs a known session.
  const canAnswer = finish === 'tool_calls' && step.env.session !== null;
  // The finish chunk counts without the rest, unless the response had too many calls.
  const finishCounts = canAnswer || finish === 'stop' || finish instanceof ApiError;
  if (finishCounts && error.kind !== 'too-many-calls') endResponse(step, attempt);
  else finishRun(step, attempt, 'left', error);
}

/** Returns how a run ended that failed: `left` if it may still be running, else `otherwise`. */
function endKindAfter(error: ApiError, otherwise: RunEndKind): RunEndKind {
  return mayBeRunning(error) ? 'left' : otherwise;
}

function pause(step: Transition, attempt: RequestAttempt): void {
  const { run, mode, answer } = attempt;
  const phase = { kind: 'paused', run, mode, isStopping: false } as const;
  step.set({ phase });
  if (step.env.session === null)
    for (const question of step.state.questions) closeQuestion(step, question, 'unanswerable');
  const [first] = step.state.questions;
  // After an automatic cancel, the user has the full time to answer the next question.
  const isStopping = answer?.isStopping === true && answer.by === undefined;
  if (first === undefined) {
    if (isStopping) leaveRun(step);
    else leaveUnanswerableRun(step, attempt);
    return;
  }
  if (!isStopping || isAskable(first)) askNext(step, phase, first);
  if (isStopping) stopPaused(step, phase);
}

function finishRun(
  step: Transition,
  attempt: RequestAttempt,
  how: RunEndKind,
  error?: ApiError,
): void {
  if (attempt.answer?.isStopping === true) leaveRun(step, how === 'done' ? 'over' : how);
  else endRun(step, attempt, how, error);
}

function storedUsage(usage: Usage): StoredUsage {
  const { promptTokens, completionTokens, totalTokens, cachedTokens, cost } = usage;
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    ...(cachedTokens === null ? {} : { cachedTokens }),
    ...(cost === null ? {} : { cost }),
  };
}
