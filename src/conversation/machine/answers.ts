import { ApiError, submittedValues, type Answer, type ApiErrorKind } from '../../api/index.ts';
import { recordedAnswer } from '../messages.ts';
import { AUTO_ANSWER, type AnswerOutcome, type MaybeReceived } from '../questions/types.ts';
import { automaticAnswer } from '../questions/unanswered.ts';
import { mayHaveReceived, storedFailure } from './failures.ts';
import {
  closeQuestion,
  endRun,
  leaveRun,
  leaveUnanswerableRun,
  queueReason,
  scheduleRetry,
  startAttempt,
  takeBackReason,
} from './runs.ts';
import type { AskableQuestion, RequestAttempt, GivenAnswer, OpenQuestion, Phase } from './state.ts';
import type { EventOf, Transition } from './transition.ts';

const QUESTION_ENDING_FAILURES: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>([
  'interaction-unknown',
  'interaction-not-pending',
  'intern-not-found',
  'run-output-lost',
  'run-ended',
  'unlisted-finish',
]);

type RunInMode = Pick<RequestAttempt, 'run' | 'mode'>;

/** Matches the arguments of an elicitation, even if they cannot be read. */
const ELICITATION_KIND = /"kind"\s*:\s*"elicitation"/;

/** Asks a question, or cancels it if it cannot be read, so that the run need not wait for its deadline. */
export function askNext(step: Transition, run: RunInMode, question: OpenQuestion): void {
  if (isAskable(question)) step.emit({ type: 'ask', question });
  else sendCancel(step, run, question, false);
}

export function isAskable(question: OpenQuestion): question is AskableQuestion {
  return question.question.kind !== 'unreadable';
}

/** Sends the user's answer to an open question, unless an answer or a Stop came first. */
export function answerQuestion(
  step: Transition,
  { question: id, answer, reason }: EventOf<'answer'>,
): void {
  const { phase, questions } = step.state;
  const question = questions.find((each) => each.id === id);
  if (question === undefined) {
    const message = 'The conversation has no such question';
    const error = new ApiError({ kind: 'interaction-unknown', route: 'chat', message });
    reportOutcome(step, id, { kind: 'gone', error });
    if (reason === undefined) return;
    queueReason(step, id, reason);
    step.set({ queueHeld: true, reasonsDue: [] });
    return;
  }
  if (phase.kind !== 'paused') {
    const error = new ApiError({ kind: 'busy', route: 'chat', message: 'The run is not waiting' });
    reportOutcome(step, id, { kind: 'refused', error });
  } else if (phase.isStopping) reportOutcome(step, id, undefined);
  else {
    if (reason !== undefined) queueReason(step, id, reason);
    sendAnswer(step, phase, { question, isStopping: false }, answer);
  }
}

function reportOutcome(
  step: Transition,
  question: string,
  outcome: AnswerOutcome | undefined,
): void {
  step.emit({ type: 'report-outcome', question, outcome });
}

/** Applies the policy for unanswered questions, unless the question is no longer open or the user pressed Stop. */
export function answerAutomatically(step: Transition, id: string): void {
  const { phase, questions } = step.state;
  const when = step.env.whenUnanswered;
  const question = questions.find((each) => each.id === id);
  const content = question && automaticAnswer(question.question, when);
  if (phase.kind !== 'paused' || phase.isStopping || !question || !content)
    reportOutcome(step, id, undefined);
  else
    sendAnswer(step, phase, { question, by: AUTO_ANSWER, isStopping: when === 'cancel' }, content);
}

/** Sends the `cancel` of a Stop. If another window owns the conversation, its answer counts, and the Stop is undone. */
export function handleStopClaimed(step: Transition, id: string, isOurs: boolean): void {
  const { phase, questions } = step.state;
  const [question] = questions;
  const isAsked = phase.kind === 'paused' && question?.id === id;
  if (isAsked && isOurs) sendCancel(step, phase, question, true);
  else {
    if (isAsked && phase.isStopping)
      step.set({ phase: { ...phase, isStopping: false }, sendWhenLeft: false });
    reportOutcome(step, id, undefined);
  }
}

function sendCancel(
  step: Transition,
  run: RunInMode,
  question: OpenQuestion,
  isStopping: boolean,
): void {
  sendAnswer(step, run, { question, isStopping }, cancelAnswerFor(question));
}

/** Sends an answer. It is recorded first, so that a crash does not hide that it may have been received. */
function sendAnswer(
  step: Transition,
  { run, mode }: RunInMode,
  sent: Pick<GivenAnswer, 'question' | 'by' | 'isStopping'>,
  content: Answer,
): void {
  const { question } = sent;
  const given = { ...sent, how: content.kind === 'permission' ? content.choice : content.action };
  // A run that waits for an answer has a session.
  const sessionId = step.env.session ?? '';
  step.record({ type: 'answering', question: question.id, ...recordedAnswer(given) });
  const { submitted } = step.state;
  if (submitted !== 'unknown') step.set({ submitted: [...submitted, ...submittedValues(content)] });
  const chat = { kind: 'answer', sessionId, call: question.call, answer: content } as const;
  startAttempt(step, { run, chat, mode, answer: { ...given, isLost: false, isAccepted: false } });
}

/** Cancels the question of a paused run, and then sends the queue. */
export function cancelAndSend(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind !== 'paused') return;
  step.set({ sendWhenLeft: true, queueHeld: false });
  stopPaused(step, phase);
}

/**
 * Leaves a paused run without an answer, and sends the queue. If the service still waits for an answer, it refuses the
 * prompt as `busy`, and the prompt is repeated.
 */
export function giveUpAndSend(step: Transition): void {
  const { phase, questions } = step.state;
  if (phase.kind !== 'paused') return;
  for (const question of questions) closeQuestion(step, question, 'given-up');
  step.set({ sendWhenLeft: true, queueHeld: false });
  leaveRun(step);
}

/**
 * Stops a paused run: its question is answered with `cancel`, and the run is left once the service accepts that. The
 * `cancel` waits until this window owns the conversation, because another one may be answering.
 */
export function stopPaused(step: Transition, phase: Extract<Phase, { kind: 'paused' }>): void {
  const [question] = step.state.questions;
  if (phase.isStopping) return;
  step.set({ phase: { ...phase, isStopping: true } });
  if (question === undefined) leaveRun(step);
  else if (isAskable(question)) step.emit({ type: 'claim', question: question.id });
  else sendCancel(step, phase, question, true);
}

interface AnswerAttempt extends RequestAttempt {
  readonly answer: GivenAnswer;
}

/** Returns whether an attempt sends an answer that the service has not accepted. */
export function isSendingAnswer(attempt: RequestAttempt): attempt is AnswerAttempt {
  return attempt.answer?.isAccepted === false;
}

/** Returns whether the run ended because its question was canceled (interface: Chat run, `run_ended`). */
export function isEndedByCancel(given: GivenAnswer, error: ApiError): boolean {
  return error.kind === 'run-ended' && recordedAnswer(given).how === 'cancel';
}

export function handleAnswerAccepted(step: Transition, attempt: AnswerAttempt): void {
  const { answer } = attempt;
  const { question } = answer;
  const recorded = recordedAnswer(answer);
  step.record({ type: 'answered', question: question.id, ...recorded });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
  step.update(attempt, { answer: { ...answer, isAccepted: true } });
  reportOutcome(step, question.id, { kind: 'answered', ...recorded });
}

/** Repeats a refused answer, reopens its question, or closes it. */
export function handleAnswerRefused(step: Transition, sent: AnswerAttempt, error: ApiError): void {
  const { question } = sent.answer;
  const isLost = sent.answer.isLost || mayHaveReceived(error);
  const attempt = { ...sent, answer: { ...sent.answer, isLost } };
  if (scheduleRetry(step, attempt, error)) return;
  const { run, mode } = attempt;
  const isOver = QUESTION_ENDING_FAILURES.has(error.kind);
  const isStopping = sent.answer.isStopping && (isOver || !isAskable(question));
  step.set({ phase: { kind: 'paused', run, mode, isStopping } });
  if (isOver) closeGoneQuestion(step, attempt, error);
  else if (isAskable(question)) reopenQuestion(step, attempt.answer, error);
  else {
    closeQuestion(step, question, 'unanswerable');
    if (!continueRun(step, attempt)) leaveUnanswerableRun(step, attempt);
  }
}

/** Leaves the run if it is being stopped, or asks its next question. Returns false if there is none. */
function continueRun(step: Transition, run: RunInMode): boolean {
  const { phase, questions } = step.state;
  const [next] = questions;
  if (phase.kind === 'paused' && phase.isStopping) leaveRun(step);
  else if (next === undefined) return false;
  else askNext(step, run, next);
  return true;
}

function reopenQuestion(step: Transition, given: GivenAnswer, error: ApiError): void {
  const { id } = given.question;
  const maybeReceived = maybeReceivedAnswer(step, given);
  const reason = takeBackReason(step, id);
  recordFailure(step, given, error);
  step.set({ sendWhenLeft: false });
  reportOutcome(step, id, {
    kind: 'refused',
    error,
    ...(maybeReceived && { maybeReceived }),
    ...(reason !== undefined && { reason }),
  });
}

function recordFailure(step: Transition, given: GivenAnswer, error: ApiError): void {
  const { question, isLost } = given;
  const failure = storedFailure(error);
  step.record({ type: 'refused', question: question.id, failure, ...(isLost && { isLost }) });
}

function closeGoneQuestion(step: Transition, attempt: AnswerAttempt, error: ApiError): void {
  const { id } = attempt.answer.question;
  const maybeReceived = maybeReceivedAnswer(step, attempt.answer);
  const ending = maybeReceived
    ? ({ kind: 'maybe-answered', ...maybeReceived } as const)
    : ({ kind: 'gone', error } as const);
  step.record({ type: 'closed', question: id, why: ending.kind });
  reportOutcome(step, id, ending);
  step.set({ questions: step.state.questions.filter((each) => each.id !== id) });
  if (continueRun(step, attempt)) return;
  const isOver = error.kind === 'run-ended' || error.kind === 'unlisted-finish';
  endRun(step, attempt, isOver ? 'over' : 'left', error);
}

/** Returns the first answer to a question that may have been received: an earlier one, or this one. */
function maybeReceivedAnswer(step: Transition, given: GivenAnswer): MaybeReceived | null {
  const earlier = step.env.maybeReceived(given.question.id);
  if (earlier !== null) return { ...earlier, isEarlier: true };
  return given.isLost ? { ...recordedAnswer(given), isEarlier: false } : null;
}

/**
 * Stops a run while its answer is being sent. If an attempt has failed, `cancel` replaces the answer. If this is the first
 * attempt, or the answer is a `cancel`, the run is left.
 */
export function stopDuringAnswer(step: Transition, attempt: AnswerAttempt): void {
  const { answer } = attempt;
  const { question, isLost, isStopping } = answer;
  const { phase } = step.state;
  const isRepeated = phase.kind === 'backing-off' || isLost;
  if (!isRepeated || isStopping) {
    reportOutcome(step, question.id, { kind: 'abandoned' });
    closeQuestion(step, question, 'abandoned');
    leaveRun(step);
    return;
  }
  if (phase.kind === 'backing-off') recordFailure(step, answer, phase.error);
  sendCancel(step, attempt, question, true);
}

/** Returns the answer that cancels a question (interface: Tool reply contents). */
function cancelAnswerFor({ question, call }: OpenQuestion): Answer {
  const isElicitation =
    question.kind === 'elicitation' ||
    (question.kind === 'unreadable' && ELICITATION_KIND.test(call.arguments));
  return isElicitation
    ? { kind: 'elicitation', action: 'cancel' }
    : { kind: 'permission', choice: 'cancel' };
}
