interface Watched {
  readonly element: Element;
  readonly draw: (now: number) => void;
}

/**
 * One clock for all that counts seconds on the page. What is watched is drawn at once and then every second, for as
 * long as its element is part of the page.
 */
export class Ticker {
  readonly #watched = new Map<Element, Watched>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param draw gets the time in epoch milliseconds; takes the place of what was drawn for the element before */
  watch(element: Element, draw: (now: number) => void): void {
    this.#watched.set(element, { element, draw });
    draw(Date.now());
    this.#timer ??= setInterval(() => this.#tick(), 1000);
  }

  #tick(): void {
    const now = Date.now();
    for (const { element, draw } of this.#watched.values()) {
      if (element.isConnected) draw(now);
      else this.#watched.delete(element);
    }
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
