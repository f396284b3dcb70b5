import type { Disposable } from './disposable.ts';

export const MINUTE_MS = 60_000;

export interface Clock {
  /** Milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never goes back, but may stop while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` ms, unless disposed before. */
  setTimeout(callback: () => void, ms: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** How often an alarm compares the clocks, in ms. Timers may stop while the machine sleeps. */
const ALARM_CHECK_INTERVAL_MS = 10_000;

/** Calls back at a time of the wall clock. If that clock was set back, calls back after the same time even so. */
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

  get isSet(): boolean {
    return this.#at !== null;
  }

  /** Replaces the last time. @param at epoch ms; null for never */
  set(at: number | null): void {
    if (at === this.#at) return;
    this.dispose();
    this.#at = at;
    if (at !== null) this.#wait(at, this.#clock.monotonic() + at - this.#clock.now());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#at = null;
  }

  /** @param monotonicAt the same time on the monotonic clock */
  #wait(at: number, monotonicAt: number): void {
    const clock = this.#clock;
    const leftMs = Math.min(at - clock.now(), monotonicAt - clock.monotonic());
    const check = () => {
      if (leftMs > ALARM_CHECK_INTERVAL_MS) this.#wait(at, monotonicAt);
      else {
        this.#at = null;
        this.#callback(at);
      }
    };
    this.#timer = clock.setTimeout(check, Math.min(Math.max(0, leftMs), ALARM_CHECK_INTERVAL_MS));
  }
}
