import type { Post } from './connection.ts';

/** The shortest time between two `typed` messages, in ms. */
const TYPED_INTERVAL_MS = 250;

/**
 * Tells the host whether the page is in use and whether its user is typing. The host opens no question dialog in which a
 * key meant for the page could be an answer.
 */
export class PresenceReporter {
  readonly #post: Post;
  readonly #hasDraft: () => boolean;
  #composing = false;
  #announced = '';
  /** Runs for {@link TYPED_INTERVAL_MS} after each `typed` message. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  #typedDuringPause = false;

  constructor(post: Post, hasDraft: () => boolean) {
    this.#post = post;
    this.#hasDraft = hasDraft;
    const report = (): void => this.report();
    const options = { capture: true };
    for (const type of ['focus', 'blur']) window.addEventListener(type, report);
    for (const type of ['focusin', 'focusout', 'visibilitychange'])
      document.addEventListener(type, report, options);
    for (const type of ['keydown', 'compositionupdate', 'beforeinput'])
      document.addEventListener(type, () => this.#handleTyping(), options);
    document.addEventListener('compositionstart', () => this.#compose(true), options);
    document.addEventListener('compositionend', () => this.#compose(false), options);
  }

  /** Sends the presence if it has changed. */
  report(): void {
    const presence = {
      visible: !document.hidden,
      focused: document.hasFocus(),
      composing: this.#composing,
      hasDraft: this.#hasDraft(),
    };
    const state = JSON.stringify(presence);
    if (state === this.#announced) return;
    this.#announced = state;
    this.#post('presence', presence);
  }

  /** Sends the presence to a host that may not have received it. */
  repeat(): void {
    this.#announced = '';
    this.report();
  }

  #compose(composing: boolean): void {
    this.#composing = composing;
    this.#handleTyping();
    this.report();
  }

  /** Reports a key now, or after the pause. The host needs the time of the last key. */
  #handleTyping(): void {
    this.#typedDuringPause = this.#pause !== undefined;
    if (this.#typedDuringPause) return;
    this.#post('typed', {});
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#typedDuringPause) this.#handleTyping();
    }, TYPED_INTERVAL_MS);
  }
}
