import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';
import { INTERACTION_DEADLINE_MS } from './limits.ts';

const SECOND_MS = 1_000;

/**
 * `m:ss` of what is left, in milliseconds: whole seconds, rounded up, so that `0:00` means that the time is up. The one
 * place where a countdown becomes text, for the editor's dialogs and for the page alike.
 */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(Math.max(ms, 0) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Milliseconds until {@link formatTimeLeft} reads differently, from more than 0 to 1,000. Whoever draws a countdown at
 * these moments never shows another second than the next one who does.
 */
export function untilNextSecond(ms: number): number {
  return Math.max(ms, 0) % SECOND_MS || SECOND_MS;
}

/** Calls now, and then in each moment in which the text of a countdown changes, until the time is up. */
export function everySecondOf(timeLeft: () => number, clock: Clock, draw: () => void): Disposable {
  let timer: Disposable | undefined;
  const tick = () => {
    draw();
    const left = timeLeft();
    timer = left === 0 ? undefined : clock.setTimeout(tick, Math.ceil(untilNextSecond(left)));
  };
  tick();
  return { dispose: () => timer?.dispose() };
}

/** Wall clock and monotonic clock drift apart by more than this only where the machine slept or its clock was set. */
const JUMP_MS = 10_000;

/** The time left after a sleep that outlasted a question, in ms: one keepalive interval, in which the service may speak. */
const GRACE_MS = 30_000;

/**
 * The time that a question has left, for whoever shows it: editor and page alike.
 *
 * Setting the machine's clock back does not change it. The monotonic clock may stand still while the machine sleeps and
 * the service waits on, so a forward jump of the wall clock counts as a sleep.
 */
export class Countdown {
  readonly #clock: Clock;
  #deadline: number;
  #wall: number;
  #monotonic: number;

  /** `deadline` is in epoch ms. */
  constructor(clock: Clock, deadline: number) {
    this.#clock = clock;
    this.#wall = clock.now();
    this.#deadline = Math.min(deadline, this.#wall + INTERACTION_DEADLINE_MS);
    this.#monotonic = clock.monotonic();
  }

  /** When it runs out, in epoch ms by the clock as it is now. */
  get deadline(): number {
    const wall = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const awake = monotonic - this.#monotonic;
    const jump = wall - this.#wall - awake;
    if (Math.abs(jump) < JUMP_MS) return this.#deadline;
    const running = clamp(this.#deadline - this.#wall - awake);
    this.#deadline = wall + Math.max(running - Math.max(jump, 0), Math.min(running, GRACE_MS));
    this.#wall = wall;
    this.#monotonic = monotonic;
    return this.#deadline;
  }

  /** Milliseconds left now, from 0 to {@link INTERACTION_DEADLINE_MS}. */
  left(): number {
    return clamp(this.deadline - this.#clock.now());
  }
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, 0), INTERACTION_DEADLINE_MS);
}
