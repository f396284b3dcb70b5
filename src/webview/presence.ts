import type { Post } from './connection.ts';

/** The shortest time between two reports of a key, in milliseconds: at most four a second. */
const typedInterval = 250;

/**
 * Tells the host whether this page is being used and whether its user is typing. A question's dialog opens by itself
 * only where it cannot be answered by a key that was meant for something else.
 */
export class Presence {
  readonly #post: Post;
  readonly #hasDraft: () => boolean;
  #composing = false;
  #told = '';
  /** Runs for {@link typedInterval} from each report of a key. */
  #resting: ReturnType<typeof setTimeout> | undefined;
  #typedMeanwhile = false;

  constructor(post: Post, hasDraft: () => boolean) {
    this.#post = post;
    this.#hasDraft = hasDraft;
    const report = (): void => this.report();
    const options = { capture: true };
    for (const type of ['focus', 'blur']) window.addEventListener(type, report);
    for (const type of ['focusin', 'focusout', 'visibilitychange'])
      document.addEventListener(type, report, options);
    for (const type of ['keydown', 'compositionupdate', 'beforeinput'])
      document.addEventListener(type, () => this.#typed(), options);
    document.addEventListener('compositionstart', () => this.#compose(true), options);
    document.addEventListener('compositionend', () => this.#compose(false), options);
  }

  /** Tells what is new; the same is not said twice. */
  report(): void {
    const presence = {
      inSight: !document.hidden,
      focused: document.hasFocus(),
      composing: this.#composing,
      hasDraft: this.#hasDraft(),
    };
    const state = JSON.stringify(presence);
    if (state === this.#told) return;
    this.#told = state;
    this.#post('presence', presence);
  }

  /** Tells it again, to a host that may not have heard it. */
  repeat(): void {
    this.#told = '';
    this.report();
  }

  #compose(composing: boolean): void {
    this.#composing = composing;
    this.#typed();
    this.report();
  }

  /** Reports a key: at once, or where one was just reported a moment later, since the last one is what counts. */
  #typed(): void {
    this.#typedMeanwhile = this.#resting !== undefined;
    if (this.#typedMeanwhile) return;
    this.#post('typed', {});
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (this.#typedMeanwhile) this.#typed();
    }, typedInterval);
  }
}
