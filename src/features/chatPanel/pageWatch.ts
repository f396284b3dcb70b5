import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** How long a page in sight may be silent before it counts as hung, in ms: it asks for a sign of life twice a second. */
const PATIENCE_MS = 3_000;
/** How long after it began a page is still drawing what it was opened with, in ms. */
const OPENING_MS = 10_000;

interface PageWatchOptions {
  readonly clock: Clock;
  /** Is done once the window of the page has taken a message for it: never, where the connection to the window is lost. */
  readonly probe: () => PromiseLike<unknown>;
  /** Called when the page begins to hang, and when it answers again after all. */
  readonly changed: (hangs: boolean) => void;
}

/**
 * Notices a page that hangs: hostile text can keep it busy in a single call that nothing inside the page can end. A page
 * out of sight asks for nothing, and so nothing is expected of it. Nor does one hang whose whole window is silent, unless
 * it has just been opened: in some browsers the two share a process, and hang together.
 */
export class PageWatch implements Disposable {
  readonly #options: PageWatchOptions;
  /** When the page began, on the monotonic clock. */
  #begunAt = 0;
  #isInSight = false;
  #hangs = false;
  #timer: Disposable | undefined;

  constructor(options: PageWatchOptions) {
    this.#options = options;
  }

  /** A page begins. What became of the one before is known, and no matter of this one. */
  begin(): void {
    this.#hangs = false;
    this.#begunAt = this.#options.clock.monotonic();
    this.setInSight(true);
  }

  /** The page is in sight, or out of it or gone. */
  setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    this.#wait();
  }

  /** The page has said something. */
  heard(): void {
    this.#set(false);
    this.#wait();
  }

  dispose(): void {
    this.setInSight(false);
  }

  #wait(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isInSight) return;
    const { clock } = this.#options;
    const isOpening = clock.monotonic() - this.#begunAt < OPENING_MS;
    const timer = clock.setTimeout(() => void this.#silent(timer, isOpening), PATIENCE_MS);
    this.#timer = timer;
  }

  /** @param timer that has run out: once the page has said something, another one is in its place */
  async #silent(timer: Disposable, isOpening: boolean): Promise<void> {
    if (!isOpening) await this.#options.probe();
    if (this.#timer === timer) this.#set(true);
  }

  #set(hangs: boolean): void {
    if (this.#hangs === hangs) return;
    this.#hangs = hangs;
    this.#options.changed(hangs);
  }
}
