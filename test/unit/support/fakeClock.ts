import type { Clock } from '../../../src/base/clock.ts';
import type { Disposable } from '../../../src/base/disposable.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock for the client and the service that only moves by `advance` and `stall`. */
export class FakeClock implements Clock {
  #now: number;
  #sleptMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now + this.#sleptMs;
  }

  /** Lets so many ms pass on the wall clock alone; negative if it is set back. */
  sleep(ms: number): void {
    this.#sleptMs += ms;
  }

  monotonic(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): Disposable {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return { dispose: () => this.#timers.delete(timer) };
  }

  /** The number of timers: none in an idle program. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer, if there is one. */
  get untilNext(): number | undefined {
    const [next] = [...this.#timers].map(({ at }) => at).sort((a, b) => a - b);
    return next === undefined ? undefined : next - this.#now;
  }

  /** Advances the clock, and runs due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  /** Advances the clock without timers, as on a hanging machine, and runs due timers late. */
  stall(ms: number): void {
    this.#now += ms;
    this.advance(0);
  }
}
