import { ApiError, type Answer, type ApiErrorKind } from '../../api/index.ts';
import type { AnswerOutcome } from '../questions/types.ts';
import { storedFailure } from './failures.ts';
import { replyDelay } from './retry.ts';
import { becomeIdle, closeQuestion, leaveRun, request } from './runs.ts';
import type { Exchange } from './state.ts';
import type { Step } from './step.ts';

/** How questions are answered (interface: Chat run, paused to streaming; Tool reply contents). */

type Reply = NonNullable<Exchange['reply']>;

/** The failures after which no answer can count any more. */
const goneKinds: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>([
  'interaction-unknown',
  'interaction-not-pending',
  'intern-not-found',
  'run-output-lost',
  'run-ended',
]);

/** The failures after which nobody can say whether the answer arrived. */
const lostKinds: ReadonlySet<ApiErrorKind> = new Set<ApiErrorKind>([
  'network',
  'severed',
  'timeout',
  'server-error',
]);

/** Sends the user's answer to an open question; while another answer is on its way, the question stays open. */
export function answer(step: Step, id: string, given: Answer): void {
  const { phase, questions, session } = step.state;
  const question = questions.find((each) => each.id === id);
  if (question === undefined || session === null) {
    const message = 'The conversation has no such question';
    const error = new ApiError({ kind: 'interaction-unknown', route: 'chat', message });
    step.emit({ type: 'settle', question: id, outcome: { kind: 'gone', error } });
    return;
  }
  if (phase.kind !== 'paused') {
    const error = new ApiError({ kind: 'busy', route: 'chat', message: 'The run is not waiting' });
    step.emit({ type: 'settle', question: id, outcome: { kind: 'kept', error } });
    return;
  }
  step.record({ type: 'answering', question: id, how: wayOf(given) });
  request(step, {
    run: phase.run,
    request: step.env.id(),
    chat: { kind: 'reply', sessionId: session, call: question.call, answer: given },
    mode: phase.mode,
    attempt: 1,
    startedAt: step.env.now,
    opened: false,
    reply: { question, answer: given, stopping: phase.stopping, isLost: false },
    asked: [],
    finish: null,
  });
}

/** Nobody answered, long after the countdown ran out: the run is over, as the service has it. */
export function expire(step: Step, id: string): void {
  const question = step.state.questions.find((each) => each.id === id);
  if (step.phase.kind !== 'paused' || question === undefined) return;
  closeQuestion(step, question, 'expired');
  const [next] = step.state.questions;
  if (next === undefined) leaveRun(step);
  else step.emit({ type: 'ask', question: next });
}

/** Stop while the run waits: `cancel` is the answer, and the run is left when that is taken. */
export function stopPaused(step: Step): void {
  const { phase, questions } = step.state;
  const [question] = questions;
  if (phase.kind !== 'paused') return;
  if (question === undefined || question.question.kind === 'unreadable') {
    leaveRun(step);
    return;
  }
  step.set({ phase: { ...phase, stopping: true } });
  step.emit({ type: 'cancel', question });
}

/**
 * The desk is done with the `cancel` of a Stop. Where that was never sent, the run waits for the answer that came before
 * it, or is left: its question is one that nobody can answer any more.
 */
export function cancelSettled(step: Step, id: string, isTaken: boolean): void {
  const { phase, questions } = step.state;
  if (phase.kind !== 'paused' || !phase.stopping || questions[0]?.id !== id) return;
  if (isTaken) step.set({ phase: { ...phase, stopping: false }, sendWhenLeft: false });
  else leaveRun(step);
}

/** The service took the answer: the stream goes on in the same run. */
export function replyOpened(step: Step, exchange: Exchange, reply: Reply): void {
  const { question } = reply;
  step.record({ type: 'answered', question: question.id, how: wayOf(reply.answer) });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
  step.emit({ type: 'settle', question: question.id, outcome: { kind: 'accepted' } });
  if (!reply.stopping) return;
  step.emit({ type: 'abort', request: exchange.request });
  leaveRun(step);
}

/** The service did not take the answer: once more, or back to the user, or the question is gone. */
export function replyRefused(step: Step, exchange: Exchange, reply: Reply, error: ApiError): void {
  const tried = { ...reply, isLost: reply.isLost || lostKinds.has(error.kind) };
  const again = { ...exchange, reply: tried };
  const delay = replyDelay(step, again, reply.question, error);
  if (delay !== null) {
    const until = step.env.now + delay;
    step.set({ phase: { kind: 'backing-off', exchange: again, until, because: error.kind } });
    step.emit({ type: 'timer', at: until });
    return;
  }
  if (goneKinds.has(error.kind)) questionGone(step, again, tried, error);
  else questionKept(step, again, tried, error);
}

function questionKept(step: Step, exchange: Exchange, reply: Reply, error: ApiError): void {
  const { question, answer: given, isLost } = reply;
  const maybeReceived = question.maybeReceived ?? (isLost ? wayOf(given) : null);
  step.record({ type: 'refused', question: question.id, failure: storedFailure(error) });
  step.set({
    phase: { kind: 'paused', run: exchange.run, mode: exchange.mode, stopping: false },
    questions: step.state.questions.map((each) =>
      each.id === question.id ? { ...each, maybeReceived } : each,
    ),
    sendWhenLeft: false,
  });
  step.emit({ type: 'settle', question: question.id, outcome: { kind: 'kept', error } });
}

function questionGone(step: Step, exchange: Exchange, reply: Reply, error: ApiError): void {
  const { run, mode } = exchange;
  const { question, stopping } = reply;
  const outcome = goneOutcome(reply, error);
  step.record({ type: 'closed', question: question.id, why: outcome.kind });
  step.emit({ type: 'settle', question: question.id, outcome });
  const questions = step.state.questions.filter(({ id }) => id !== question.id);
  step.set({ questions });
  const [next] = questions;
  if (next !== undefined && !stopping) {
    step.set({ phase: { kind: 'paused', run, mode, stopping: false } });
    step.emit({ type: 'ask', question: next });
    return;
  }
  if (stopping) {
    leaveRun(step);
    return;
  }
  step.record({ type: 'failed', run, failure: storedFailure(error) });
  step.emit({ type: 'run-ended', run, ok: false, tookMs: step.env.now - exchange.startedAt });
  becomeIdle(step, 'left');
}

/** A question that waits no longer may have got the answer whose response was lost: this one, or one before it. */
function goneOutcome(
  { question, answer: given, isLost }: Reply,
  error: ApiError,
): Extract<AnswerOutcome, { kind: 'gone' | 'maybe-answered' }> {
  const earlier = question.maybeReceived;
  if (error.kind === 'run-output-lost' || (earlier === null && !isLost))
    return { kind: 'gone', error };
  return { kind: 'maybe-answered', how: earlier ?? wayOf(given), isEarlier: earlier !== null };
}

/** Stop while an answer is on its way: nobody can say whether it arrives. */
export function abandonReply(step: Step, exchange: Exchange, reply: Reply): void {
  step.emit({ type: 'settle', question: reply.question.id, outcome: { kind: 'abandoned' } });
  closeQuestion(step, reply.question, 'abandoned');
  step.set({ phase: { kind: 'paused', run: exchange.run, mode: exchange.mode, stopping: true } });
  leaveRun(step);
}

/** What is remembered of an answer: the way, never a value. */
function wayOf(given: Answer): string {
  return given.kind === 'permission' ? given.choice : given.action;
}
