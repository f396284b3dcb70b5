import { msUntilNextSecond } from '../base/timeLeft.ts';

/** If the host's clock seems to be behind by this much, in ms, it was set back. No message takes that long. */
const CLOCK_SET_BACK_MS = 10_000;

interface Countdown {
  /** Epoch ms, by the host's clock. */
  readonly until: number;
  readonly draw: (left: number) => void;
}

/**
 * Draws all countdowns of the page, each when its text changes, so that two countdowns to the same time never differ. A
 * countdown ends when its element leaves the page or its time is up.
 *
 * Times are those of the host, because the page may run on another machine with another clock.
 */
export class Ticker {
  readonly #countdowns = new Map<Element, Countdown>();
  /** The host's time minus `performance.now()`, in ms. */
  #clockAheadMs = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Takes the host's time as epoch ms, as of when it was sent. A message's delay makes the host's clock look slow,
   * so the largest difference of several messages is the best estimate.
   */
  setNow(now: number): void {
    const ahead = now - performance.now();
    const wasLater = ahead < this.#clockAheadMs && this.#clockAheadMs - ahead < CLOCK_SET_BACK_MS;
    if (wasLater) return;
    this.#clockAheadMs = ahead;
    this.#tick();
  }

  /**
   * Starts the countdown of an element, in place of an earlier one.
   *
   * @param until epoch ms, by the host's clock
   * @param draw gets the ms that are left, 0 at the end
   */
  watch(element: Element, until: number, draw: (left: number) => void): void {
    this.#countdowns.set(element, { until, draw });
    draw(this.leftMs(until));
    this.#schedule();
  }

  /** Ends the countdown of an element. */
  forget(element: Element): void {
    this.#countdowns.delete(element);
  }

  /** Returns the ms until a time of the host's clock, at least 0. */
  leftMs(until: number): number {
    return Math.max(until - this.#clockAheadMs - performance.now(), 0);
  }

  #tick(): void {
    for (const [element, { until, draw }] of this.#countdowns) {
      const left = this.leftMs(until);
      if (element.isConnected) draw(left);
      if (!element.isConnected || left === 0) this.#countdowns.delete(element);
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#countdowns.size === 0) return;
    const waits = [...this.#countdowns.values()].map(({ until }) =>
      msUntilNextSecond(this.leftMs(until)),
    );
    this.#timer = setTimeout(() => this.#tick(), Math.ceil(Math.min(...waits)));
  }
}
