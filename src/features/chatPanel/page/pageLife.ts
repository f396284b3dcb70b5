import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Log } from '../../../platform/log/log.ts';

/** Silence after which a visible page counts as hung, in ms. It pings twice a second. */
const MAX_SILENCE_MS = 3_000;
/** Time that a page takes to draw its conversation, in ms. */
const DRAW_TIMEOUT_MS = 10_000;
/** Time after which a page that is not ready counts as blank, in ms; doubled after each reload. */
const READY_TIMEOUT_MS = 10_000;
const MAX_RELOADS = 3;
/** Time for the last messages of a page that leaves, in ms. */
const LEAVE_TIMEOUT_MS = 500;
/** Maximum number of faults of a page that are logged: it may fail in every frame. */
const MAX_LOGGED_FAULTS = 20;
/** Maximum number of code points of a logged fault. */
const MAX_FAULT_CHARACTERS = 300;

interface PageLifeOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Loads the page again. */
  readonly load: () => void;
  /** Posts a message. Resolves once the window has received it; never if the connection to the window is lost. */
  readonly probe: () => PromiseLike<unknown>;
  /** Called when the page starts to hang, and when it responds again. */
  readonly onDidChangeHanging: (hangs: boolean) => void;
}

/**
 * Tracks whether a page is loading, up, hidden, hung or leaving.
 *
 * Hostile text can block a page. A hidden page sends nothing, so it does not count as hung. If the whole window is silent,
 * the page does not count as hung either, unless it is new: in some browsers the two share a process, and hang together.
 * A page in which the user types is not new: it has drawn its conversation. If its window is silent, the window is gone.
 *
 * A page that stays blank is reloaded. Up to VS Code 1.100, if two pages load at once, the script of one may go to the
 * other's service worker, and arrive half a minute late.
 */
export class PageLife implements Disposable {
  readonly #options: PageLifeOptions;
  #isUp = false;
  /** True if the page is visible, and so should send messages. */
  #isVisible = false;
  #isHanging = false;
  /** When the page got ready, on the monotonic clock. */
  #readyAtMs = 0;
  /** Reloads of a loading page; undefined once it is ready. */
  #reloads: number | undefined;
  #timer: Disposable | undefined;
  /** Resolves the promises of {@link whenUp}. */
  #waiting: (() => void)[] = [];
  #faults = 0;
  #leaveTimer: Disposable | undefined;
  #onLeft: () => void = () => undefined;

  constructor(options: PageLifeOptions) {
    this.#options = options;
  }

  /** True if the page has sent `ready` and was not hidden since. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Called when the surface is shown or hidden. VS Code destroys the page of a hidden surface. */
  setShown(isShown: boolean): void {
    const isExpected = this.#isVisible && this.#reloads !== undefined;
    if (isShown && (this.#isUp || isExpected)) return;
    this.#isUp = false;
    this.#isHanging = false;
    if (isShown) this.#reloads = 0;
    this.setVisible(isShown);
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  /** Called when the page is ready. @param isNew whether it has just loaded */
  handleReady(isNew: boolean): void {
    this.#isUp = true;
    if (!isNew) return;
    // A page that was never hidden loads again when its tab moves to another window. It was silent, but did not hang.
    this.#setHanging(false);
    this.#reloads = undefined;
    this.#readyAtMs = this.#options.clock.monotonic();
    this.setVisible(true);
  }

  /** Called when the page becomes visible or hidden. @param isTyping true if the user types in it */
  setVisible(isVisible: boolean, isTyping = false): void {
    this.#isVisible = isVisible;
    if (isTyping) this.#readyAtMs = -Infinity;
    this.#wait();
  }

  /** Called when the page has sent a message. */
  handleMessage(): void {
    this.#setHanging(false);
    this.#wait();
  }

  /** Resolves once the page is ready, counts as blank, or is hidden. */
  async whenUp(): Promise<void> {
    if (this.#isAwaited()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Calls `ask`, and resolves once the page has sent its last messages, or takes too long. */
  async leave(ask: () => void): Promise<void> {
    if (!this.#isUp) return;
    this.setVisible(false);
    const left = new Promise<void>((resolve) => {
      this.#onLeft = resolve;
      this.#leaveTimer = this.#options.clock.setTimeout(resolve, LEAVE_TIMEOUT_MS);
    });
    ask();
    await left;
  }

  /** Called when the page has sent its last messages, or is gone. */
  handleLeft(): void {
    this.#leaveTimer?.dispose();
    this.#onLeft();
  }

  /** Logs a fault, cleaned and shortened, since a page shows hostile text. @param message undefined if it was invalid */
  logFault(message: string | undefined): void {
    const { log } = this.#options;
    this.#faults += 1;
    if (this.#faults === MAX_LOGGED_FAULTS + 1)
      log.warn('The chat page keeps failing; further failures are not logged');
    if (this.#faults > MAX_LOGGED_FAULTS) return;
    if (message === undefined) log.warn('A chat page sent an invalid message');
    else log.error('The chat page failed', undefined, plainLine(message, MAX_FAULT_CHARACTERS));
  }

  dispose(): void {
    this.setShown(false);
    this.handleLeft();
  }

  #isAwaited(): boolean {
    return this.#isVisible && this.#reloads === 0;
  }

  #wait(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isAwaited()) for (const resolve of this.#waiting.splice(0)) resolve();
    if (!this.#isVisible) return;
    const { clock } = this.#options;
    if (this.#reloads !== undefined) {
      this.#timer = clock.setTimeout(() => this.#reload(), READY_TIMEOUT_MS * 2 ** this.#reloads);
      return;
    }
    const isOpening = clock.monotonic() - this.#readyAtMs < DRAW_TIMEOUT_MS;
    const timer = clock.setTimeout(() => void this.#checkSilence(timer, isOpening), MAX_SILENCE_MS);
    this.#timer = timer;
  }

  #reload(): void {
    if (this.#reloads === undefined || this.#reloads === MAX_RELOADS) return;
    this.#reloads += 1;
    this.#options.load();
    this.#wait();
  }

  /** @param timer the elapsed timer, which is replaced if the page has sent a message since */
  async #checkSilence(timer: Disposable, isOpening: boolean): Promise<void> {
    if (!isOpening) await this.#options.probe();
    if (this.#timer === timer) this.#setHanging(true);
  }

  #setHanging(hangs: boolean): void {
    if (this.#isHanging === hangs) return;
    this.#isHanging = hangs;
    this.#options.onDidChangeHanging(hangs);
  }
}
