import { untilNextSecond } from '../base/timeLeft.ts';

/** The host's clock was set back, where it says so many ms less than before: no message is that late. */
const SET_BACK_MS = 10_000;

interface Countdown {
  /** Epoch ms, by the host's clock. */
  readonly until: number;
  readonly draw: (left: number) => void;
}

/**
 * One clock for all countdowns on the page. Each is drawn at once, and then in the moment in which its text changes, as
 * the editor's dialogs do it: two that count to the same moment never differ by a second. It is forgotten when its
 * element leaves the page or its time is up.
 *
 * The time is the host's, since the page may be drawn on another machine, whose clock is another.
 */
export class Ticker {
  readonly #countdowns = new Map<Element, Countdown>();
  /** What to add to the page's own clock, which nobody sets, to have the host's. */
  #ahead = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * The host said what time it is, in epoch milliseconds. It was earlier then than it is now: of several messages the
   * one that took the shortest way tells it best.
   */
  setNow(now: number): void {
    const ahead = now - performance.now();
    const wasLater = ahead < this.#ahead && this.#ahead - ahead < SET_BACK_MS;
    if (wasLater) return;
    this.#ahead = ahead;
    this.#tick();
  }

  /**
   * @param until epoch milliseconds, by the host's clock
   * @param draw gets the milliseconds that are left, 0 at the end; takes the place of what was drawn for the element
   *   before
   */
  watch(element: Element, until: number, draw: (left: number) => void): void {
    this.#countdowns.set(element, { until, draw });
    draw(this.#left(until));
    this.#schedule();
  }

  #left(until: number): number {
    return Math.max(until - this.#ahead - performance.now(), 0);
  }

  #tick(): void {
    for (const [element, { until, draw }] of this.#countdowns) {
      const left = this.#left(until);
      if (element.isConnected) draw(left);
      if (!element.isConnected || left === 0) this.#countdowns.delete(element);
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#countdowns.size === 0) return;
    const waits = [...this.#countdowns.values()].map(({ until }) =>
      untilNextSecond(this.#left(until)),
    );
    this.#timer = setTimeout(() => this.#tick(), Math.ceil(Math.min(...waits)));
  }
}
