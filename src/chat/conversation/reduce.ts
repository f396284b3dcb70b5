import type { ConversationEvent, Effect, Environment, RestoredState } from './events.ts';
import { abandonReply, answer, cancelSettled, expire, stopPaused } from './replies.ts';
import { leaveRun, repeat, sendQueued, startRun, submit } from './runs.ts';
import type { ConversationState } from './state.ts';
import { Step } from './step.ts';
import { ended, failed, opened, streamed } from './streaming.ts';

/**
 * One step of a conversation: `(state, event) -> state + effects`, and nothing else.
 *
 * | phase       | event that leaves it                                            | next                       |
 * | ----------- | --------------------------------------------------------------- | -------------------------- |
 * | idle        | submit                                                          | requesting, or holding     |
 * | holding     | due, send-now                                                   | requesting                 |
 * | requesting  | ended after `stop` or `error`; failed                           | idle, or the queue's next  |
 * | requesting  | ended after `tool_calls`                                        | paused                     |
 * | requesting  | failed before the response, with a refusal that may be repeated | backing-off                |
 * | backing-off | due                                                             | requesting                 |
 * | paused      | answer                                                          | requesting                 |
 * | any         | stop                                                            | idle (paused: by `cancel`) |
 */
export function reduce(
  state: ConversationState,
  event: ConversationEvent,
  env: Environment,
): { readonly state: ConversationState; readonly effects: readonly Effect[] } {
  const step = new Step(state, env);
  take(step, event);
  return { state: step.state, effects: step.effects };
}

function take(step: Step, event: ConversationEvent): void {
  switch (event.type) {
    case 'submit':
      submit(step, event.prompt);
      return;
    case 'resubmit':
      if (event.edited) step.record({ type: 'notice', notice: 'edited' });
      submit(step, event.prompt);
      return;
    case 'stop':
      stop(step);
      return;
    case 'set-mode':
      if (event.mode === step.state.mode) return;
      step.set({ mode: event.mode });
      step.record({ type: 'mode', mode: event.mode });
      return;
    case 'answer':
      answer(step, event.question, event.answer);
      return;
    case 'cancel-settled':
      cancelSettled(step, event.question, event.isTaken);
      return;
    case 'expire':
      expire(step, event.question);
      return;
    case 'edit-queued':
      step.set({
        queue: step.state.queue.map((each) =>
          each.id === event.id ? { ...event.prompt, id: each.id } : each,
        ),
      });
      return;
    case 'remove-queued':
      removeQueued(step, event.id);
      return;
    case 'requeue':
      step.set({ queue: [...step.state.queue, ...event.queue], queueHeld: true });
      return;
    case 'send-now':
      sendNow(step);
      return;
    case 'cancel-and-send':
      step.set({ sendWhenLeft: true });
      stopPaused(step);
      return;
    case 'opened':
      opened(step, event.request);
      return;
    case 'streamed':
      streamed(step, event.request, event.events);
      return;
    case 'ended':
      ended(step, event.request);
      return;
    case 'failed':
      failed(step, event.request, event.error);
      return;
    case 'due':
      due(step);
      return;
    case 'restored':
      restored(step, event.state, event.endedWell);
      return;
  }
}

function restored(step: Step, state: RestoredState, endedWell: boolean): void {
  const { phase } = step.state;
  const wentOn = state.phase.kind !== 'idle' || state.session !== null;
  // A prompt that is held here goes on waiting, unless another window went on meanwhile.
  const waits = phase.kind === 'holding' && !wentOn;
  step.set(waits ? { ...state, phase } : state);
  if (waits) return;
  if (phase.kind === 'holding') step.emit({ type: 'timer', at: null });
  const [first] = state.questions;
  if (first !== undefined && state.phase.kind === 'paused')
    step.emit({ type: 'ask', question: first });
  const { queue, queueHeld } = step.state;
  if (state.phase.kind !== 'idle' || queue.length === 0 || queueHeld) return;
  // As after a run of this window: only a good end lets the queue go on, and what is held back waits for no end.
  if (phase.kind === 'holding' || (phase.kind === 'elsewhere' && endedWell)) sendQueued(step);
  else if (phase.kind === 'elsewhere') step.set({ queueHeld: true });
}

function stop(step: Step): void {
  const { phase } = step.state;
  switch (phase.kind) {
    case 'requesting':
      step.emit({ type: 'abort', request: phase.exchange.request });
      leaveExchange(step);
      return;
    case 'backing-off':
      leaveExchange(step);
      return;
    case 'paused':
      stopPaused(step);
      return;
    case 'holding':
      step.set({ phase: { kind: 'idle' }, queueHeld: true });
      step.emit({ type: 'timer', at: null });
      return;
    case 'idle':
    case 'elsewhere':
      return;
  }
}

function leaveExchange(step: Step): void {
  const { phase } = step.state;
  if (phase.kind !== 'requesting' && phase.kind !== 'backing-off') return;
  const { exchange } = phase;
  if (exchange.reply !== null && !exchange.opened) abandonReply(step, exchange, exchange.reply);
  else leaveRun(step);
}

function due(step: Step): void {
  const { phase } = step.state;
  if (phase.kind === 'backing-off') repeat(step, phase.exchange);
  if (phase.kind === 'holding') sendHeld(step);
}

function sendNow(step: Step): void {
  const { phase, queue } = step.state;
  if (phase.kind === 'holding') sendHeld(step);
  else if (phase.kind === 'backing-off') repeat(step, phase.exchange);
  else if (phase.kind === 'idle' && queue.length > 0) sendQueued(step);
}

function sendHeld(step: Step): void {
  step.set({ phase: { kind: 'idle' }, leftAt: null });
  const [head, ...rest] = step.state.queue;
  if (head === undefined) return;
  step.set({ queue: rest });
  startRun(step, head);
}

function removeQueued(step: Step, id: string): void {
  const queue = step.state.queue.filter((each) => each.id !== id);
  step.set({ queue });
  if (queue.length > 0) return;
  step.set({ queueHeld: false });
  if (step.state.phase.kind !== 'holding') return;
  step.set({ phase: { kind: 'idle' } });
  step.emit({ type: 'timer', at: null });
}
