import type { Clock } from '../../../../src/base/clock.ts';
import { toDisposable, type Disposable } from '../../../../src/base/disposable.ts';

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that moves only when it is told to. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #monotonicMs = 1_000;
  #epochOffsetMs = Date.UTC(2026, 0, 1);

  now(): number {
    return this.#epochOffsetMs + this.#monotonicMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  setTimeout(callback: () => void, ms: number): Disposable {
    const timer = { dueMs: this.#monotonicMs + ms, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on, firing each timer at its own time. */
  advance(ms: number): void {
    const untilMs = this.#monotonicMs + ms;
    for (let timer = this.#next(untilMs); timer !== undefined; timer = this.#next(untilMs)) {
      this.#timers.delete(timer);
      this.#monotonicMs = Math.max(this.#monotonicMs, timer.dueMs);
      timer.callback();
    }
    this.#monotonicMs = untilMs;
  }

  /** Moves on while no timer fires, as when the machine sleeps; what was due fires late, now. */
  sleep(ms: number): void {
    this.#monotonicMs += ms;
    this.advance(0);
  }

  #next(untilMs: number): Timer | undefined {
    return [...this.#timers]
      .filter(({ dueMs }) => dueMs <= untilMs)
      .sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}
