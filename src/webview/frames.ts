/** Something that draws itself step by step. */
export interface Drawable {
  /** Draws a step; returns whether there is more to draw. */
  draw(): boolean;
}

/** What drawing may take of a frame, in milliseconds, before the rest waits for the next one. */
const frameBudget = 8;
/** After a step longer than that, drawing pauses for so many times as long: a slow block must not take the whole CPU. */
const restAfterSlowStep = 3;

/** Draws what changed once a frame, and then tells whoever needs the new layout. */
export class Frames {
  readonly #waiting = new Set<Drawable>();
  readonly #drawn: () => void;
  #requested = false;
  #restUntil = 0;

  /** @param drawn called after each frame that drew something */
  constructor(drawn: () => void) {
    this.#drawn = drawn;
  }

  /** Asks for `drawable` to be drawn in the next frame. */
  request(drawable: Drawable): void {
    this.#waiting.add(drawable);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame((start) => this.#frame(start));
  }

  #frame(start: number): void {
    this.#requested = false;
    const begun = performance.now();
    if (start < this.#restUntil) {
      this.#schedule();
      return;
    }
    for (const drawable of this.#waiting) {
      this.#waiting.delete(drawable);
      if (drawable.draw()) this.#waiting.add(drawable);
      if (performance.now() - begun > frameBudget) break;
    }
    this.#drawn();
    const took = performance.now() - begun;
    if (took > 2 * frameBudget) this.#restUntil = performance.now() + took * restAfterSlowStep;
    if (this.#waiting.size > 0) this.#schedule();
  }
}
