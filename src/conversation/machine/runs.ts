import { ApiError, type ApprovalMode } from '../../api/index.ts';
import type { Prompt } from '../messages.ts';
import type { ConversationCloseReason } from '../questions/types.ts';
import { attemptRetryDelayMs, storedFailure } from './failures.ts';
import { setMode } from './selfDrive.ts';
import {
  currentRun,
  DISCONNECT_NOTICE_MS,
  type RequestAttempt,
  type OpenQuestion,
  type QueuedPrompt,
} from './state.ts';
import type { Transition } from './transition.ts';

/** Sends a prompt now, or queues it. */
export function submit(step: Transition, prompt: Prompt, overrideCostLimit = false): void {
  const { phase, queue } = step.state;
  const sent: QueuedPrompt = { ...withCurrentMode(step, prompt), overrideCostLimit };
  if (phase.kind === 'idle') sendFirst(step, sent);
  else step.set({ queue: [...queue, sent] });
}

/** Puts a prompt before the queue, and sends it. A held queue stays held. */
export function sendFirst(step: Transition, prompt: QueuedPrompt): void {
  queueFirst(step, prompt);
  sendQueued(step, step.state.queueHeld);
}

/** Puts a prompt, queued or not, before the others. */
export function queueFirst(step: Transition, prompt: QueuedPrompt): void {
  step.set({ queue: [prompt, ...step.state.queue.filter(({ id }) => id !== prompt.id)] });
}

/** Adds the conversation's mode to a prompt, which uses up self-drive for one prompt. */
export function withCurrentMode(step: Transition, prompt: Prompt): QueuedPrompt {
  const { mode, selfDriveLimit } = step.state;
  // Recorded before the prompt, so that a crash in between does not leave self-drive on.
  if (selfDriveLimit === 'this-prompt') setMode(step, 'manual');
  return { ...prompt, id: step.env.newId(), mode, limit: selfDriveLimit };
}

/** Lets the next prompt exceed the cost limit. */
export function overrideCostLimitOfNext(step: Transition): void {
  const [head, ...rest] = step.state.queue;
  if (head !== undefined) step.set({ queue: [{ ...head, overrideCostLimit: true }, ...rest] });
}

/** Starts a run (interface: Chat run, none to streaming). The caller has ended expired self-drive. */
function startRun(step: Transition, prompt: QueuedPrompt): void {
  const { session, isForgotten, handledAt } = step.env;
  // The mode may have been recorded while the workspace was trusted.
  const mode = step.env.selfDriveAllowed() ? prompt.mode : 'manual';
  if (isForgotten) step.record({ type: 'notice', notice: 'new-session' }, handledAt);
  if (prompt.isByAgent === true) step.record({ type: 'notice', notice: 'by-agent' }, handledAt);
  const { id: run } = prompt;
  const entry = {
    type: 'prompt',
    run,
    text: prompt.text,
    mode,
    ...(prompt.sent === prompt.text ? {} : { sent: prompt.sent }),
    ...(prompt.attachments.length === 0 ? {} : { attachments: [...prompt.attachments] }),
    ...(session === null ? {} : { session }),
  } as const;
  step.record(entry, handledAt);
  const chat = {
    kind: 'prompt',
    text: prompt.sent,
    approvalMode: mode,
    sessionId: session,
  } as const;
  startAttempt(step, { run, chat, mode, limit: prompt.limit ?? null, answer: null });
}

/** Sends a request for the first time. */
export function startAttempt(
  step: Transition,
  content: Pick<RequestAttempt, 'run' | 'chat' | 'mode' | 'limit' | 'answer'>,
): void {
  const { newId, handledAt: startedAt } = step.env;
  const fresh = { attempts: 1, startedAt, hasResponded: false, finish: null };
  emitRequest(step, { ...content, ...fresh, request: newId() });
}

/** Records a request, and emits the effect that sends it. */
function emitRequest(step: Transition, attempt: RequestAttempt): void {
  const { run, request: response, chat } = attempt;
  step.set({ phase: { kind: 'requesting', attempt } });
  step.record({ type: 'requested', run, response }, step.env.handledAt);
  step.emit({ type: 'request', request: response, chat });
}

/** Schedules a repetition of a request. Returns false if the request must not be repeated. */
export function scheduleRetry(step: Transition, attempt: RequestAttempt, error: ApiError): boolean {
  const delay = attempt.chat && attemptRetryDelayMs(step, attempt, error);
  if (delay === null) return false;
  // After a reload, the run counts as refused, not as interrupted.
  if (attempt.answer === null)
    step.record({ type: 'request-refused', run: attempt.run, failure: storedFailure(error) });
  step.set({ phase: { kind: 'backing-off', attempt, until: step.env.now + delay, error } });
  return true;
}

export function retry(step: Transition, attempt: RequestAttempt): void {
  emitRequest(step, {
    ...attempt,
    request: step.env.newId(),
    attempts: attempt.attempts + 1,
  });
}

/**
 * Sends the head of the queue, unless the cost limit is reached or the user is editing the head. The end of the edit sends
 * it then. The rest of the queue stays held if `holdsRest` is set.
 */
export function sendQueued(step: Transition, holdsRest = false): void {
  const { session, now, isCostReached } = step.env;
  const { leftAt, queue } = step.state;
  const [head, ...rest] = queue;
  if (head === undefined) return;
  if (step.state.editing.includes(head.id)) {
    step.set({ queueHeld: holdsRest });
    return;
  }
  if (head.overrideCostLimit !== true && isCostReached()) {
    step.set({ queueHeld: true });
    return;
  }
  step.set({ queueHeld: holdsRest });
  // The clock may have been set back since the run was left.
  const noticedAt = Math.min(leftAt ?? -Infinity, now) + DISCONNECT_NOTICE_MS;
  // Without a session ID the service cannot relate this prompt to the run that was left.
  if (session === null && noticedAt > now) {
    step.set({ phase: { kind: 'holding', until: noticedAt } });
    return;
  }
  if (!step.env.isOwner) {
    step.set({ phase: { kind: 'claiming' } });
    step.emit({ type: 'claim' });
    return;
  }
  step.set({ queue: rest });
  startRun(step, head);
}

/**
 * Queues the reason for a rejection before other prompts, but after earlier reasons of the run. It replaces an earlier
 * reason for the same question, whose answer may have been received.
 */
export function queueReason(step: Transition, question: string, text: string): void {
  step.set({ queue: step.state.queue.filter(({ reasonFor }) => reasonFor !== question) });
  const { queue, reasonsDue } = step.state;
  const isEarlier = (each: QueuedPrompt): boolean => reasonsDue.includes(each.id);
  const prompt = withCurrentMode(step, { text, sent: text, attachments: [] });
  step.set({
    queue: [
      ...queue.filter(isEarlier),
      { ...prompt, reasonFor: question },
      ...queue.filter((each) => !isEarlier(each)),
    ],
    reasonsDue: [...reasonsDue, prompt.id],
  });
}

/**
 * Removes the reason for a failed rejection from the queue, and returns it as it was edited there. A reason that an
 * earlier window queued stays held.
 */
export function takeBackReason(step: Transition, question: string): string | undefined {
  const { queue, reasonsDue } = step.state;
  const reason = queue.find((each) => each.reasonFor === question && reasonsDue.includes(each.id));
  if (reason === undefined) return undefined;
  step.set({ queue: queue.filter((each) => each !== reason) });
  return reason.text;
}

/** Sends the queue if the run ended well, unless the queue is held. Otherwise holds it for the user. */
export function continueQueue(step: Transition, endedWell: boolean): void {
  const { queue, queueHeld, sendWhenLeft, reasonsDue } = step.state;
  step.set({ sendWhenLeft: false, reasonsDue: endedWell ? reasonsDue : [] });
  const isReasonDue = reasonsDue.some((id) => id === queue[0]?.id);
  const isDue = endedWell && (!queueHeld || isReasonDue);
  if (sendWhenLeft || isDue) sendQueued(step, queueHeld);
  else step.set({ queueHeld: true });
}

/**
 * How a run ended: `done` well; `over` otherwise, as the service said; `refused` before it started; `left`, so that it
 * may continue for a while.
 */
export type RunEndKind = 'done' | 'over' | 'refused' | 'left';

function becomeIdle(step: Transition, how: RunEndKind): void {
  for (const question of step.state.questions) closeQuestion(step, question, 'run-ended');
  step.set({ phase: { kind: 'idle' }, questions: [], submitted: [] });
  if (how !== 'refused') step.set({ leftAt: how === 'left' ? step.env.now : null });
  continueQueue(step, how === 'done');
}

/**
 * Returns whether the next prompt may be sent before the service has noticed that a run was stopped. That prompt starts a
 * new session, and sandboxed runs may overlap. Two unsandboxed runs must not.
 */
export function mayStartAtOnce(mode: ApprovalMode, session: string | null): boolean {
  return session === null && mode === 'manual';
}

export function closeQuestion(
  step: Transition,
  question: OpenQuestion,
  why: ConversationCloseReason,
): void {
  step.record({ type: 'closed', question: question.id, why });
  step.emit({ type: 'withdraw', question: question.id, why });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
}

/** Leaves the run without a notification, because the user stopped it. */
export function leaveRun(step: Transition, how: RunEndKind = 'left'): void {
  const run = currentRun(step.state);
  if (run === null) return;
  step.record({ type: 'stopped', run });
  becomeIdle(step, how);
}

/** Leaves a run that waits for an answer that cannot be given, until its question expires. */
export function leaveUnanswerableRun(step: Transition, attempt: RequestAttempt): void {
  const message = 'The response waits for an answer that cannot be given';
  const error = new ApiError({ kind: 'unanswerable', route: 'chat', message, inStream: true });
  endRun(step, attempt, 'left', error);
}

/** Ends a run that the user did not stop, and notifies the user. Records the error, if any. */
export function endRun(
  step: Transition,
  { run, startedAt }: RequestAttempt,
  how: RunEndKind,
  error?: ApiError,
): void {
  if (error !== undefined) step.record({ type: 'failed', run, failure: storedFailure(error) });
  step.emit({ type: 'run-ended', endedWell: how === 'done', tookMs: step.env.now - startedAt });
  becomeIdle(step, how);
}
