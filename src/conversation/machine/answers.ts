import { ApiError, submittedValues, type Answer, type ApiErrorKind } from '../../api/index.ts';
import type { StoredFailure } from '../journal.ts';
import {
  AUTO_ANSWER,
  type AnswerWay,
  type QuestionEnding,
  type UnclearAnswer,
} from '../questions/types.ts';
import { automaticAnswer } from '../questions/unanswered.ts';
import { mayHaveReceived, storedFailure } from './failures.ts';
import {
  backOff,
  closeQuestion,
  failRun,
  leaveRun,
  leaveUnanswerable,
  queueReason,
  request,
  takeBackReason,
} from './runs.ts';
import type { AskableQuestion, RequestAttempt, GivenAnswer, OpenQuestion } from './state.ts';
import type { Transition } from './transition.ts';

/** How questions are answered (interface: Chat run, paused to streaming; Tool reply contents). */

/** The failures after which no answer can count any more. */
const goneKinds: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>([
  'interaction-unknown',
  'interaction-not-pending',
  'intern-not-found',
  'run-output-lost',
  'run-ended',
  'unlisted-finish',
]);

/** Asks the next question. One that cannot be read is canceled, so that the run need not wait for its deadline. */
export function askNext(step: Transition, question: OpenQuestion): void {
  if (isAskable(question)) step.emit({ type: 'ask', question });
  else sendCancel(step, question, false);
}

/** Returns whether a question can be asked; any other is canceled without asking its user. */
export function isAskable(question: OpenQuestion): question is AskableQuestion {
  return question.question.kind !== 'unreadable';
}

/**
 * Sends the user's answer to an open question. While another answer is on its way, the question stays open; a Stop that
 * came first has its way.
 *
 * @param reason why its user rejects what is asked: the next prompt, held where the question turns out to be over
 */
export function answer(step: Transition, id: string, content: Answer, reason?: string): void {
  const { phase, questions } = step.state;
  const question = questions.find((each) => each.id === id);
  if (question === undefined || step.env.session === null) {
    const error = chatError('interaction-unknown', 'The conversation has no such question');
    step.emit({ type: 'report-outcome', question: id, outcome: { kind: 'gone', error } });
    if (reason === undefined) return;
    queueReason(step, id, reason);
    step.set({ queueHeld: true, reasonsDue: [] });
    return;
  }
  if (phase.kind !== 'paused') {
    const error = chatError('busy', 'The run is not waiting');
    step.emit({ type: 'report-outcome', question: id, outcome: { kind: 'refused', error } });
    return;
  }
  if (phase.stopping) {
    step.emit({ type: 'report-outcome', question: id, outcome: undefined });
    return;
  }
  if (reason !== undefined) queueReason(step, id, reason);
  send(step, phase, { question, content, by: undefined, stopping: false });
}

function chatError(kind: ApiErrorKind, message: string): ApiError {
  return new ApiError({ kind, route: 'chat', message });
}

/**
 * Applies the conversation's policy for unanswered questions. Nothing is sent if that lets the question expire, the
 * question does not wait any more, or its user has pressed Stop meanwhile.
 */
export function answerUnanswered(step: Transition, id: string): void {
  const { phase, questions } = step.state;
  const when = step.env.whenUnanswered;
  const question = questions.find((each) => each.id === id);
  const content = question && automaticAnswer(question.question, when);
  if (phase.kind !== 'paused' || phase.stopping || !question || !content)
    step.emit({ type: 'report-outcome', question: id, outcome: undefined });
  else send(step, phase, { question, content, by: AUTO_ANSWER, stopping: when === 'cancel' });
}

/** Sends the `cancel` of a Stop, now that this window owns the conversation. */
export function cancelStopped(step: Transition, id: string): void {
  const { phase, questions } = step.state;
  const [question] = questions;
  if (phase.kind === 'paused' && question?.id === id) sendCancel(step, question, true);
  else step.emit({ type: 'report-outcome', question: id, outcome: undefined });
}

/** Goes on waiting after a Stop: another window owns the conversation, and its answer to the question counts. */
export function stopFailed(step: Transition, id: string): void {
  const { phase, questions } = step.state;
  if (phase.kind === 'paused' && phase.stopping && questions[0]?.id === id)
    step.set({ phase: { ...phase, stopping: false }, sendWhenLeft: false });
}

function sendCancel(step: Transition, question: OpenQuestion, stopping: boolean): void {
  const { phase } = step.state;
  if (phase.kind !== 'paused') return;
  send(step, phase, { question, content: cancelOf(question), by: undefined, stopping });
}

/** Puts an answer on its way: on record first, so that whoever reads that after a crash knows that it may have arrived. */
function send(
  step: Transition,
  { run, mode }: Pick<RequestAttempt, 'run' | 'mode'>,
  given: Pick<GivenAnswer, 'question' | 'content' | 'by' | 'stopping'>,
): void {
  const { question, content } = given;
  const { session: sessionId } = step.env;
  // A run without a session is left before it asks.
  if (sessionId === null) return;
  step.record({ type: 'answering', question: question.id, ...wayOf(given) });
  step.set({ submitted: [...step.state.submitted, ...submittedValues(content)] });
  request(step, {
    run,
    request: step.env.id(),
    chat: { kind: 'answer', sessionId, call: question.call, answer: content },
    mode,
    attempts: 1,
    startedAt: step.env.now,
    opened: false,
    answer: { ...given, isLost: false, isTaken: false },
    asked: [],
    finish: null,
  });
}

/** Cancels the question of a run that waits, and then sends the queue: at once, or when the service has the `cancel`. */
export function cancelAndSend(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind !== 'paused') return;
  step.set({ sendWhenLeft: true });
  stopPaused(step);
}

/**
 * Leaves a paused run without an answer, and sends the queue. The service may still wait for its question: it then refuses
 * the prompt as `busy`, and the prompt is sent again.
 */
export function giveUpAndSend(step: Transition): void {
  const { phase, questions } = step.state;
  if (phase.kind !== 'paused' || phase.stopping) return;
  for (const question of questions) closeQuestion(step, question, 'given-up');
  step.set({ sendWhenLeft: true });
  leaveRun(step);
}

/**
 * Stop while the run waits: `cancel` is the answer, and the run is left when that is taken. A question that the user was
 * asked may be answered by another window too, so the `cancel` waits until this one owns the conversation.
 */
export function stopPaused(step: Transition): void {
  const { phase, questions } = step.state;
  const [question] = questions;
  if (phase.kind !== 'paused' || phase.stopping) return;
  if (question === undefined) {
    leaveRun(step);
    return;
  }
  step.set({ phase: { ...phase, stopping: true } });
  if (isAskable(question)) step.emit({ type: 'cancel', question: question.id });
  else sendCancel(step, question, true);
}

/** The answer that an attempt brings, until it is known what became of it. */
export function answerUnderWay({ answer: given }: RequestAttempt): GivenAnswer | undefined {
  return given?.isTaken === false ? given : undefined;
}

/** Returns whether an error says that the run ended because it took the `cancel` of its question (interface: Chat run, `run_ended`). */
export function endsBy(given: GivenAnswer, error: ApiError): boolean {
  return error.kind === 'run-ended' && wayOf(given).how === 'cancel';
}

/** The service took the answer: the stream goes on in the same run. */
export function answerTaken(step: Transition, attempt: RequestAttempt, given: GivenAnswer): void {
  const { question } = given;
  const way = wayOf(given);
  step.record({ type: 'answered', question: question.id, ...way });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
  step.update(attempt, { answer: { ...given, isTaken: true } });
  step.emit({
    type: 'report-outcome',
    question: question.id,
    outcome: { kind: 'answered', ...way },
  });
}

/** The service did not take the answer: once more, or back to the user, or the question is gone. */
export function answerRefused(
  step: Transition,
  attempt: RequestAttempt,
  given: GivenAnswer,
  error: ApiError,
): void {
  const tried = { ...given, isLost: given.isLost || mayHaveReceived(error) };
  const again = { ...attempt, answer: tried };
  if (backOff(step, again, error)) return;
  const { run, mode } = attempt;
  const stopping = given.stopping && (goneKinds.has(error.kind) || !isAskable(given.question));
  step.set({ phase: { kind: 'paused', run, mode, stopping } });
  if (goneKinds.has(error.kind)) questionGone(step, attempt, tried, error);
  else if (isAskable(given.question)) questionKept(step, tried, error);
  else questionGivenUp(step, attempt, given.question);
}

/** Not even the `cancel` of a question that cannot be read was taken: it runs out on the service. */
function questionGivenUp(step: Transition, attempt: RequestAttempt, question: OpenQuestion): void {
  closeQuestion(step, question, 'unanswerable');
  if (!goOn(step)) leaveUnanswerable(step, attempt);
}

/** Goes on after a question that is over: leaves a run that is being stopped, or asks what else waits. False if nothing does. */
function goOn(step: Transition): boolean {
  const { phase, questions } = step.state;
  const [next] = questions;
  if (phase.kind === 'paused' && phase.stopping) leaveRun(step);
  else if (next === undefined) return false;
  else askNext(step, next);
  return true;
}

function questionKept(step: Transition, given: GivenAnswer, error: ApiError): void {
  const { id } = given.question;
  const unclear = unclearAnswer(given);
  const reason = takeBackReason(step, id);
  const failure = recordFailure(step, given, error);
  step.set({
    questions: step.state.questions.map((each) =>
      each.id === id ? { ...each, failure, maybeReceived: unclear ?? null } : each,
    ),
    sendWhenLeft: false,
  });
  const outcome = {
    kind: 'refused',
    error,
    ...(unclear && { maybeReceived: unclear }),
    ...(reason !== undefined && { reason }),
  } as const;
  step.emit({ type: 'report-outcome', question: id, outcome });
}

function recordFailure(step: Transition, given: GivenAnswer, error: ApiError): StoredFailure {
  const { question, isLost } = given;
  const failure = storedFailure(error);
  step.record({ type: 'refused', question: question.id, failure, ...(isLost && { isLost }) });
  return failure;
}

function questionGone(
  step: Transition,
  attempt: RequestAttempt,
  given: GivenAnswer,
  error: ApiError,
): void {
  const { id } = given.question;
  const outcome = goneOutcome(given, error);
  step.record({ type: 'closed', question: id, why: outcome.kind });
  step.emit({ type: 'report-outcome', question: id, outcome });
  step.set({ questions: step.state.questions.filter((each) => each.id !== id) });
  if (goOn(step)) return;
  const isOver = error.kind === 'run-ended' || error.kind === 'unlisted-finish';
  failRun(step, attempt, error, isOver ? 'over' : 'left');
}

/** The end of a question that waits no longer. What may have been received once stays so, whatever a later answer gets. */
function goneOutcome(
  given: GivenAnswer,
  error: ApiError,
): Extract<QuestionEnding, { kind: 'gone' | 'maybe-answered' }> {
  const unclear = unclearAnswer(given);
  return unclear === undefined ? { kind: 'gone', error } : { kind: 'maybe-answered', ...unclear };
}

/** The first answer to a question that may have been received: one before this, or this one. */
function unclearAnswer(given: GivenAnswer): UnclearAnswer | undefined {
  const earlier = given.question.maybeReceived;
  if (earlier !== null) return { ...earlier, isEarlier: true };
  return given.isLost ? { ...wayOf(given), isEarlier: false } : undefined;
}

/**
 * Stop while an answer is on its way. An answer that failed once is not sent again: `cancel` goes in its place. The fate of
 * an answer that is being sent for the first time is open, so the run is left.
 */
export function stopAnswer(step: Transition, attempt: RequestAttempt, given: GivenAnswer): void {
  const { question, isLost, stopping } = given;
  const { phase } = step.state;
  const { run, mode } = attempt;
  const isRepeated = phase.kind === 'backing-off' || isLost;
  if (!isRepeated || stopping) {
    const outcome = { kind: 'abandoned' } as const;
    step.emit({ type: 'report-outcome', question: question.id, outcome });
    closeQuestion(step, question, 'abandoned');
    step.set({ phase: { kind: 'paused', run, mode, stopping: true } });
    leaveRun(step);
    return;
  }
  if (phase.kind === 'backing-off') recordFailure(step, given, phase.because);
  step.set({ phase: { kind: 'paused', run, mode, stopping: true } });
  sendCancel(step, { ...question, maybeReceived: unclearAnswer(given) ?? null }, true);
}

/** Matches the arguments of an elicitation that cannot be read otherwise. */
const ELICITATION = /"kind"\s*:\s*"elicitation"/;

/** The answer that cancels a question (interface: Tool reply contents). */
function cancelOf({ question, call }: OpenQuestion): Answer {
  const isElicitation =
    question.kind === 'elicitation' ||
    (question.kind === 'unreadable' && ELICITATION.test(call.arguments));
  return isElicitation
    ? { kind: 'elicitation', action: 'cancel' }
    : { kind: 'permission', choice: 'cancel' };
}

function wayOf({ content, by }: Pick<GivenAnswer, 'content' | 'by'>): AnswerWay {
  const how = content.kind === 'permission' ? content.choice : content.action;
  return by === undefined ? { how } : { how, by };
}
