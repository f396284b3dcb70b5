import type { ApiError, ChatEvent, Usage } from '../../api/index.ts';
import type { StoredUsage } from '../journal.ts';
import { storedFailure } from './failures.ts';
import { replyOpened, replyRefused } from './replies.ts';
import { promptDelay } from './retry.ts';
import { becomeIdle, closeQuestion, leaveRun } from './runs.ts';
import type { Exchange, OpenQuestion } from './state.ts';
import type { Step } from './step.ts';

/** What a response says, from its headers to its end (interface: Events; Chat run). */

export function opened(step: Step, request: string): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  step.emit({ type: 'learned', running: true });
  const open = step.update(exchange, { opened: true });
  if (open.reply !== null) replyOpened(step, open, open.reply);
}

export function streamed(step: Step, request: string, events: readonly ChatEvent[]): void {
  for (const event of events) {
    const exchange = step.exchange(request);
    if (exchange === undefined) return;
    hear(step, exchange, event);
  }
}

function hear(step: Step, exchange: Exchange, event: ChatEvent): void {
  const { run } = exchange;
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      step.record({ type: event.kind, run, text: event.text });
      return;
    case 'interaction':
      heardQuestion(step, exchange, event);
      return;
    case 'finish':
      step.update(exchange, { finish: event.reason });
      if (event.reason === 'error')
        step.record({
          type: 'finished',
          run,
          reason: 'error',
          failure: storedFailure(event.error),
        });
      else step.record({ type: 'finished', run, reason: event.reason });
      return;
    case 'end': {
      const usage = event.usage === null ? null : storedUsage(event.usage);
      step.record({ type: 'end', run, session: event.sessionId, model: event.model, usage });
      if (event.sessionId !== null) step.set({ session: event.sessionId });
      return;
    }
    case 'role':
    case 'malformed':
      return;
  }
}

function heardQuestion(
  step: Step,
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
  };
  const { id, name, arguments: text } = event.call;
  step.record({ type: 'asked', run, question: question.id, call: { id, name, arguments: text } });
  step.update(exchange, { asked: [...exchange.asked, question] });
}

/** The stream ended as it should: `[DONE]` after the final chunk. */
export function ended(step: Step, request: string): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  switch (exchange.finish) {
    case 'tool_calls':
      pause(step, exchange);
      return;
    case 'error':
      finishRun(step, exchange, false);
      return;
    case 'stop':
    case null:
      finishRun(step, exchange, true);
      return;
  }
}

export function failed(step: Step, request: string, error: ApiError): void {
  const exchange = step.exchange(request);
  if (exchange === undefined) return;
  if (error.kind === 'not-ready') step.emit({ type: 'learned', running: false });
  if (exchange.opened) failedInStream(step, exchange, error);
  else if (exchange.reply !== null) replyRefused(step, exchange, exchange.reply, error);
  else promptRefused(step, exchange, error);
}

function failedInStream(step: Step, exchange: Exchange, error: ApiError): void {
  const { run } = exchange;
  // A run that asked stays open though its stream was cut, but only a known session can carry the answer.
  if (exchange.finish === 'tool_calls' && step.state.session !== null) {
    pause(step, exchange);
    return;
  }
  if (exchange.finish === 'stop') {
    finishRun(step, exchange, true);
    return;
  }
  if (exchange.finish !== 'error')
    step.record({ type: 'failed', run, failure: storedFailure(error) });
  endRun(step, exchange, false);
  becomeIdle(adopt(step, exchange), 'left');
}

/** A refusal before the response: some say that no run started, and those may be repeated. */
function promptRefused(step: Step, exchange: Exchange, error: ApiError): void {
  const delay = promptDelay(step, exchange, error);
  if (delay !== null) {
    const until = step.env.now + delay;
    step.set({ phase: { kind: 'backing-off', exchange, until, because: error.kind } });
    step.emit({ type: 'timer', at: until });
    return;
  }
  step.record({ type: 'failed', run: exchange.run, failure: storedFailure(error) });
  endRun(step, exchange, false);
  becomeIdle(step, 'failed');
}

function pause(step: Step, exchange: Exchange): void {
  adopt(step, exchange);
  step.set({ phase: { kind: 'paused', run: exchange.run, mode: exchange.mode, stopping: false } });
  for (const question of step.state.questions) {
    if (question.question.kind === 'unreadable' || step.state.session === null)
      closeQuestion(step, question, 'unanswerable');
  }
  const [first] = step.state.questions;
  if (first !== undefined) {
    step.emit({ type: 'ask', question: first });
    return;
  }
  endRun(step, exchange, false);
  leaveRun(step);
}

/** The questions of a response join those that wait. */
function adopt(step: Step, exchange: Exchange): Step {
  step.set({ questions: [...step.state.questions, ...exchange.asked] });
  return step;
}

function finishRun(step: Step, exchange: Exchange, ok: boolean): void {
  adopt(step, exchange);
  endRun(step, exchange, ok);
  step.set({ leftAt: null });
  becomeIdle(step, ok ? 'done' : 'failed');
}

function endRun(step: Step, exchange: Exchange, ok: boolean): void {
  const tookMs = step.env.now - exchange.startedAt;
  step.emit({ type: 'run-ended', run: exchange.run, ok, tookMs });
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
