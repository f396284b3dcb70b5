import type { Transcript } from '../transcript.ts';
import type { QuestionPart, ReplyMessage } from '../messages.ts';
import { mayBeRunning } from './failures.ts';
import {
  answerQuestion,
  answerAutomatically,
  askNext,
  cancelAndSend,
  giveUpAndSend,
  handleStopClaimed,
  isSendingAnswer,
  stopDuringAnswer,
  stopPaused,
} from './answers.ts';
import {
  continueQueue,
  leaveRun,
  overrideCostLimitOfNext,
  mayStartAtOnce,
  queueFirst,
  retry,
  sendFirst,
  sendQueued,
  submit,
  withCurrentMode,
} from './runs.ts';
import { followMode, expireSelfDrive, selfDriveEndsAt, setMode } from './selfDrive.ts';
import {
  isReadingStream,
  type ConversationState,
  type GivenAnswer,
  type RequestAttempt,
  type Phase,
} from './state.ts';
import {
  handleEnded,
  handleFailed,
  handleOpened,
  setSilence,
  handleStreamed,
} from './streaming.ts';
import {
  Transition,
  type ConversationEvent,
  type Effect,
  type Environment,
  type EventOf,
} from './transition.ts';

/**
 * Makes one step of a conversation: `(state, event) -> state + effects`.
 *
 * | phase       | event that leaves it                                            | next                       |
 * | ----------- | --------------------------------------------------------------- | -------------------------- |
 * | idle        | submit, if the cost is under the limit or the user overrode it  | claiming, or holding       |
 * | holding     | due, send-now                                                   | claiming                   |
 * | claiming    | claimed                                                         | requesting, or elsewhere   |
 * | requesting  | ended after `stop` or `error`; failed                           | idle, or the queue's next  |
 * | requesting  | ended after `tool_calls`                                        | paused                     |
 * | requesting  | failed before the response, with a refusal that may be repeated | backing-off                |
 * | requesting  | an answer is refused before anything came of it                 | backing-off, or paused     |
 * | backing-off | due; stop, by `cancel` in place of an answer                    | requesting                 |
 * | paused      | answer                                                          | requesting                 |
 * | paused      | stop; claimed, once this window owns the conversation           | requesting                 |
 * | paused      | give-up-and-send                                                | idle, or the queue's next  |
 * | elsewhere   | restored, after the record shows that the run continued or ended | any                        |
 * | any other   | stop, except in `elsewhere`                                     | idle                       |
 *
 * `stop-and-send` is `stop`, after which the given prompt goes out first. Without a run it is `submit`.
 */
export function reduce(
  state: ConversationState,
  event: ConversationEvent,
  env: Environment,
): { readonly state: ConversationState; readonly effects: readonly Effect[] } {
  const step = new Transition(state, env);
  expireSelfDrive(step);
  const handle = handlers[event.type] as (step: Transition, event: ConversationEvent) => void;
  handle(step, event);
  return { state: step.state, effects: step.effects };
}

type Handlers = {
  readonly [K in ConversationEvent['type']]: (step: Transition, event: EventOf<K>) => void;
};

const handlers: Handlers = {
  submit: (step, { prompt, overrideCostLimit }) => submit(step, prompt, overrideCostLimit),
  stop,
  'stop-and-send': stopAndSend,
  'set-mode': (step, { mode, lasts }) => setMode(step, mode, lasts),
  'follow-mode': followMode,
  answer: answerQuestion,
  unanswered: (step, { question }) => answerAutomatically(step, question),
  claimed: (step, { isOurs, question }) => {
    if (question !== undefined) {
      handleStopClaimed(step, question, isOurs);
      return;
    }
    if (step.state.phase.kind !== 'claiming') return;
    step.set({ phase: isOurs ? { kind: 'idle' } : { kind: 'elsewhere', run: '' } });
    if (isOurs) sendQueued(step, step.state.queueHeld);
  },
  'edit-queued': (step, { id, prompt }) => {
    const edited = step.state.queue.map((each) => (each.id === id ? { ...each, ...prompt } : each));
    step.set({ queue: edited });
  },
  'editing-queued': (step, { ids }) => {
    step.set({ editing: ids });
    // The run may have ended during an edit.
    if (step.state.phase.kind === 'idle') continueQueue(step, true);
  },
  'remove-queued': (step, { id }) => removeQueued(step, id),
  'hold-queue': holdQueue,
  requeue: (step, { queue, isHeld }) => {
    // The queue of a run that continues, here or elsewhere, is sent at its end, as if its window had not closed.
    const { kind } = step.state.phase;
    const queueHeld = isHeld || (kind !== 'requesting' && kind !== 'elsewhere');
    step.set({ queue: [...step.state.queue, ...queue], queueHeld });
  },
  'send-now': withCostOverride(sendNow),
  'cancel-and-send': withCostOverride(cancelAndSend),
  'give-up-and-send': withCostOverride(giveUpAndSend),
  opened: handleOpened,
  silence: setSilence,
  streamed: handleStreamed,
  ended: handleEnded,
  failed: handleFailed,
  due: (step, { at }) => handleDue(step, at),
  restored: handleRestored,
};

/** Returns a handler that first lets the head of the queue exceed the cost limit, if the user agreed to that. */
function withCostOverride(send: (step: Transition) => void) {
  return (step: Transition, { overrideCostLimit }: { readonly overrideCostLimit?: boolean }) => {
    if (overrideCostLimit === true) overrideCostLimitOfNext(step);
    send(step);
  };
}

function handleRestored(
  step: Transition,
  { state, endedWell, isOwnedElsewhere }: EventOf<'restored'>,
): void {
  const { phase } = step.state;
  // This window reads the run's stream; only the mode may have changed.
  if (isReadingStream(step.state)) {
    followMode(step, state);
    return;
  }
  // A prompt that is held here keeps waiting, unless another window has continued.
  const isHeld = phase.kind === 'holding' && step.env.session === null;
  // The owner may still record the session that the queue needs, or a prompt of it.
  const isUnreleased = isOwnedElsewhere && phase.kind === 'elsewhere';
  const mayKeepPhase = isHeld || isUnreleased || phase.kind === 'claiming';
  const keepsPhase = mayKeepPhase && state.phase.kind === 'idle';
  const isSameRun = state.phase.kind !== 'idle' && state.submitted !== 'unknown';
  const { submitted } = isSameRun ? step.state : state;
  step.set({ ...state, submitted, ...(keepsPhase && { phase }) });
  followMode(step, state);
  if (keepsPhase) return;
  const [first] = state.questions;
  if (first !== undefined && state.phase.kind === 'paused') askNext(step, state.phase, first);
  if (state.phase.kind === 'requesting')
    step.emit({ type: 'request', request: state.phase.attempt.request, chat: null });
  if (state.phase.kind !== 'idle') return;
  // As after a run of this window, the queue continues only after a good end.
  if (phase.kind === 'holding') continueQueue(step, true);
  else if (phase.kind === 'elsewhere') continueQueue(step, endedWell);
  // The run ended in another window: show that to the user first.
  else if (phase.kind === 'paused')
    step.set({ queueHeld: true, sendWhenLeft: false, reasonsDue: [] });
}

function stop(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind === 'paused') stopPaused(step, phase);
  else if (phase.kind === 'holding' || phase.kind === 'claiming')
    step.set({ phase: { kind: 'idle' }, queueHeld: true });
  else if (phase.kind === 'requesting') {
    step.emit({ type: 'abort' });
    leaveAttempt(step, phase);
  } else if (phase.kind === 'backing-off') leaveAttempt(step, phase);
  else if (phase.kind === 'elsewhere') {
    step.record({ type: 'stopping', run: phase.run });
    step.emit({ type: 'stop-elsewhere', run: phase.run });
  } else holdQueue(step);
}

function holdQueue(step: Transition): void {
  step.set({ queueHeld: true, reasonsDue: [] });
}

/** Stops the run, and sends a prompt as soon as it is left: one of the queue, or a new one. */
function stopAndSend(
  step: Transition,
  { prompt, overrideCostLimit }: EventOf<'stop-and-send'>,
): void {
  const queued =
    typeof prompt === 'string'
      ? step.state.queue.find(({ id }) => id === prompt)
      : withCurrentMode(step, prompt);
  // The prompt was sent or removed in the meantime.
  if (queued === undefined) return;
  const { phase } = step.state;
  const sent = { ...queued, overrideCostLimit: overrideCostLimit === true };
  if (phase.kind === 'idle') {
    sendFirst(step, sent);
    return;
  }
  queueFirst(step, sent);
  // No run is left to stop: the prompt waits until the service has noticed the end of the last one.
  if (phase.kind === 'holding' || phase.kind === 'claiming') return;
  step.set({ sendWhenLeft: true });
  // A Stop is on its way.
  if (phase.kind === 'requesting' && phase.attempt.answer?.isStopping === true) return;
  stop(step);
}

function leaveAttempt(
  step: Transition,
  { kind, attempt }: Extract<Phase, { readonly attempt: RequestAttempt }>,
): void {
  if (isSendingAnswer(attempt)) stopDuringAnswer(step, attempt);
  else if (kind === 'backing-off') leaveRun(step, 'refused');
  else leaveRun(step, mayStartAtOnce(attempt.mode, step.env.session) ? 'over' : 'left');
}

/** Returns when time changes the state next, epoch ms; null for never. */
export function nextDueAt(state: ConversationState): number | null {
  const { phase } = state;
  const end = selfDriveEndsAt(state);
  if (phase.kind !== 'holding' && phase.kind !== 'backing-off') return end;
  return Math.min(phase.until, end ?? Infinity);
}

function handleDue(step: Transition, at: number): void {
  const { phase } = step.state;
  if ((phase.kind === 'holding' || phase.kind === 'backing-off') && phase.until <= at)
    sendNow(step);
}

function sendNow(step: Transition): void {
  const { phase } = step.state;
  if (phase.kind === 'backing-off') retry(step, phase.attempt);
  else if (phase.kind === 'idle') sendQueued(step);
  else if (phase.kind === 'holding') {
    step.set({ phase: { kind: 'idle' }, leftAt: null });
    sendQueued(step, step.state.queueHeld);
  }
}

function removeQueued(step: Transition, id: string): void {
  const queue = step.state.queue.filter((each) => each.id !== id);
  step.set({ queue });
  if (queue.length === 0 && step.state.phase.kind === 'holding')
    step.set({ phase: { kind: 'idle' } });
}

/** The holder of the last run's response: another window that reads the stream, a stream keeper, or neither. */
export type ResponseSource = 'other-window' | 'stream-keeper' | 'none';

/**
 * Returns the event that sets the state from a transcript. A run whose stream nothing reads is over, since the service
 * cancels it (interface: Chat run); the caller records it as `cut`.
 */
export function restoredEvent(transcript: Transcript, source: ResponseSource): EventOf<'restored'> {
  const { mode, selfDriveLimit, session, lastReply: reply } = transcript;
  const phase = restorePhase(transcript, reply, source);
  const questions = phase.kind === 'idle' ? [] : transcript.openQuestions;
  const leftAt = reply !== undefined && wasLeft(reply, session) ? reply.endedAt : null;
  const hasSubmitted =
    phase.kind === 'requesting' &&
    reply?.parts.some((part) => part.kind === 'question' && part.answer?.how === 'accept') === true;
  const submitted = hasSubmitted ? 'unknown' : [];
  return {
    type: 'restored',
    state: { mode, selfDriveLimit, phase, questions, leftAt, submitted },
    endedWell: reply?.state === 'done',
    isOwnedElsewhere: source === 'other-window',
  };
}

/** Returns whether the last run waits for an answer that can be given. */
export function waitsForAnswer({ lastReply, openQuestions, session }: Transcript): boolean {
  return lastReply?.state === 'waiting' && openQuestions.length > 0 && session !== null;
}

/** Returns whether, by the record, a window was reading the run's stream or sending an answer. */
export function wasUnderWay(transcript: Transcript): boolean {
  const isSending = transcript.openQuestions.some(({ stage }) => stage === 'sending');
  return transcript.lastReply?.endedAt === null && (isSending || !waitsForAnswer(transcript));
}

function restorePhase(
  transcript: Transcript,
  reply: ReplyMessage | undefined,
  source: ResponseSource,
): Phase {
  if (reply !== undefined && source === 'stream-keeper')
    return { kind: 'requesting', attempt: restoreAttempt(transcript, reply) };
  if (reply?.endedAt !== null) return { kind: 'idle' };
  if (source === 'other-window' && wasUnderWay(transcript))
    return { kind: 'elsewhere', run: reply.id };
  if (!waitsForAnswer(transcript)) return { kind: 'idle' };
  return { kind: 'paused', run: reply.id, mode: reply.mode, isStopping: false };
}

/** Returns the request whose response is still being read. If it carried an answer, its content is not on record. */
function restoreAttempt(
  { lastResponse }: Transcript,
  { id: run, at, mode, state, parts }: ReplyMessage,
): RequestAttempt {
  const sent = parts.find(
    (part): part is QuestionPart => part.kind === 'question' && part.stage === 'sending',
  );
  const finish = state === 'done' ? 'stop' : 'tool_calls';
  return {
    run,
    request: lastResponse?.id ?? '',
    chat: null,
    mode,
    attempts: 1,
    startedAt: lastResponse?.requestedAt ?? at,
    hasResponded: false,
    answer: sent === undefined ? null : sentAnswer(sent),
    finish: state === 'working' || sent !== undefined ? null : finish,
  };
}

function sentAnswer(question: QuestionPart): GivenAnswer {
  const { how, by } = question.answer ?? { how: '' };
  return { how, by, question, isStopping: false, isLost: false, isAccepted: false };
}

/** Returns whether a run may have continued for a moment after it was left. */
function wasLeft({ state, mode, failure }: ReplyMessage, session: string | null): boolean {
  if (state === 'stopped') return !mayStartAtOnce(mode, session);
  return state === 'cut' || (failure !== null && mayBeRunning(failure));
}
