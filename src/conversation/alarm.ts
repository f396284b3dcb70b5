import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** Calls at a moment that may be put off: one timer, for the latest moment that it was set to. */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #at: number | null = null;
  #timer: Disposable | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
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
      this.#ring();
    }, wait);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#at = null;
  }
}
