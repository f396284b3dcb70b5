export interface Drawable {
  /** Draws one step or more until `performance.now()` reaches `until`. Returns whether there is more to draw. */
  draw?(until: number): boolean;
}

/** Shortest time between two drawings of a message, in ms, as in VS Code's chat. Each frame would cost three times the CPU. */
const FRAME_INTERVAL_MS = 48;
/** Drawing time of one task, in ms, without its last step and the layout. */
export const DRAW_BUDGET_MS = 8;
/** Pause after a slow step, as a multiple of its time. */
const REST_FACTOR = 3;
/** Longest pause, in ms. A step also looks slow if the computer was busy or asleep. */
const MAX_REST_MS = 1_000;

/** Draws what changed, at most once a frame. */
export class FrameScheduler {
  readonly #waiting = new Set<Drawable>();
  /** Messages that waited for the last frame. Only they pause after it, so a reply that begins then is shown at once. */
  #resting = new WeakSet<Drawable>();
  readonly #onDrawn: (all: boolean) => void;
  #requested = false;
  /** When drawing may start again, by `performance.now()`. */
  #restUntil = 0;

  /** @param onDrawn called after each drawing frame, with `true` if everything is drawn */
  constructor(onDrawn: (all: boolean) => void) {
    this.#onDrawn = onDrawn;
  }

  request(drawable: Drawable): void {
    this.#waiting.add(drawable);
    if (this.#requested) return;
    this.#requested = true;
    const rest = this.#resting.has(drawable) ? this.#restUntil - performance.now() : 0;
    const draw = (): unknown => requestAnimationFrame(() => this.#frame());
    if (rest > 0) setTimeout(draw, rest);
    else draw();
  }

  /** Forgets what is not drawn yet. */
  clear(): void {
    this.#waiting.clear();
  }

  #frame(): void {
    this.#requested = false;
    this.#resting = new WeakSet(this.#waiting);
    const begun = performance.now();
    const unfinished: Drawable[] = [];
    for (const drawable of this.#waiting) {
      this.#waiting.delete(drawable);
      if (drawable.draw?.(begun + DRAW_BUDGET_MS) === true) unfinished.push(drawable);
      if (performance.now() - begun >= DRAW_BUDGET_MS) break;
    }
    this.#onDrawn(this.#waiting.size === 0 && unfinished.length === 0);
    const took = performance.now() - begun;
    // The next drawing also waits for a frame, of 16 ms.
    const rest = took > 2 * DRAW_BUDGET_MS ? took * REST_FACTOR : FRAME_INTERVAL_MS - 16;
    this.#restUntil = performance.now() + Math.min(rest, MAX_REST_MS);
    for (const drawable of [...this.#waiting, ...unfinished]) this.request(drawable);
  }
}

/** Draws something completely, which may be megabytes, with pauses for the browser. */
export async function drawWhole(drawable: Drawable): Promise<void> {
  while (drawable.draw?.(performance.now() + DRAW_BUDGET_MS) === true)
    await new Promise((resolve) => setTimeout(resolve));
}
