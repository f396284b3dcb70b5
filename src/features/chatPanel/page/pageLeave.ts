import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** How long a page that is to leave may take to tell what it has not told yet, in ms: it may hang. */
const patienceMs = 500;

/** Waits for a page that is to leave. */
export class PageLeave implements Disposable {
  readonly #clock: Clock;
  #timer: Disposable | undefined;
  #done: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param ask tells the page to leave */
  async wait(ask: () => void): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#done = resolve;
      this.#timer = this.#clock.setTimeout(resolve, patienceMs);
    });
    ask();
    await left;
  }

  /** The page has told everything, or is gone. */
  left(): void {
    this.#timer?.dispose();
    this.#done();
  }

  dispose(): void {
    this.left();
  }
}
