/** How many things stay on offer, the latest: some answers with all of their items. */
const maxOffered = 500;

/** Things that a page was told of by ids of ours, so that it can ask for no other one. */
export class Offers<T> {
  readonly #offered = new Map<string, T>();
  #lastId = 0;

  /** @returns its id */
  add(thing: T): string {
    const id = String(++this.#lastId);
    this.#offered.set(id, thing);
    for (const oldest of this.#offered.keys()) {
      if (this.#offered.size <= maxOffered) break;
      this.#offered.delete(oldest);
    }
    return id;
  }

  /** Undefined for what was not offered lately. */
  get(id: string): T | undefined {
    return this.#offered.get(id);
  }
}
