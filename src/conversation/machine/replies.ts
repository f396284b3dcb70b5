import { ApiError, submittedValues, type Answer, type ApiErrorKind } from '../../api/index.ts';
import {
  NOBODY,
  type AnswerWay,
  type QuestionEnding,
  type UnclearAnswer,
} from '../questions/types.ts';
import type { StoredFailure } from '../journal.ts';
import { answerForNobody, type WhenUnanswered } from '../questions/unanswered.ts';
import { mayHaveReceived, replyDelay, storedFailure } from './failures.ts';
import {
  becomeIdle,
  closeQuestion,
  leaveRun,
  leaveUnanswerable,
  queueReason,
  request,
  takeBackReason,
} from './runs.ts';
import { type AskableQuestion, type Exchange, type OpenQuestion } from './state.ts';
import type { Transition } from './transition.ts';

/** How questions are answered (interface: Chat run, paused to streaming; Tool reply contents). */

type Reply = NonNullable<Exchange['reply']>;

/** The failures after which no answer can count any more. */
const goneKinds: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>([
  'interaction-unknown',
  'interaction-not-pending',
  'intern-not-found',
  'run-output-lost',
  'run-ended',
  'unlisted-finish',
]);

/** Asks the next question. One that cannot be read is cancelled, so that the run need not wait for its deadline. */
export function askNext(step: Transition, question: OpenQuestion): void {
  if (isAskable(question)) step.emit({ type: 'ask', question });
  else answer(step, question.id, cancelOf(question));
}

/** Whether a question can be asked; any other is cancelled without asking its user. */
export function isAskable(question: OpenQuestion): question is AskableQuestion {
  return question.question.kind !== 'unreadable';
}

/**
 * Sends the user's answer to an open question; while another answer is on its way, the question stays open.
 *
 * @param reason why its user rejects what is asked: the next prompt, held where the question turns out to be over
 */
export function answer(step: Transition, id: string, given: Answer, reason?: string): void {
  const { phase, questions } = step.state;
  const { session } = step.env;
  const question = questions.find((each) => each.id === id);
  if (question === undefined || session === null) {
    const message = 'The conversation has no such question';
    const error = new ApiError({ kind: 'interaction-unknown', route: 'chat', message });
    step.emit({ type: 'report-outcome', question: id, outcome: { kind: 'gone', error } });
    if (reason === undefined) return;
    queueReason(step, id, reason);
    step.set({ queueHeld: true, reasonsDue: [] });
    return;
  }
  if (phase.kind !== 'paused') {
    const error = new ApiError({ kind: 'busy', route: 'chat', message: 'The run is not waiting' });
    step.emit({ type: 'report-outcome', question: id, outcome: { kind: 'refused', error } });
    return;
  }
  const { run, mode, stopping } = phase;
  if (reason !== undefined) queueReason(step, id, reason);
  send(step, { run, mode }, session, { question, answer: given, by: undefined, stopping });
}

/**
 * Answers an open question for nobody, as the conversation says for where no user does. Nothing is sent where it says
 * nothing, the question does not wait any more, or its user has pressed Stop meanwhile.
 */
export function answerUnanswered(step: Transition, id: string, when: WhenUnanswered): void {
  const { phase, questions } = step.state;
  const { session } = step.env;
  const question = questions.find((each) => each.id === id);
  const given = question && answerForNobody(question.question, when);
  if (phase.kind !== 'paused' || phase.stopping || session === null || !question || !given) {
    step.emit({ type: 'report-outcome', question: id, outcome: undefined });
    return;
  }
  const stopping = when === 'cancel';
  send(step, phase, session, { question, answer: given, by: NOBODY, stopping });
}

/** Puts an answer on its way: on record first, so that whoever reads that after a crash knows that it may have arrived. */
function send(
  step: Transition,
  { run, mode }: Pick<Exchange, 'run' | 'mode'>,
  sessionId: string,
  given: Pick<Reply, 'question' | 'answer' | 'by' | 'stopping'>,
): void {
  const { question, answer: content } = given;
  step.record({ type: 'answering', question: question.id, ...wayOf(given) });
  step.set({ submitted: [...step.state.submitted, ...submittedValues(content)] });
  request(step, {
    run,
    request: step.env.id(),
    chat: { kind: 'reply', sessionId, call: question.call, answer: content },
    mode,
    attempt: 1,
    startedAt: step.env.now,
    opened: false,
    reply: { ...given, isLost: false, isTaken: false },
    asked: [],
    finish: null,
  });
}

/** Cancels the question of a run that waits, and then sends the queue: at once, or when the service has the `cancel`. */
export function cancelAndSend(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind !== 'paused') return;
  step.set({ sendWhenLeft: true });
  if (!phase.stopping) stopPaused(step);
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

/** Stop while the run waits: `cancel` is the answer, and the run is left when that is taken. */
export function stopPaused(step: Transition): void {
  const { phase, questions } = step.state;
  const [question] = questions;
  if (phase.kind !== 'paused') return;
  if (question === undefined) {
    leaveRun(step);
    return;
  }
  step.set({ phase: { ...phase, stopping: true } });
  if (isAskable(question)) step.emit({ type: 'cancel', question });
  else askNext(step, question);
}

/**
 * The desk is done with the `cancel` of a Stop. Where that was never sent, the run waits for the answer that came before
 * it, or is left: its question is one that nobody can answer any more.
 */
export function cancelDone(step: Transition, id: string, isTaken: boolean): void {
  const { phase, questions } = step.state;
  if (phase.kind !== 'paused' || !phase.stopping || questions[0]?.id !== id) return;
  if (isTaken) step.set({ phase: { ...phase, stopping: false }, sendWhenLeft: false });
  else leaveRun(step);
}

/** The answer that an exchange brings, until it is known what became of it. */
export function replyUnderWay({ reply }: Exchange): Reply | undefined {
  return reply?.isTaken === false ? reply : undefined;
}

/** Whether an error is how a run ends that took the `cancel` of its question (interface: Chat run, `run_ended`). */
export function endsBy(reply: Reply, error: ApiError): boolean {
  return error.kind === 'run-ended' && wayOf(reply).how === 'cancel';
}

/** The service took the answer: the stream goes on in the same run. */
export function replyTaken(step: Transition, exchange: Exchange, reply: Reply): void {
  const { question } = reply;
  const way = wayOf(reply);
  step.record({ type: 'answered', question: question.id, ...way });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
  step.update(exchange, { reply: { ...reply, isTaken: true } });
  step.emit({
    type: 'report-outcome',
    question: question.id,
    outcome: { kind: 'answered', ...way },
  });
}

/** The service did not take the answer: once more, or back to the user, or the question is gone. */
export function replyRefused(
  step: Transition,
  exchange: Exchange,
  reply: Reply,
  error: ApiError,
): void {
  const tried = { ...reply, isLost: reply.isLost || mayHaveReceived(error) };
  const again = { ...exchange, reply: tried };
  const delay = replyDelay(step, again, reply.question, error);
  if (delay !== null) {
    const until = step.env.now + delay;
    step.set({ phase: { kind: 'backing-off', exchange: again, until, because: error } });
    step.emit({ type: 'timer', at: until });
    return;
  }
  if (goneKinds.has(error.kind)) questionGone(step, again, tried, error);
  else if (isAskable(reply.question)) questionKept(step, again, tried, error);
  else questionGivenUp(step, again, tried);
}

/** Not even the `cancel` of a question that cannot be read was taken: it runs out on the service. */
function questionGivenUp(step: Transition, exchange: Exchange, reply: Reply): void {
  const { run, mode } = exchange;
  const { question, stopping } = reply;
  step.set({ phase: { kind: 'paused', run, mode, stopping } });
  closeQuestion(step, question, 'unanswerable');
  const [next] = step.state.questions;
  if (stopping) leaveRun(step);
  else if (next === undefined) leaveUnanswerable(step, exchange);
  else askNext(step, next);
}

function questionKept(step: Transition, exchange: Exchange, reply: Reply, error: ApiError): void {
  const { question } = reply;
  const unclear = unclearAnswer(reply);
  const reason = takeBackReason(step, question.id);
  const failure = recordFailure(step, reply, error);
  step.set({
    phase: { kind: 'paused', run: exchange.run, mode: exchange.mode, stopping: false },
    questions: step.state.questions.map((each) =>
      each.id === question.id ? { ...each, failure, maybeReceived: unclear ?? null } : each,
    ),
    sendWhenLeft: false,
  });
  const outcome = {
    kind: 'refused',
    error,
    ...(unclear && { maybeReceived: unclear }),
    ...(reason !== undefined && { reason }),
  } as const;
  step.emit({ type: 'report-outcome', question: question.id, outcome });
}

function recordFailure(step: Transition, reply: Reply, error: ApiError): StoredFailure {
  const { question, isLost } = reply;
  const failure = storedFailure(error);
  step.record({ type: 'refused', question: question.id, failure, ...(isLost && { isLost }) });
  return failure;
}

function questionGone(step: Transition, exchange: Exchange, reply: Reply, error: ApiError): void {
  const { run, mode } = exchange;
  const { question, stopping } = reply;
  const outcome = goneOutcome(reply, error);
  step.record({ type: 'closed', question: question.id, why: outcome.kind });
  step.emit({ type: 'report-outcome', question: question.id, outcome });
  const questions = step.state.questions.filter(({ id }) => id !== question.id);
  step.set({ questions });
  const [next] = questions;
  if (next !== undefined && !stopping) {
    step.set({ phase: { kind: 'paused', run, mode, stopping: false } });
    askNext(step, next);
    return;
  }
  if (stopping) {
    leaveRun(step);
    return;
  }
  step.record({ type: 'failed', run, failure: storedFailure(error) });
  step.emit({ type: 'run-ended', run, ok: false, tookMs: step.env.now - exchange.startedAt });
  const isOver = error.kind === 'run-ended' || error.kind === 'unlisted-finish';
  becomeIdle(step, isOver ? 'over' : 'left');
}

/** The end of a question that waits no longer. What may have been received once stays so, whatever a later answer gets. */
function goneOutcome(
  reply: Reply,
  error: ApiError,
): Extract<QuestionEnding, { kind: 'gone' | 'maybe-answered' }> {
  const unclear = unclearAnswer(reply);
  return unclear === undefined ? { kind: 'gone', error } : { kind: 'maybe-answered', ...unclear };
}

/** The first answer to a reply's question that may have been received: one before this, or this one. */
function unclearAnswer(reply: Reply): UnclearAnswer | undefined {
  const earlier = reply.question.maybeReceived;
  if (earlier !== null) return { ...earlier, isEarlier: true };
  return reply.isLost ? { ...wayOf(reply), isEarlier: false } : undefined;
}

/**
 * Stop while an answer is on its way. An answer that failed once is not sent again: `cancel` goes in its place. The fate of
 * an answer that is being sent for the first time is open, so the run is left.
 */
export function stopReply(step: Transition, exchange: Exchange, reply: Reply): void {
  const { question, isLost, stopping } = reply;
  const { phase } = step.state;
  const { session } = step.env;
  const isRepeated = phase.kind === 'backing-off' || isLost;
  if (!isRepeated || stopping || session === null) {
    abandonReply(step, exchange, reply);
    return;
  }
  if (phase.kind === 'backing-off') recordFailure(step, reply, phase.because);
  const maybeReceived = unclearAnswer(reply) ?? null;
  send(step, exchange, session, {
    question: { ...question, maybeReceived },
    answer: cancelOf(question),
    by: undefined,
    stopping: true,
  });
}

function abandonReply(step: Transition, exchange: Exchange, reply: Reply): void {
  step.emit({
    type: 'report-outcome',
    question: reply.question.id,
    outcome: { kind: 'abandoned' },
  });
  closeQuestion(step, reply.question, 'abandoned');
  step.set({ phase: { kind: 'paused', run: exchange.run, mode: exchange.mode, stopping: true } });
  leaveRun(step);
}

/** What a question that cannot be read says of its kind. */
const ELICITATION = /"kind"\s*:\s*"elicitation"/;

/** The answer that cancels a question (interface: Tool reply contents). */
export function cancelOf({ question, call }: OpenQuestion): Answer {
  const isElicitation =
    question.kind === 'elicitation' ||
    (question.kind === 'unreadable' && ELICITATION.test(call.arguments));
  return isElicitation
    ? { kind: 'elicitation', action: 'cancel' }
    : { kind: 'permission', choice: 'cancel' };
}

function wayOf({ answer: given, by }: Pick<Reply, 'answer' | 'by'>): AnswerWay {
  const how = given.kind === 'permission' ? given.choice : given.action;
  return by === undefined ? { how } : { how, by };
}
