import type { Transcript } from '../transcript.ts';
import type { QuestionPart, ReplyMessage } from '../messages.ts';
import { maybeReceived } from '../mutableReply.ts';
import { mayBeRunning } from './failures.ts';
import {
  askNext,
  answer,
  answerUnanswered,
  cancelAndSend,
  cancelDone,
  giveUpAndSend,
  replyUnderWay,
  stopPaused,
  stopReply,
} from './replies.ts';
import {
  continueQueue,
  leaveRun,
  allowHead,
  needsNoWait,
  maySend,
  repeat,
  sendQueued,
  startRun,
  submit,
} from './runs.ts';
import { followMode, lapse, setMode } from './selfDrive.ts';
import type { ConversationState, OpenQuestion, Phase } from './state.ts';
import { ended, failed, noteSilence, opened, streamed } from './streaming.ts';
import {
  Transition,
  type ConversationEvent,
  type Effect,
  type Environment,
  type RestoredState,
} from './transition.ts';

/**
 * One step of a conversation: `(state, event) -> state + effects`, and nothing else.
 *
 * | phase       | event that leaves it                                            | next                       |
 * | ----------- | --------------------------------------------------------------- | -------------------------- |
 * | idle        | submit, where the cost is within its limit or by a word         | requesting, or holding     |
 * | holding     | due, send-now                                                   | requesting                 |
 * | requesting  | ended after `stop` or `error`; failed                           | idle, or the queue's next  |
 * | requesting  | ended after `tool_calls`                                        | paused                     |
 * | requesting  | failed before the response, with a refusal that may be repeated | backing-off                |
 * | requesting  | a reply is refused before anything came of it                   | backing-off, or paused     |
 * | backing-off | due; stop, by `cancel` in place of an answer                    | requesting                 |
 * | paused      | answer                                                          | requesting                 |
 * | any         | stop                                                            | idle (paused: by `cancel`) |
 */
export function reduce(
  state: ConversationState,
  event: ConversationEvent,
  env: Environment,
): { readonly state: ConversationState; readonly effects: readonly Effect[] } {
  const step = new Transition(state, env);
  apply(step, event);
  return { state: step.state, effects: step.effects };
}

function apply(step: Transition, event: ConversationEvent): void {
  lapse(step);
  switch (event.type) {
    case 'submit':
      submit(step, event.prompt, event.anyway);
      return;
    case 'resubmit':
      if (event.edited) step.record({ type: 'notice', notice: 'edited' });
      submit(step, event.prompt, event.anyway);
      return;
    case 'stop':
      stop(step);
      return;
    case 'set-mode':
      setMode(step, event.mode, event.lasts);
      return;
    case 'mode-followed':
      followMode(step, event.mode, event.selfDriveLimit);
      return;
    case 'lapse':
      return;
    case 'answer':
      answer(step, event.question, event.answer, event.reason);
      return;
    case 'unanswered':
      answerUnanswered(step, event.question, event.when);
      return;
    case 'cancel-done':
      cancelDone(step, event.question, event.isTaken);
      return;
    case 'edit-queued':
      step.set({
        queue: step.state.queue.map((each) =>
          each.id === event.id ? { ...each, ...event.prompt } : each,
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
      if (event.anyway === true) allowHead(step);
      sendNow(step);
      return;
    case 'cancel-and-send':
      if (event.anyway === true) allowHead(step);
      cancelAndSend(step);
      return;
    case 'give-up-and-send':
      if (event.anyway === true) allowHead(step);
      giveUpAndSend(step);
      return;
    case 'opened':
      opened(step, event.request);
      return;
    case 'silent':
    case 'heard':
      noteSilence(step, event.request, event.type === 'silent');
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

function restored(step: Transition, state: RestoredState, endedWell: boolean): void {
  const { phase } = step.state;
  const wentOn = state.phase.kind !== 'idle' || step.env.session !== null;
  // A prompt that is held here goes on waiting, unless another window went on meanwhile.
  const waits = phase.kind === 'holding' && !wentOn;
  step.set(waits ? { ...state, phase } : state);
  if (state.phase.kind === 'idle') step.set({ submitted: [] });
  followMode(step, state.mode, state.selfDriveLimit);
  if (waits) return;
  if (phase.kind === 'holding') step.emit({ type: 'timer', at: null });
  const [first] = state.questions;
  if (first !== undefined && state.phase.kind === 'paused') askNext(step, first);
  if (state.phase.kind !== 'idle') return;
  // As after a run of this window: only a good end lets the queue go on, and what is held back waits for no end.
  if (phase.kind === 'holding') continueQueue(step, true);
  else if (phase.kind === 'elsewhere') continueQueue(step, endedWell);
  // Another window went on with the run, which ended there: the user sees that first.
  else if (phase.kind === 'paused')
    step.set({ queueHeld: step.state.queue.length > 0, sendWhenLeft: false, reasonsDue: [] });
}

function stop(step: Transition): void {
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

function leaveExchange(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind !== 'requesting' && phase.kind !== 'backing-off') return;
  const { exchange } = phase;
  const reply = replyUnderWay(exchange);
  if (reply !== undefined) stopReply(step, exchange, reply);
  else if (phase.kind === 'backing-off') leaveRun(step, 'refused');
  else leaveRun(step, needsNoWait(exchange.mode, step.env.session) ? 'over' : 'left');
}

function due(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind === 'backing-off') repeat(step, phase.exchange);
  if (phase.kind === 'holding') sendHeld(step);
}

function sendNow(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind === 'holding') sendHeld(step);
  else if (phase.kind === 'backing-off') repeat(step, phase.exchange);
  else if (phase.kind === 'idle') sendQueued(step);
}

function sendHeld(step: Transition): void {
  step.set({ phase: { kind: 'idle' }, leftAt: null });
  const [head, ...rest] = step.state.queue;
  if (head === undefined) return;
  if (maySend(step, head)) {
    step.set({ queue: rest });
    startRun(step, head);
  } else step.set({ queueHeld: true });
}

function removeQueued(step: Transition, id: string): void {
  const queue = step.state.queue.filter((each) => each.id !== id);
  step.set({ queue });
  if (queue.length > 0) return;
  step.set({ queueHeld: false });
  if (step.state.phase.kind !== 'holding') return;
  step.set({ phase: { kind: 'idle' } });
  step.emit({ type: 'timer', at: null });
}

/**
 * Reads from a transcript where its conversation stands.
 *
 * A run whose stream was being read when its window went away is over: the connection went with the window, and the
 * service cancels such a run (interface: Chat run). The caller records that as `cut`; a run that another window still
 * reads is followed instead.
 */
export function restoreState(transcript: Transcript, runsElsewhere: boolean): RestoredState {
  const reply = transcript.lastReply;
  const phase = restorePhase(transcript, reply, runsElsewhere);
  return {
    mode: transcript.mode,
    selfDriveLimit: transcript.selfDriveLimit,
    phase,
    questions: phase.kind === 'idle' ? [] : transcript.openQuestions.map(openQuestion),
    leftAt: reply !== undefined && wasLeft(reply, transcript.session) ? reply.endedAt : null,
  };
}

/** Whether a window was reading the run's stream, or sending an answer, when this was recorded. */
function isUnderWay(reply: ReplyMessage): boolean {
  return reply.state === 'working' || (reply.state === 'waiting' && hasAnswerUnderWay(reply));
}

function hasAnswerUnderWay(reply: ReplyMessage): boolean {
  return reply.parts.some((part) => part.kind === 'question' && part.stage === 'sending');
}

function restorePhase(
  transcript: Transcript,
  reply: ReplyMessage | undefined,
  runsElsewhere: boolean,
): Phase {
  if (reply?.endedAt !== null) return { kind: 'idle' };
  if (runsElsewhere && isUnderWay(reply)) return { kind: 'elsewhere', run: reply.id };
  if (reply.state !== 'waiting' || transcript.openQuestions.length === 0) return { kind: 'idle' };
  return { kind: 'paused', run: reply.id, mode: reply.mode, stopping: false };
}

function openQuestion(part: QuestionPart): OpenQuestion {
  const { id, run, call, question, askedAt, failure } = part;
  return { id, run, call, question, askedAt, failure, maybeReceived: maybeReceived(part, false) };
}

/** Runs that may still go on for a moment after we left them. */
function wasLeft({ state, mode, failure }: ReplyMessage, session: string | null): boolean {
  if (state === 'stopped') return !needsNoWait(mode, session);
  return state === 'cut' || (failure !== null && mayBeRunning(failure));
}
