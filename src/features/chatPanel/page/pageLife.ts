import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Log } from '../../../platform/log/log.ts';

/** How long a page in sight may be silent before it counts as hung, in ms: it asks for a sign of life twice a second. */
const PATIENCE_MS = 3_000;
/** How long after it began a page is still drawing what it was opened with, in ms. */
const OPENING_MS = 10_000;
/** How long a page in sight may take to begin before it counts as blank, in ms; twice as long each further time. */
const BLANK_MS = 10_000;
/** Most reloads of a page that stays blank. */
const MOST_RELOADS = 3;
/** How long a page that is to leave may take for its last messages, in ms: it may hang. */
const LEAVE_MS = 500;
/** Most faults of one page that are logged: one that fails in every frame must not fill the log. */
const MOST_FAULTS = 20;
/** Most characters (code points) of a fault that are logged. */
const LONGEST_FAULT = 300;

interface PageLifeOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Loads the page again. */
  readonly load: () => void;
  /** Resolves once the window of the page has taken a message for it: never if the connection to the window is lost. */
  readonly probe: () => PromiseLike<unknown>;
  /** Called when the page begins to hang, and when it answers again after all. */
  readonly onHangs: (hangs: boolean) => void;
}

/**
 * Tracks whether a page is alive: expected, up, out of sight, hung or leaving.
 *
 * Hostile text can keep a page busy in a single call that nothing inside the page can end. A page out of sight asks for
 * nothing, so its silence means nothing. Nor does the silence of its whole window count, unless the page has just been
 * opened: in some browsers the two share a process, and hang together.
 *
 * A page that does not begin is loaded again. Up to VS Code 1.100, of two pages that come up at once one may wait half a
 * minute for its script, and stay blank: the script is handed to the other one's service worker.
 */
export class PageLife implements Disposable {
  readonly #options: PageLifeOptions;
  #isUp = false;
  /** Whether the page should be heard from. */
  #isInSight = false;
  #hangs = false;
  /** When the page began, on the monotonic clock. */
  #begunAt = 0;
  /** Reloads of the page that is expected; undefined once it has begun. */
  #reloads: number | undefined;
  #timer: Disposable | undefined;
  /** Called once the page is no longer waited for. */
  #waiting: (() => void)[] = [];
  #faults = 0;
  #leaveTimer: Disposable | undefined;
  #onLeft: () => void = () => undefined;

  constructor(options: PageLifeOptions) {
    this.#options = options;
  }

  /** Whether the page has sent `ready` and was not hidden since. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Its surface is on screen, where VS Code loads the page, or not: VS Code destroys a hidden page. */
  setShown(isShown: boolean): void {
    if (isShown && (this.#isUp || this.#isExpected)) return;
    this.#isUp = false;
    if (isShown) this.#reloads = 0;
    this.setInSight(isShown);
  }

  /** The page is ready. @param isNew whether it has just loaded: the state of the one before does not matter then */
  ready(isNew: boolean): void {
    this.#isUp = true;
    if (!isNew) return;
    this.#hangs = false;
    this.#reloads = undefined;
    this.#begunAt = this.#options.clock.monotonic();
    this.setInSight(true);
  }

  /** The page is in sight of its user, and so should be heard from, or not. */
  setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    this.#wait();
  }

  /** The page has sent something. */
  received(): void {
    this.#setHangs(false);
    this.#wait();
  }

  /** Resolves once the expected page has begun; at the latest when it counts as blank, or is out of sight. */
  async whenUp(): Promise<void> {
    if (this.#isAwaited()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Has the page leave. Resolves once it has sent its last messages, or takes too long. @param ask tells the page */
  async leave(ask: () => void): Promise<void> {
    if (!this.#isUp) return;
    this.setInSight(false);
    const left = new Promise<void>((resolve) => {
      this.#onLeft = resolve;
      this.#leaveTimer = this.#options.clock.setTimeout(resolve, LEAVE_MS);
    });
    ask();
    await left;
  }

  /** The page has sent its last messages, or is gone. */
  left(): void {
    this.#leaveTimer?.dispose();
    this.#onLeft();
  }

  /**
   * Logs a fault of the page. A page shows hostile text, so its words are cleaned and cut short.
   *
   * @param message undefined if the page sent something that is no message of its own
   */
  failed(message: string | undefined): void {
    const { log } = this.#options;
    this.#faults += 1;
    if (this.#faults === MOST_FAULTS + 1)
      log.warn('The chat page goes on failing; no more of it is logged');
    if (this.#faults > MOST_FAULTS) return;
    if (message === undefined) log.warn('A chat page sent a message that is not one of its own');
    else log.error('The chat page failed', undefined, plainLine(message, LONGEST_FAULT));
  }

  dispose(): void {
    this.setShown(false);
    this.left();
  }

  get #isExpected(): boolean {
    return this.#isInSight && this.#reloads !== undefined;
  }

  #isAwaited(): boolean {
    return this.#isInSight && this.#reloads === 0;
  }

  #wait(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isAwaited()) for (const resolve of this.#waiting.splice(0)) resolve();
    if (!this.#isInSight) return;
    const { clock } = this.#options;
    if (this.#reloads !== undefined) {
      this.#timer = clock.setTimeout(() => this.#reload(), BLANK_MS * 2 ** this.#reloads);
      return;
    }
    const isOpening = clock.monotonic() - this.#begunAt < OPENING_MS;
    const timer = clock.setTimeout(() => void this.#checkSilence(timer, isOpening), PATIENCE_MS);
    this.#timer = timer;
  }

  #reload(): void {
    if (this.#reloads === undefined || this.#reloads === MOST_RELOADS) return;
    this.#reloads += 1;
    this.#options.load();
    this.#wait();
  }

  /** @param timer that has run out: another one is in its place once the page has sent something */
  async #checkSilence(timer: Disposable, isOpening: boolean): Promise<void> {
    if (!isOpening) await this.#options.probe();
    if (this.#timer === timer) this.#setHangs(true);
  }

  #setHangs(hangs: boolean): void {
    if (this.#hangs === hangs) return;
    this.#hangs = hangs;
    this.#options.onHangs(hangs);
  }
}
