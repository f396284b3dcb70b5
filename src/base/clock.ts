import type { Disposable } from './disposable.ts';

export interface Clock {
  /** Milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never goes back, but may stop while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` ms, unless disposed before. */
  setTimeout(callback: () => void, ms: number): Disposable;
}

/** The longest time of Node's timers, in ms: 24 days. After a longer one, they call back at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Calls back at a time of the wall clock. A new time replaces the last one. */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  readonly #callback: (at: number) => void;
  #at: number | null = null;
  #timer: Disposable | undefined;

  /** @param callback gets the time that the alarm was set to */
  constructor(clock: Clock, callback: (at: number) => void) {
    this.#clock = clock;
    this.#callback = callback;
  }

  /** @param at epoch ms; null for never */
  set(at: number | null): void {
    if (at === this.#at) return;
    this.dispose();
    this.#at = at;
    if (at === null) return;
    const wait = Math.max(0, at - this.#clock.now());
    this.#timer = this.#clock.setTimeout(() => {
      this.#at = null;
      this.#callback(at);
    }, wait);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#at = null;
  }
}
