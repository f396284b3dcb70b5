import { h, icon, setHidden, setText } from '../dom.ts';
import { fill, type Words } from '../words.ts';

/** Nearer than this to the end, in CSS pixels, counts as being there. */
const nearEnd = 24;
/** How long the last of an animated scroll may still come after the key or the wheel, in milliseconds. */
const animation = 300;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the end of the conversation in view while the reader is there, and lets go at the first sign that the reader
 * wants to be elsewhere: wheel, keys, a drag, a selection, the focus moving into the text, or a scroll by whatever
 * else, as assistive technology does. Only coming back to the end, or asking for it, takes hold again.
 *
 * While it follows, the browser's scroll anchoring is off (`.following` in transcript.css): what moves the scroller
 * then is this class, the end coming nearer where content shrinks, and else the reader.
 */
export class Follow {
  readonly #scroller: HTMLElement;
  readonly #changed: (following: boolean) => void;
  #following = true;
  /** When the reader last turned the wheel or pressed a key. */
  #inputAt = Number.NEGATIVE_INFINITY;
  #holdUntil = 0;
  /** Where the scroller was when it was last looked at or moved from here, and how far its end was away then. */
  #lastTop = 0;
  #lastDistance = 0;

  constructor(scroller: HTMLElement, changed: (following: boolean) => void) {
    this.#scroller = scroller;
    this.#changed = changed;
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    scroller.addEventListener('wheel', (event) => this.#wheelTurned(event), { passive: true });
    scroller.addEventListener('keydown', (event) => this.#keyPressed(event));
    scroller.addEventListener('focusin', (event) => this.#focused(event));
    document.addEventListener('selectionchange', () => this.#selected());
    this.#mark();
  }

  get following(): boolean {
    return this.#following;
  }

  letGo(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#holdUntil = 0;
    if (scrollHeight > clientHeight) this.#set(false);
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#set(true);
    this.#holdUntil = this.#inputAt + animation;
    this.#goToEnd();
  }

  /** After a change of the layout: goes to the end again where the reader was there. */
  layoutChanged(): void {
    if (!this.#following) return;
    // A scroll is told only with the next frame: what the reader did since then counts before the end does.
    this.#look();
    if (this.following) this.#goToEnd();
  }

  #goToEnd(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    const isThere = end - scrollTop < 1;
    if (!isThere) this.#scroller.scrollTop = scrollHeight;
    // Not only with the scroll that it fires: a step back by less than this one went on must be seen as one.
    this.#remember(isThere ? scrollTop : end, end);
  }

  #scrolled(): void {
    const wentUp = this.#look();
    if (wentUp && this.#following) this.#goToEnd();
  }

  /**
   * A scroll towards the start is the reader's where it goes further than the end came nearer, unless it may be the
   * rest of one from before the end was asked for; coming to the end takes hold again. Returns whether it went towards
   * the start.
   */
  #look(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    const wentUp = scrollTop < Math.min(this.#lastTop, end) - 1;
    const cameNearer = scrollTop > this.#lastTop && end - scrollTop < this.#lastDistance;
    if (wentUp && performance.now() >= this.#holdUntil) this.#set(false);
    else if (cameNearer && end - scrollTop < nearEnd) this.#set(true);
    this.#remember(scrollTop, end);
    return wentUp;
  }

  #remember(top: number, end: number): void {
    this.#lastTop = top;
    this.#lastDistance = end - top;
  }

  #wheelTurned({ deltaY }: WheelEvent): void {
    this.#inputAt = performance.now();
    if (deltaY < 0) this.letGo();
  }

  #keyPressed(event: KeyboardEvent): void {
    this.#inputAt = performance.now();
    if (upwardKeys.has(event.key) || (event.key === ' ' && event.shiftKey)) this.letGo();
  }

  #focused({ target }: FocusEvent): void {
    if (target instanceof Element && target !== this.#scroller && target.matches(':focus-visible'))
      this.letGo();
  }

  #selected(): void {
    const selection = document.getSelection();
    if (selection === null || selection.isCollapsed) return;
    if (this.#scroller.contains(selection.anchorNode)) this.letGo();
  }

  #set(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    this.#mark();
    this.#changed(following);
  }

  #mark(): void {
    this.#scroller.classList.toggle('following', this.#following);
  }
}

/** The button that goes to the end of the conversation. It says how many blocks of text came since the reader left it. */
export class JumpButton {
  readonly element: HTMLButtonElement;
  readonly #words: Words;
  readonly #count = h('span');

  constructor(words: Words, jump: () => void) {
    this.#words = words;
    const { jumpToLatest } = words.strings;
    this.element = h('button', { class: 'jump', type: 'button', 'aria-label': jumpToLatest });
    this.element.append(icon('arrow-down'), this.#count);
    this.element.hidden = true;
    this.element.addEventListener('click', jump);
  }

  /** @param next what gets the focus where the button had it */
  hide(next: HTMLElement): void {
    setHidden(this.element, true, next);
  }

  show(newBlocks: number): void {
    this.element.hidden = false;
    const { strings } = this.#words;
    const count = newBlocks === 0 ? '' : this.#words.count(newBlocks);
    const title = count === '' ? strings.jumpToLatest : fill(strings.jumpToLatestNew, count);
    if (this.element.title === title) return;
    this.element.title = title;
    setText(this.#count, count);
  }
}
