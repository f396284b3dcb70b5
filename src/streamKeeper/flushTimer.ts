/** Interval of writes, in ms. It is shorter than the time for which a conversation merges text. */
const WRITE_INTERVAL_MS = 10;
/** Time from a failed write to the next attempt, in ms. */
const RETRY_DELAY_MS = 1_000;

/** A response that has something to write. */
interface Flushable {
  /** Writes it. Returns whether that succeeded. */
  readonly flush: () => boolean;
}

/** Flushes all responses together, at most once in {@link WRITE_INTERVAL_MS}. Repeats a failed flush later. */
export class FlushTimer {
  readonly #pending = new Set<Flushable>();
  readonly #failed = new Set<Flushable>();
  #timer: NodeJS.Timeout | undefined;
  #lastRound = -WRITE_INTERVAL_MS;

  add(response: Flushable): void {
    if (this.#failed.has(response)) return;
    this.#pending.add(response);
    if (this.#timer !== undefined) return;
    const wait = this.#lastRound + WRITE_INTERVAL_MS - performance.now();
    this.#timer = setTimeout(() => this.#flush(), Math.max(wait, 0));
  }

  #flush(): void {
    this.#timer = undefined;
    this.#lastRound = performance.now();
    const round = [...this.#pending];
    this.#pending.clear();
    for (const response of round) if (!response.flush()) this.#retry(response);
  }

  #retry(response: Flushable): void {
    this.#failed.add(response);
    setTimeout(() => {
      this.#failed.delete(response);
      this.add(response);
    }, RETRY_DELAY_MS);
  }
}
