import { button, h, icon, setAttribute, setText, type Drawn } from '../dom.ts';
import { formatMessage, type Localizer } from '../localizer.ts';
import { restoreAnchor, type Anchor } from './scrollAnchor.ts';

/** Distance that counts as being at the end, in CSS pixels. */
const NEAR_END_PIXELS = 24;
/** Longest time from a key or the wheel to the end of its animated scroll, in ms. */
const SCROLL_ANIMATION_MS = 300;
const UPWARD_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the end of the conversation in view while the reader is there. It stops when the reader scrolls up, selects text or
 * moves the focus into the text, and starts again at the end, also when the focus leaves the text there.
 *
 * While it follows, the browser's scroll anchoring is off (`.following` in transcript.css). Then the scroller is moved only
 * by this class, by content that shrinks, and by the reader.
 */
export class AutoScroller {
  readonly #scroller: HTMLElement;
  readonly #onChange: (following: boolean) => void;
  /** When the reader last turned the wheel or pressed a key. */
  #inputAt = -Infinity;
  #holdUntil = 0;
  /** The last known scroll position and its distance from the end. */
  #lastTop = 0;
  #lastDistance = 0;

  constructor(scroller: HTMLElement, onChange: (following: boolean) => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    const handleWheel = ({ deltaY }: WheelEvent): void => this.#handleInput(deltaY < 0);
    scroller.addEventListener('wheel', handleWheel, { passive: true });
    scroller.addEventListener('keydown', ({ key, shiftKey }) =>
      this.#handleInput(UPWARD_KEYS.has(key) || (key === ' ' && shiftKey)),
    );
    document.addEventListener('focusin', (event) => this.#handleFocus(event));
    // A dialog of VS Code takes the focus of the whole page.
    window.addEventListener('blur', () => this.#followAtEnd());
    document.addEventListener('selectionchange', () => this.#handleSelection());
    scroller.classList.add('following');
  }

  get isFollowing(): boolean {
    return this.#scroller.classList.contains('following');
  }

  stopFollowing(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#holdUntil = 0;
    if (scrollHeight > clientHeight) this.#set(false);
  }

  scrollToEnd(): void {
    // Set before the jump button disappears: its focus moves here, while an animated scroll may still be running.
    this.#holdUntil = this.#inputAt + SCROLL_ANIMATION_MS;
    this.#set(true);
    this.#goToEnd();
  }

  /** Goes back to where the reader was, and follows if a larger page shows the end there. */
  restore(anchor: Anchor): void {
    this.stopFollowing();
    restoreAnchor(this.#scroller, anchor);
    this.#followAtEnd();
  }

  /** Follows if the end is in sight. Selected text stays in place. */
  #followAtEnd(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight - clientHeight - scrollTop < 1) this.scrollToEnd();
    this.#handleSelection();
  }

  /** Goes to the new end if the reader was at the end. */
  handleLayoutChange(): void {
    // A scroll event comes with the next frame: the reader may have scrolled since the last one.
    if (this.isFollowing) this.handleScroll();
  }

  /** Must be called at each scroll. The end may have moved away since the last frame, as messages were drawn above. */
  handleScroll(): void {
    this.#updateFollowing();
    this.#goToEnd();
  }

  #goToEnd(): void {
    if (!this.isFollowing) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    const isThere = end - scrollTop < 1;
    if (!isThere) this.#scroller.scrollTop = scrollHeight;
    // The scroll event comes too late: it could hide a smaller step back by the reader.
    this.#remember(isThere ? scrollTop : end, end);
  }

  /**
   * Compares the scroll position with the last one, to stop or start following. A scroll up counts as the reader's unless
   * shrinking content explains it, or an animated scroll may still be running.
   */
  #updateFollowing(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    const wentUp = scrollTop < Math.min(this.#lastTop, end) - 1;
    const cameNearer = scrollTop > this.#lastTop && end - scrollTop < this.#lastDistance;
    if (wentUp && performance.now() >= this.#holdUntil) this.#set(false);
    else if (cameNearer && end - scrollTop < NEAR_END_PIXELS) this.#set(true);
    this.#remember(scrollTop, end);
  }

  #remember(top: number, end: number): void {
    this.#lastTop = top;
    this.#lastDistance = end - top;
  }

  #handleInput(goesUp: boolean): void {
    this.#inputAt = performance.now();
    if (goesUp) this.stopFollowing();
  }

  #handleFocus({ target, relatedTarget }: FocusEvent): void {
    if (!(target instanceof Element) || target.matches('.jump')) return;
    if (!this.#scroller.contains(target)) {
      this.#followAtEnd();
      return;
    }
    // A moved focus forces a layout. Content that shrank has moved the scroller, and may grow before the scroll event.
    this.#updateFollowing();
    // The reader moves the focus from another element. It comes from none when a dialog returns it.
    if (relatedTarget === null || target === this.#scroller) return;
    if (target.matches(':focus-visible')) this.stopFollowing();
  }

  #handleSelection(): void {
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed) return;
    if (this.#scroller.contains(selection.anchorNode)) this.stopFollowing();
  }

  #set(following: boolean): void {
    if (this.isFollowing === following) return;
    this.#scroller.classList.toggle('following', following);
    this.#onChange(following);
  }
}

/** Creates the button that goes to the end. It shows how many blocks were added since the reader left the end. */
export function createJumpButton(localizer: Localizer, jump: () => void): Drawn<number> {
  const { jumpToLatest, jumpToLatestNew } = localizer.strings;
  const label = h('span');
  const attributes = { class: 'jump', 'aria-label': jumpToLatest, hidden: true };
  const element = button(attributes, jump, icon('arrow-down'), label);
  const draw = (newBlocks: number): void => {
    element.hidden = false;
    const count = newBlocks === 0 ? '' : localizer.count(newBlocks);
    const title = count === '' ? jumpToLatest : formatMessage(jumpToLatestNew, count);
    setAttribute(element, 'title', title);
    setText(label, count);
  };
  return { element, draw };
}
