import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';
import { INTERACTION_DEADLINE_MS } from './limits.ts';

const SECOND_MS = 1_000;

/** Formats a number of ms as `m:ss`, rounded up, so that `0:00` means that the time is up. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(Math.max(ms, 0) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns the ms until {@link formatTimeLeft} changes, from more than 0 to 1,000. */
export function msUntilNextSecond(ms: number): number {
  return Math.max(ms, 0) % SECOND_MS || SECOND_MS;
}

/** Calls `draw` now, and whenever the text of a countdown changes, until `timeLeft` returns 0 ms. */
export function drawEverySecond(
  timeLeft: () => number,
  clock: Clock,
  draw: () => void,
): Disposable {
  let timer: Disposable | undefined;
  const tick = () => {
    draw();
    const leftMs = timeLeft();
    timer = leftMs === 0 ? undefined : clock.setTimeout(tick, Math.ceil(msUntilNextSecond(leftMs)));
  };
  tick();
  return { dispose: () => timer?.dispose() };
}

/** The clocks drift apart by more than this only if the machine slept or its clock was set. */
const MIN_CLOCK_JUMP_MS = 10_000;

/** The time left after a sleep that outlasted a question, in ms: one keepalive interval. */
const GRACE_AFTER_SLEEP_MS = 30_000;

/**
 * The time that a question has left.
 *
 * Setting the machine's clock back does not change it. A forward jump counts as a sleep, in which the monotonic clock may
 * stop while the service continues to wait.
 */
export class Countdown {
  readonly #clock: Clock;
  #deadline: number;
  #wallMs: number;
  #monotonicMs: number;

  /** @param deadline in epoch ms */
  constructor(clock: Clock, deadline: number) {
    this.#clock = clock;
    this.#wallMs = clock.now();
    this.#deadline = Math.min(deadline, this.#wallMs + INTERACTION_DEADLINE_MS);
    this.#monotonicMs = clock.monotonic();
  }

  /** The end of the countdown, in epoch ms of the current clock. */
  get deadline(): number {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const awakeMs = monotonic - this.#monotonicMs;
    const jumpMs = wall - this.#wallMs - awakeMs;
    if (Math.abs(jumpMs) < MIN_CLOCK_JUMP_MS) return this.#deadline;
    const leftMs = clamp(this.#deadline - this.#wallMs - awakeMs);
    this.#deadline =
      wall + Math.max(leftMs - Math.max(jumpMs, 0), Math.min(leftMs, GRACE_AFTER_SLEEP_MS));
    this.#wallMs = wall;
    this.#monotonicMs = monotonic;
    return this.#deadline;
  }

  /** Milliseconds left now, from 0 to {@link INTERACTION_DEADLINE_MS}. */
  leftMs(): number {
    return clamp(this.deadline - this.#clock.now());
  }
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, 0), INTERACTION_DEADLINE_MS);
}
