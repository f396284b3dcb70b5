import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import type { Clock } from '../../base/clock.ts';

/** Wall clock and monotonic clock drift apart by more than this only where the machine slept or its clock was set. */
const JUMP_MS = 10_000;

/** What a question gets after a sleep that outlasted it: one keepalive interval, in which the service may speak. */
const GRACE_MS = 30_000;

/**
 * Time left until a deadline, in milliseconds from 0 to {@link INTERACTION_DEADLINE_MS}.
 *
 * It runs on the monotonic clock, so that setting the machine's clock does not move it. That clock may stand still
 * while the machine sleeps and the service waits on: a forward jump of the wall clock is read as a sleep.
 */
export class Countdown {
  readonly #clock: Clock;
  #left: number;
  #wall: number;
  #monotonic: number;

  /** `deadline` is in epoch ms. */
  constructor(clock: Clock, deadline: number) {
    this.#clock = clock;
    this.#wall = clock.now();
    this.#monotonic = clock.monotonic();
    this.#left = clamp(deadline - this.#wall);
  }

  /** Milliseconds left now. */
  left(): number {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const awake = monotonic - this.#monotonic;
    const asleep = wall - this.#wall - awake;
    const running = clamp(this.#left - awake);
    if (Math.abs(asleep) < JUMP_MS) return running;
    const slept = asleep > 0 ? clamp(running - asleep) : running;
    this.#left = Math.max(slept, Math.min(running, GRACE_MS));
    this.#wall = wall;
    this.#monotonic = monotonic;
    return this.#left;
  }
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, 0), INTERACTION_DEADLINE_MS);
}
