import {
  currentRun,
  interactionDeadlineMs,
  noticeMs,
  type Exchange,
  type OpenQuestion,
  type Prompt,
} from './state.ts';
import type { Step } from './step.ts';

/** How a prompt starts a run, and what happens where one ends. */

/** Sends a prompt now, or lets it wait for its turn. */
export function submit(step: Step, prompt: Prompt): void {
  const { phase, queue, session, leftAt } = step.state;
  const queued = [...queue, { ...prompt, id: step.env.id() }];
  switch (phase.kind) {
    case 'requesting':
    case 'backing-off':
    case 'elsewhere':
    case 'holding':
      step.set({ queue: queued });
      return;
    case 'paused':
      if (!questionsAreOver(step)) {
        step.set({ queue: queued });
        return;
      }
      for (const question of step.state.questions) closeQuestion(step, question, 'expired');
      leaveRun(step);
      startRun(step, prompt);
      return;
    case 'idle': {
      const until = (leftAt ?? 0) + noticeMs;
      // Without a session id the service cannot tell this prompt from one beside the run that was left.
      if (session === null && leftAt !== null && until > step.env.now) {
        // Ahead of prompts that wait for their user's word since the run was left.
        const first = { ...prompt, id: step.env.id() };
        step.set({ queue: [first, ...queue], phase: { kind: 'holding', until } });
        step.emit({ type: 'timer', at: until });
        return;
      }
      startRun(step, prompt);
      return;
    }
  }
}

/** Whether every question's countdown ran out: then the run has probably ended, and a prompt need not wait for it. */
function questionsAreOver(step: Step): boolean {
  return step.state.questions.every(
    ({ askedAt }) => step.env.now >= askedAt + interactionDeadlineMs,
  );
}

/** Starts a run (interface: Chat run, none to streaming). */
export function startRun(step: Step, prompt: Prompt): void {
  const { mode, session, hasHistory } = step.state;
  if (session === null && hasHistory) step.record({ type: 'notice', notice: 'new-session' });
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
  step.set({ hasHistory: true, questions: [] });
  request(step, {
    run,
    request: step.env.id(),
    chat: { kind: 'prompt', text: prompt.sent, approvalMode: mode, sessionId: session },
    mode,
    attempt: 1,
    startedAt: step.env.now,
    opened: false,
    reply: null,
    asked: [],
    finish: null,
  });
}

/** Puts an exchange on the wire. */
export function request(step: Step, exchange: Exchange): void {
  step.set({ phase: { kind: 'requesting', exchange } });
  step.emit({ type: 'timer', at: null });
  step.emit({ type: 'request', request: exchange.request, chat: exchange.chat });
}

/** Repeats an exchange as a request of its own. */
export function repeat(step: Step, exchange: Exchange): void {
  request(step, {
    ...exchange,
    request: step.env.id(),
    attempt: exchange.attempt + 1,
    opened: false,
  });
}

/** Sends the head of the queue. */
export function sendQueued(step: Step): void {
  const [head, ...rest] = step.state.queue;
  if (head === undefined) return;
  step.set({ queue: rest, queueHeld: false });
  startRun(step, head);
}

/** After a good end the queue goes on by itself; after anything else it waits for the user. */
export function becomeIdle(step: Step, how: 'done' | 'failed' | 'left'): void {
  for (const question of step.state.questions) closeQuestion(step, question, 'run-ended');
  step.set({ phase: { kind: 'idle' }, questions: [] });
  step.emit({ type: 'timer', at: null });
  if (how === 'left') step.set({ leftAt: step.env.now });
  const { queue, queueHeld, sendWhenLeft } = step.state;
  step.set({ sendWhenLeft: false });
  if (queue.length === 0) return;
  if (sendWhenLeft || (how === 'done' && !queueHeld)) sendQueued(step);
  else step.set({ queueHeld: true });
}

/** Closes a question that nobody will answer any more. */
export function closeQuestion(
  step: Step,
  question: OpenQuestion,
  why: 'expired' | 'abandoned' | 'run-ended' | 'unanswerable',
): void {
  step.record({ type: 'closed', question: question.id, why });
  step.emit({ type: 'withdraw', question: question.id });
  step.set({ questions: step.state.questions.filter(({ id }) => id !== question.id) });
}

/** The user's Stop, or a prompt in place of a run that is over: the run is left as it is, which is no news to its user. */
export function leaveRun(step: Step): void {
  const run = currentRun(step.state);
  if (run === null) return;
  step.record({ type: 'stopped', run });
  becomeIdle(step, 'left');
}
