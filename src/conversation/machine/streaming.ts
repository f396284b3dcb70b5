import { ApiError, type ChatEvent, type Usage } from '../../api/index.ts';
import type { StoredUsage } from '../journal.ts';
import { mayBeRunning, storedFailure } from './failures.ts';
import {
  answerRefused,
  answerTaken,
  answerUnderWay,
  askNext,
  endsBy,
  isAskable,
  stopPaused,
} from './answers.ts';
import {
  backOff,
  closeQuestion,
  endRun,
  failRun,
  leaveRun,
  leaveUnanswerable,
  type Rest,
} from './runs.ts';
import type { Exchange, OpenQuestion } from './state.ts';
import type { Transition } from './transition.ts';

/** What a response says, from its headers to its end (interface: Events; Chat run). */

export function opened(step: Transition, request: string): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  step.emit({ type: 'observed-status', running: true });
  step.update(exchange, { opened: true });
}

/** Notes whether the stream of a request is silent. Any later step of the request clears it. */
export function noteSilence(step: Transition, request: string, isSilent: boolean): void {
  const exchange = step.exchange(request);
  if (exchange !== undefined) step.set({ phase: { kind: 'requesting', exchange, isSilent } });
}

export function streamed(step: Transition, request: string, events: readonly ChatEvent[]): void {
  for (const event of events) handleEvent(step, request, event);
  const exchange = step.exchange(request);
  if (exchange?.answer?.stopping !== true || !exchange.answer.isTaken) return;
  // A run that asks again is stopped once it waits; one that goes on is left.
  if (exchange.finish !== null || exchange.asked.length > 0) return;
  step.emit({ type: 'abort' });
  leaveRun(step);
}

function handleEvent(step: Transition, request: string, event: ChatEvent): void {
  if (judgeAnswer(step, request, event)) return;
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  const { run } = exchange;
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      // What comes with something else, or first after an answer: text alone does not come here.
      step.record({ type: event.kind, run, text: event.text });
      return;
    case 'interaction':
      handleQuestion(step, exchange, event);
      return;
    case 'finish':
      handleFinish(step, exchange, event);
      return;
    case 'end': {
      const { sessionId: session, model, completionId } = event;
      const usage = event.usage === null ? null : storedUsage(event.usage);
      const completion = completionId === null ? {} : { completion: completionId };
      step.record({ type: 'end', run, session, model, usage, ...completion });
      return;
    }
    case 'malformed':
      // The intern may wait for an answer to what nobody can read; the rest is for the log alone.
      if (event.problem === 'tool-call') step.record({ type: 'notice', notice: 'unreadable-call' });
      return;
    case 'role':
      return;
  }
}

/**
 * Learns from an event what became of an answer. Headers and the role chunk prove nothing: some reasons that come in a
 * stream can only refuse a reply (interface: Errors after streaming began).
 *
 * @returns whether the event was a refusal, and so is no news of the run
 */
function judgeAnswer(step: Transition, request: string, event: ChatEvent): boolean {
  const exchange = step.exchange(request);
  const given = exchange && answerUnderWay(exchange);
  if (exchange === undefined || given === undefined) return false;
  if ('error' in event && !endsBy(given, event.error)) {
    answerRefused(step, exchange, given, event.error);
    return true;
  }
  if (proofs.has(event.kind)) answerTaken(step, exchange, given);
  return false;
}

/** The events that only come of an answer that was taken. */
const proofs: ReadonlySet<ChatEvent['kind']> = new Set<ChatEvent['kind']>([
  'text',
  'reasoning',
  'interaction',
  'finish',
]);

function handleFinish(
  step: Transition,
  exchange: Exchange,
  event: Extract<ChatEvent, { kind: 'finish' }>,
): void {
  const { run, answer } = exchange;
  const { reason } = event;
  step.update(exchange, { finish: 'error' in event ? event.error : event.reason });
  // A run that is being stopped is recorded as stopped, however it ends.
  if (answer?.stopping === true && reason !== 'tool_calls') return;
  if ('error' in event)
    step.record({ type: 'finished', run, reason: 'error', failure: storedFailure(event.error) });
  else step.record({ type: 'finished', run, reason: event.reason });
}

function handleQuestion(
  step: Transition,
  exchange: Exchange,
  event: Extract<ChatEvent, { kind: 'interaction' }>,
): void {
  const known = [...step.state.questions, ...exchange.asked];
  if (known.some(({ call }) => call.id === event.call.id)) return;
  const { run } = exchange;
  const question: OpenQuestion = {
    id: step.env.id(),
    run,
    call: event.call,
    question: event.question,
    askedAt: step.env.now,
    maybeReceived: null,
    failure: null,
  };
  step.record({ type: 'asked', run, question: question.id, call: event.call });
  step.update(exchange, { asked: [...exchange.asked, question] });
}

/** The stream ended as it should: `[DONE]` after the final chunk. */
export function ended(step: Transition, request: string): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  const { finish } = exchange;
  if (finish === 'tool_calls') pause(step, exchange);
  else finishRun(step, exchange, finish instanceof ApiError ? restAfter(finish, 'over') : 'done');
}

export function failed(step: Transition, request: string, error: ApiError): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  const given = answerUnderWay(exchange);
  if (error.kind === 'not-ready') step.emit({ type: 'observed-status', running: false });
  if (given !== undefined) answerRefused(step, exchange, given, error);
  else if (exchange.opened) failedInStream(step, exchange, error);
  else promptRefused(step, exchange, error);
}

function failedInStream(step: Transition, exchange: Exchange, error: ApiError): void {
  const { run, finish, answer } = exchange;
  // A run that asked stays open though its stream was cut, but only a known session can carry the answer.
  const canAnswer = finish === 'tool_calls' && step.env.session !== null;
  // What the finish chunk said holds, though the rest is missing, unless more came of the response than is taken.
  const isHeld = canAnswer || finish === 'stop' || finish instanceof ApiError;
  if (isHeld && error.kind !== 'too-many-calls') {
    ended(step, exchange.request);
    return;
  }
  if (answer?.stopping !== true)
    step.record({ type: 'failed', run, failure: storedFailure(error) });
  finishRun(step, exchange, 'left');
}

/** A refusal before the response: some say that no run started, and those may be repeated. */
function promptRefused(step: Transition, exchange: Exchange, error: ApiError): void {
  if (!backOff(step, exchange, error)) failRun(step, exchange, error, restAfter(error, 'refused'));
}

/** Where nobody can say whether a run goes on, it is left as one that may. */
function restAfter(error: ApiError, otherwise: Rest): Rest {
  return mayBeRunning(error) ? 'left' : otherwise;
}

function pause(step: Transition, exchange: Exchange): void {
  const { run, mode, answer } = exchange;
  adopt(step, exchange);
  step.set({ phase: { kind: 'paused', run, mode, stopping: false } });
  if (step.env.session === null)
    for (const question of step.state.questions) closeQuestion(step, question, 'unanswerable');
  const [first] = step.state.questions;
  // Where nobody stopped it, what it asks next has its own time to be answered in.
  const isStopping = answer?.stopping === true && answer.by === undefined;
  if (first === undefined) {
    if (isStopping) leaveRun(step);
    else leaveUnanswerable(step, exchange);
    return;
  }
  if (!isStopping || isAskable(first)) askNext(step, first);
  if (isStopping) stopPaused(step);
}

/** The questions of a response join those that wait. */
function adopt(step: Transition, exchange: Exchange): void {
  step.set({ questions: [...step.state.questions, ...exchange.asked] });
}

/** The response was the last one of its run. */
function finishRun(step: Transition, exchange: Exchange, how: Rest): void {
  adopt(step, exchange);
  if (exchange.answer?.stopping === true) leaveRun(step, how === 'done' ? 'over' : how);
  else endRun(step, exchange, how);
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
