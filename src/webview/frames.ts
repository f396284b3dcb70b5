/** Something that draws itself step by step. */
export interface Drawable {
  /** Draws a step; returns whether there is more to draw. */
  draw(): boolean;
}

/**
 * The shortest time between two drawings, in milliseconds: the pace of the editor's own chat. Nobody reads more than
 * twenty pictures of a text a second, and three times as many would take that much more of the CPU for as long as an
 * intern writes. What comes after a pause is drawn at once.
 */
const interval = 48;
/** What drawing may take of a frame, in milliseconds, before the rest waits for the next one. */
const frameBudget = 8;
/** After a step longer than that, drawing pauses for so many times as long: a slow block must not take the whole CPU. */
const restAfterSlowStep = 3;

/** Draws what changed, at most once a frame, and then tells whoever needs the new layout. */
export class Frames {
  readonly #waiting = new Set<Drawable>();
  readonly #drawn: () => void;
  #requested = false;
  /** When drawing may start again, on the clock of the frames. */
  #restUntil = 0;

  /** @param drawn called after each frame that drew something */
  constructor(drawn: () => void) {
    this.#drawn = drawn;
  }

  /** Asks for `drawable` to be drawn soon. */
  request(drawable: Drawable): void {
    this.#waiting.add(drawable);
    if (this.#requested) return;
    this.#requested = true;
    const rest = this.#restUntil - performance.now();
    if (rest > 0) setTimeout(() => this.#requestFrame(), rest);
    else this.#requestFrame();
  }

  #requestFrame(): void {
    requestAnimationFrame(() => this.#frame());
  }

  #frame(): void {
    this.#requested = false;
    const begun = performance.now();
    const unfinished: Drawable[] = [];
    for (const drawable of this.#waiting) {
      this.#waiting.delete(drawable);
      if (drawable.draw()) unfinished.push(drawable);
      if (performance.now() - begun > frameBudget) break;
    }
    this.#drawn();
    const took = performance.now() - begun;
    // A frame's length is taken off, because the next drawing waits for a frame as well.
    const rest = took > 2 * frameBudget ? took * restAfterSlowStep : interval - 16;
    this.#restUntil = performance.now() + rest;
    for (const drawable of [...this.#waiting, ...unfinished]) this.request(drawable);
  }
}
