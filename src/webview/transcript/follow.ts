/** Nearer than this to the end, in CSS pixels, counts as being there. */
const nearEnd = 24;
/** How long the last of an animated scroll may still come after one asked for the end, in milliseconds. */
const animation = 300;
const upwardKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps the end of the conversation in view while the reader is there, and lets go at the first sign that the reader
 * wants to be elsewhere: wheel, keys, a drag, a selection, the focus moving into the text. Only coming back to the
 * end, or asking for it, takes hold again.
 */
export class Follow {
  readonly #scroller: HTMLElement;
  readonly #changed: (following: boolean) => void;
  #following = true;
  #holdUntil = 0;
  #lastTop = 0;
  #lastHeight = 0;

  constructor(scroller: HTMLElement, changed: (following: boolean) => void) {
    this.#scroller = scroller;
    this.#changed = changed;
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    scroller.addEventListener('wheel', (event) => event.deltaY < 0 && this.letGo(), {
      passive: true,
    });
    scroller.addEventListener('keydown', (event) => this.#keyPressed(event));
    scroller.addEventListener('focusin', (event) => this.#focused(event));
    document.addEventListener('selectionchange', () => this.#selected());
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
    this.#holdUntil = performance.now() + animation;
    this.settle();
  }

  /** After a change of the layout: goes to the end again where the reader was there. */
  settle(): void {
    if (!this.#following) return;
    // A scroll is told only with the next frame: what the reader did since then counts before the end does.
    this.#look();
    if (this.following) this.#goToEnd();
  }

  #goToEnd(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight - clientHeight - scrollTop >= 1) this.#scroller.scrollTop = scrollHeight;
  }

  #scrolled(): void {
    const wentUp = this.#look();
    if (wentUp && this.#following) this.#goToEnd();
  }

  /**
   * A scroll towards the start is the reader's where it goes further than the content shrank, unless the end was just
   * asked for; coming to the end takes hold again. Returns whether it went towards the start.
   */
  #look(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const atEnd = scrollHeight - clientHeight - scrollTop < nearEnd;
    const shrunk = Math.max(0, this.#lastHeight - scrollHeight);
    const wentUp = scrollTop < this.#lastTop - shrunk - 1 && !atEnd;
    if (wentUp && performance.now() >= this.#holdUntil) this.#set(false);
    else if (atEnd && scrollTop > this.#lastTop) this.#set(true);
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
    return wentUp;
  }

  #keyPressed(event: KeyboardEvent): void {
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
    this.#changed(following);
  }
}
