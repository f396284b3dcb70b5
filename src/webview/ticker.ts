import { untilNextSecond } from '../base/timeLeft.ts';

interface Countdown {
  /** Epoch ms. */
  readonly until: number;
  readonly draw: (left: number) => void;
}

/**
 * One clock for all countdowns on the page. Each is drawn at once, and then in the moment in which its text changes, as
 * the editor's dialogs do it: two that count to the same moment never differ by a second. It is forgotten when its
 * element leaves the page or its time is up.
 */
export class Ticker {
  readonly #countdowns = new Map<Element, Countdown>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param until epoch milliseconds
   * @param draw gets the milliseconds that are left, 0 or less at the end; takes the place of what was drawn for the
   *   element before
   */
  watch(element: Element, until: number, draw: (left: number) => void): void {
    this.#countdowns.set(element, { until, draw });
    draw(until - Date.now());
    this.#schedule();
  }

  #tick(): void {
    const now = Date.now();
    for (const [element, { until, draw }] of this.#countdowns) {
      if (element.isConnected) draw(until - now);
      if (!element.isConnected || until <= now) this.#countdowns.delete(element);
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#countdowns.size === 0) return;
    const now = Date.now();
    const waits = [...this.#countdowns.values()].map(({ until }) => untilNextSecond(until - now));
    this.#timer = setTimeout(() => this.#tick(), Math.ceil(Math.min(...waits)));
  }
}
