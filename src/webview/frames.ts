/** Something that may draw itself step by step. */
export interface Drawable {
  /**
   * Draws a step, and further ones until `until` on the clock of `performance.now()`; returns whether there is more to draw.
   */
  draw?(until: number): boolean;
}

/**
 * The shortest time between two drawings, in milliseconds: the pace of the editor's own chat. Nobody reads more than
 * twenty pictures of a text a second, and three times as many would take that much more of the CPU for as long as an
 * intern writes. What comes after a pause is drawn at once.
 */
const interval = 48;
/** What drawing may take of a task, in milliseconds, before the rest waits: a step that has begun, and the layout, come on top. */
export const drawBudget = 8;
/** After a step longer than that, drawing pauses for so many times as long: a slow block must not take the whole CPU. */
const restAfterSlowStep = 3;

/** Draws what changed, at most once a frame, and then tells whoever needs the new layout. */
export class Frames {
  readonly #waiting = new Set<Drawable>();
  readonly #drawn: (all: boolean) => void;
  #requested = false;
  /** When drawing may start again, on the clock of the frames. */
  #restUntil = 0;

  /** @param drawn called after each frame that drew something; with `true` where that was all there is to draw */
  constructor(drawn: (all: boolean) => void) {
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
      if (drawable.draw?.(begun + drawBudget) === true) unfinished.push(drawable);
      if (performance.now() - begun >= drawBudget) break;
    }
    this.#drawn(this.#waiting.size === 0 && unfinished.length === 0);
    const took = performance.now() - begun;
    // A frame's length is taken off, because the next drawing waits for a frame as well.
    const rest = took > 2 * drawBudget ? took * restAfterSlowStep : interval - 16;
    this.#restUntil = performance.now() + rest;
    for (const drawable of [...this.#waiting, ...unfinished]) this.request(drawable);
  }
}

/** Draws the whole of something, which may be megabytes, and lets the browser do something else in between. */
export async function drawWhole(drawable: Drawable): Promise<void> {
  while (drawable.draw?.(performance.now() + drawBudget) === true)
    await new Promise((resolve) => setTimeout(resolve));
}
