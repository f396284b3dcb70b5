import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';

/** How long a page in sight may be silent before it counts as hung, in ms: it asks for a sign of life twice a second. */
const PATIENCE_MS = 3_000;
/** How long after it began a page is still drawing what it was opened with, in ms. */
const OPENING_MS = 10_000;
/** How long a page in sight may take to begin before it counts as blank, in ms; twice as long each further time. */
const BLANK_MS = 10_000;
/** How often a page that stays blank is loaded again. */
const mostReloads = 3;

interface PageWatchOptions {
  readonly clock: Clock;
  /** Is done once the window of the page has taken a message for it: never, where the connection to the window is lost. */
  readonly probe: () => PromiseLike<unknown>;
  /** Called when the page begins to hang, and when it answers again after all. */
  readonly changed: (hangs: boolean) => void;
  /** Loads the page again, which stays blank. */
  readonly load: () => void;
}

/**
 * Notices a page that hangs: hostile text can keep it busy in a single call that nothing inside the page can end. A page
 * out of sight asks for nothing, and so nothing is expected of it. Nor does one hang whose whole window is silent, unless
 * it has just been opened: in some browsers the two share a process, and hang together.
 *
 * Notices too a page that does not begin. Up to VS Code 1.100, of two pages that come up at once one may wait half a
 * minute for its script, and stay blank: what brings it is handed to the other one's service worker.
 */
export class PageWatch implements Disposable {
  readonly #options: PageWatchOptions;
  /** When the page began, on the monotonic clock. */
  #begunAt = 0;
  /** How often the page that is to begin was loaded again; undefined once it has begun. */
  #reloads: number | undefined;
  #isInSight = false;
  #hangs = false;
  #timer: Disposable | undefined;
  /** Told once the page that is to begin is no longer waited for. */
  #waiting: (() => void)[] = [];

  constructor(options: PageWatchOptions) {
    this.#options = options;
  }

  /** A page in sight is on its way. */
  expect(): void {
    if (this.#isInSight && this.#reloads !== undefined) return;
    this.#reloads = 0;
    this.setInSight(true);
  }

  /** Done once the page that is on its way has begun; at the latest when it counts as blank, or is out of sight. */
  async begun(): Promise<void> {
    if (this.#isAwaited()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** A page begins. What became of the one before is known, and no matter of this one. */
  begin(): void {
    this.#hangs = false;
    this.#reloads = undefined;
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

  #isAwaited(): boolean {
    return this.#isInSight && this.#reloads === 0;
  }

  #wait(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isAwaited()) for (const tell of this.#waiting.splice(0)) tell();
    if (!this.#isInSight) return;
    const { clock } = this.#options;
    if (this.#reloads !== undefined) {
      this.#timer = clock.setTimeout(() => this.#reload(), BLANK_MS * 2 ** this.#reloads);
      return;
    }
    const isOpening = clock.monotonic() - this.#begunAt < OPENING_MS;
    const timer = clock.setTimeout(() => void this.#silent(timer, isOpening), PATIENCE_MS);
    this.#timer = timer;
  }

  #reload(): void {
    if (this.#reloads === undefined || this.#reloads === mostReloads) return;
    this.#reloads += 1;
    this.#options.load();
    this.#wait();
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
