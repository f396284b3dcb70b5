import { untilNextSecond } from '../base/timeLeft.ts';

/** How far behind, in ms, the host's clock must seem before it counts as set back: no message takes that long. */
const SET_BACK_MS = 10_000;

interface Countdown {
  /** Epoch ms, by the host's clock. */
  readonly until: number;
  readonly draw: (left: number) => void;
}

/**
 * One clock for all countdowns on the page. Each is drawn at once and then at the moment in which its text changes, as in
 * the editor's dialogs, so that two that count to the same moment never differ by a second. It is forgotten when its
 * element leaves the page or its time is up.
 *
 * The time is the host's: the page may be drawn on another machine, whose clock may be wrong.
 */
export class Ticker {
  readonly #countdowns = new Map<Element, Countdown>();
  /** What to add to `performance.now()` to have the host's time, in ms. */
  #ahead = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Takes the host's time, in epoch milliseconds, as of when it was sent. What a message takes to arrive makes the host's
   * clock look slow by as much, so of several messages the one by which that clock is furthest ahead is the best estimate.
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
    draw(this.left(until));
    this.#schedule();
  }

  /** Draws nothing on an element any more. */
  forget(element: Element): void {
    this.#countdowns.delete(element);
  }

  /** The milliseconds that are left until a moment by the host's clock; 0 where it is past. */
  left(until: number): number {
    return Math.max(until - this.#ahead - performance.now(), 0);
  }

  #tick(): void {
    for (const [element, { until, draw }] of this.#countdowns) {
      const left = this.left(until);
      if (element.isConnected) draw(left);
      if (!element.isConnected || left === 0) this.#countdowns.delete(element);
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#countdowns.size === 0) return;
    const waits = [...this.#countdowns.values()].map(({ until }) =>
      untilNextSecond(this.left(until)),
    );
    this.#timer = setTimeout(() => this.#tick(), Math.ceil(Math.min(...waits)));
  }
}
