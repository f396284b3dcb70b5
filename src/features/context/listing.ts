import type { Clock } from '../../base/clock.ts';

/** How long a listing serves, in ms: as long as somebody types a name. */
const servesMs = 10_000;

/** What is there to be completed, read anew where the last listing is too old. */
export class Listing<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #read: () => Promise<readonly T[]>;
  #last: { readonly things: Promise<readonly T[]>; readonly until: number } | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>, read: () => Promise<readonly T[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  get(): Promise<readonly T[]> {
    const now = this.#clock.monotonic();
    if (this.#last === undefined || now >= this.#last.until)
      this.#last = { things: this.#read(), until: now + servesMs };
    return this.#last.things;
  }
}
