import { ApiError, type ApprovalMode } from '../../api/index.ts';
import type { Withdrawal } from '../questions/types.ts';
import { repeatDelay, storedFailure } from './failures.ts';
import { setMode } from './selfDrive.ts';
import {
  currentRun,
  noticeMs,
  type RequestAttempt,
  type OpenQuestion,
  type Prompt,
  type QueuedPrompt,
} from './state.ts';
import type { Transition } from './transition.ts';

/** How a prompt starts a run, and what happens where one ends. */

/** Sends a prompt now, or lets it wait for its turn. */
export function submit(step: Transition, prompt: Prompt, overrideCostLimit = false): void {
  const { phase, queue, leftAt } = step.state;
  const { session } = step.env;
  const sent: QueuedPrompt = { ...inMode(step, prompt), overrideCostLimit };
  if (phase.kind !== 'idle') {
    step.set({ queue: [...queue, sent] });
    return;
  }
  if (!maySend(step, sent)) {
    step.set({ queue: [sent, ...queue], queueHeld: true });
    return;
  }
  const noticedAt = (leftAt ?? 0) + noticeMs;
  // Without a session id the service cannot tell this prompt from one beside the run that was left.
  if (session === null && leftAt !== null && noticedAt > step.env.now)
    // Ahead of prompts that are held for the user since the run was left.
    step.set({ queue: [sent, ...queue], phase: { kind: 'holding', until: noticedAt } });
  else startRun(step, sent);
}

/** A prompt in the mode that the conversation has now. Self-drive for one prompt is used up by it. */
function inMode(step: Transition, prompt: Prompt): QueuedPrompt {
  const { mode, selfDriveLimit } = step.state;
  // Recorded before the prompt: a crash between the two must not leave self-drive on.
  if (selfDriveLimit === 'this-prompt') setMode(step, 'manual');
  return { ...prompt, id: step.env.id(), mode, limit: selfDriveLimit };
}

/** Whether a prompt may go out: past the limit of the conversation's cost only where its user agreed. */
export function maySend({ env }: Transition, { overrideCostLimit }: QueuedPrompt): boolean {
  return !env.isCostReached || overrideCostLimit === true;
}

/** The user agreed to send the next prompt past the limit of the conversation's cost. */
export function allowHead(step: Transition): void {
  const [head, ...rest] = step.state.queue;
  if (head !== undefined) step.set({ queue: [{ ...head, overrideCostLimit: true }, ...rest] });
}

/** Starts a run (interface: Chat run, none to streaming). Self-drive that is over has been taken from the prompt by now. */
export function startRun(step: Transition, prompt: QueuedPrompt): void {
  const { session, isForgotten } = step.env;
  // The mode may be from a record that was made in a trusted workspace.
  const mode = step.env.selfDriveAllowed ? prompt.mode : 'manual';
  if (isForgotten) step.record({ type: 'notice', notice: 'new-session' });
  const run = step.env.id();
  step.record({
    type: 'prompt',
    run,
    text: prompt.text,
    mode,
    ...(prompt.sent === prompt.text ? {} : { sent: prompt.sent }),
    ...(prompt.attachments.length === 0 ? {} : { attachments: [...prompt.attachments] }),
    ...(session === null ? {} : { session }),
  });
  step.set({ questions: [] });
  request(step, {
    run,
    request: step.env.id(),
    chat: { kind: 'prompt', text: prompt.sent, approvalMode: mode, sessionId: session },
    mode,
    limit: mode === 'manual' ? null : (prompt.limit ?? null),
    attempts: 1,
    startedAt: step.env.now,
    opened: false,
    answer: null,
    asked: [],
    finish: null,
  });
}

/** Puts an attempt on the wire. */
export function request(step: Transition, attempt: RequestAttempt): void {
  step.set({ phase: { kind: 'requesting', attempt } });
  const { chat, limit } = attempt;
  const isRecorded = chat.kind === 'answer' || limit === 'this-prompt';
  step.emit({ type: 'request', request: attempt.request, chat, isRecorded });
}

/** Has an attempt repeated later. False if it may not be. */
export function backOff(step: Transition, attempt: RequestAttempt, because: ApiError): boolean {
  const delay = repeatDelay(step, attempt, because);
  if (delay === null) return false;
  const until = step.env.now + delay;
  step.set({ phase: { kind: 'backing-off', attempt, until, because } });
  return true;
}

/** Repeats an attempt as a request of its own. */
export function repeat(step: Transition, attempt: RequestAttempt): void {
  request(step, {
    ...attempt,
    request: step.env.id(),
    attempts: attempt.attempts + 1,
    opened: false,
  });
}

/** Sends the head of the queue, or holds it where it may not go out; the rest may stay held. */
export function sendQueued(step: Transition, holdsRest = false): void {
  const [head, ...rest] = step.state.queue;
  if (head === undefined) return;
  if (maySend(step, head)) {
    step.set({ queue: rest, queueHeld: holdsRest && rest.length > 0 });
    startRun(step, head);
  } else step.set({ queueHeld: true });
}

/**
 * Puts the reason for a rejection before all that waits, but after reasons given earlier in the run. What was written for
 * the same question before makes way: nobody knows what became of the answer that it came with.
 */
export function queueReason(step: Transition, question: string, text: string): void {
  const { queueHeld, reasonsDue } = step.state;
  const queue = step.state.queue.filter(({ reasonFor }) => reasonFor !== question);
  const isEarlier = (each: QueuedPrompt): boolean => reasonsDue.includes(each.id);
  const prompt = inMode(step, { text, sent: text, attachments: [] });
  step.set({
    queue: [
      ...queue.filter(isEarlier),
      { ...prompt, reasonFor: question },
      ...queue.filter((each) => !isEarlier(each)),
    ],
    queueHeld: queueHeld && queue.length > 0,
    reasonsDue: [...reasonsDue, prompt.id],
  });
}

/**
 * Takes the reason for a rejection that did not count out of the queue, as it was edited there. One that a window before
 * this one had queued is held for its user anyway. Undefined without one.
 */
export function takeBackReason(step: Transition, question: string): string | undefined {
  const { queue, queueHeld, reasonsDue } = step.state;
  const reason = queue.find((each) => each.reasonFor === question && reasonsDue.includes(each.id));
  if (reason === undefined) return undefined;
  const rest = queue.filter((each) => each !== reason);
  step.set({ queue: rest, queueHeld: queueHeld && rest.length > 0 });
  return reason.text;
}

/** Goes on with the queue after a run: by itself after a good end, unless it is held; else it waits for the user. */
export function continueQueue(step: Transition, isGoodEnd: boolean): void {
  const { queue, queueHeld, sendWhenLeft, reasonsDue } = step.state;
  step.set({ sendWhenLeft: false, reasonsDue: isGoodEnd ? reasonsDue : [] });
  const [head] = queue;
  if (head === undefined) return;
  if (sendWhenLeft || (isGoodEnd && !queueHeld)) sendQueued(step);
  else if (isGoodEnd && reasonsDue.includes(head.id)) sendQueued(step, true);
  else step.set({ queueHeld: true });
}

/**
 * How a conversation comes to rest: its run ended well; ended otherwise, and the service says so; never started; or
 * was left, so that it may go on for a while.
 */
export type EndKind = 'done' | 'over' | 'refused' | 'left';

/** After a good end the queue goes on by itself; after anything else it waits for the user. */
function becomeIdle(step: Transition, how: EndKind): void {
  for (const question of step.state.questions) closeQuestion(step, question, 'run-ended');
  step.set({ phase: { kind: 'idle' }, questions: [], submitted: [] });
  if (how !== 'refused') step.set({ leftAt: how === 'left' ? step.env.now : null });
  continueQueue(step, how === 'done');
}

/**
 * Whether the next prompt need not wait until the service has noticed that a run was stopped: it starts a session of its
 * own, and a sandboxed run may go on beside another one. Two unsandboxed runs must not meet.
 */
export function needsNoWait(mode: ApprovalMode, session: string | null): boolean {
  return session === null && mode === 'manual';
}

/** Closes a question that nobody will answer any more. */
export function closeQuestion(step: Transition, question: OpenQuestion, why: Withdrawal): void {
  step.record({ type: 'closed', question: question.id, why });
  step.emit({ type: 'withdraw', question: question.id, why });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
}

/** The user's Stop: the run is left as it is, which is no news to its user. */
export function leaveRun(step: Transition, how: EndKind = 'left'): void {
  const run = currentRun(step.state);
  if (run === null) return;
  step.record({ type: 'stopped', run });
  becomeIdle(step, how);
}

/** The run waits for an answer that nobody can give: it goes on by itself when its question expires. */
export function leaveUnanswerable(step: Transition, attempt: RequestAttempt): void {
  const message = 'The response waits for an answer that cannot be given';
  const error = new ApiError({ kind: 'unanswerable', route: 'chat', message, inStream: true });
  failRun(step, attempt, error, 'left');
}

/** The run failed, and its user is told why. */
export function failRun(
  step: Transition,
  attempt: RequestAttempt,
  error: ApiError,
  how: EndKind,
): void {
  step.record({ type: 'failed', run: attempt.run, failure: storedFailure(error) });
  endRun(step, attempt, how);
}

/** A run came to its end by itself, which is news to its user. */
export function endRun(step: Transition, { run, startedAt }: RequestAttempt, how: EndKind): void {
  step.emit({ type: 'run-ended', run, ok: how === 'done', tookMs: step.env.now - startedAt });
  becomeIdle(step, how);
}
