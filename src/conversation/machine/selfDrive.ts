import type { ApprovalMode } from '../../api/index.ts';
import type { ConversationState, QueuedPrompt, SelfDriveTerm } from './state.ts';
import type { SelfDriveLimit } from '../journal.ts';
import type { Transition } from './transition.ts';

/**
 * Self-drive for a limited time. The record has its end, so that all windows agree and nothing is recorded when it ends.
 * A run that the service has accepted continues in self-drive; nothing else is sent in it after its end.
 */

const SELF_DRIVE_MS = 30 * 60_000;

/** Sets the mode of the next prompt. */
export function setMode(
  step: Transition,
  mode: ApprovalMode,
  lasts: SelfDriveTerm = 'until-switched-off',
): void {
  const limit = mode === 'manual' ? null : selfDriveLimitAfter(lasts, step.env.now);
  const { state } = step;
  if (mode === state.mode && limit === state.selfDriveLimit) return;
  step.set({ mode, selfDriveLimit: limit });
  step.record(limit === null ? { type: 'mode', mode } : { type: 'mode', mode: 'manual', limit });
}

function selfDriveLimitAfter(lasts: SelfDriveTerm, now: number): SelfDriveLimit {
  if (lasts === '30-minutes') return now + SELF_DRIVE_MS;
  return lasts === 'this-prompt' ? lasts : null;
}

type ModeAndLimit = Pick<ConversationState, 'mode' | 'selfDriveLimit'>;

/** Applies a recorded mode, unless its time is over. */
export function followMode(step: Transition, { mode, selfDriveLimit }: ModeAndLimit): void {
  const isOn = typeof selfDriveLimit !== 'number' || !isExpired(selfDriveLimit, step.env.now);
  const next = isOn ? { mode, selfDriveLimit } : { mode: 'manual' as const, selfDriveLimit: null };
  const { state } = step;
  if (next.mode !== state.mode || next.selfDriveLimit !== state.selfDriveLimit) step.set(next);
}

/** Ends expired self-drive: of the next prompt, of the queue, and of a prompt that is to be repeated. */
export function expireSelfDrive(step: Transition): void {
  const { queue, phase } = step.state;
  const { now } = step.env;
  const isLate = ({ limit }: Pick<QueuedPrompt, 'limit'>): boolean =>
    typeof limit === 'number' && isExpired(limit, now);
  followMode(step, step.state);
  if (queue.some(isLate))
    step.set({ queue: queue.map((each) => (isLate(each) ? withManualMode(each) : each)) });
  if (phase.kind !== 'backing-off' || !isLate(phase.attempt)) return;
  const { chat, ...attempt } = withManualMode(phase.attempt);
  const manual = chat?.kind === 'prompt' ? { ...chat, approvalMode: 'manual' as const } : chat;
  step.set({ phase: { ...phase, attempt: { ...attempt, chat: manual } } });
  step.record({ type: 'lapsed', run: attempt.run });
}

/** Returns when {@link expireSelfDrive} has an effect next, epoch ms; null for never. */
export function selfDriveEndsAt({
  selfDriveLimit,
  queue,
  phase,
}: ConversationState): number | null {
  const retry = phase.kind === 'backing-off' ? phase.attempt.limit : undefined;
  const ends = [selfDriveLimit, retry, ...queue.map(({ limit }) => limit)];
  const first = Math.min(...ends.filter((end) => typeof end === 'number'));
  return first === Infinity ? null : first;
}

/** Self-drive with more than half an hour left is over too: the clock was set back. */
function isExpired(until: number, now: number): boolean {
  return now >= until || until - now > SELF_DRIVE_MS;
}

function withManualMode<T extends Pick<QueuedPrompt, 'mode' | 'limit'>>(each: T): T {
  return { ...each, mode: 'manual', limit: null };
}
