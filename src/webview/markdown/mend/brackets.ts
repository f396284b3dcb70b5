const closers: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['(', ')'],
]);

/**
 * Which bracket closes which, as far as backslashes let them. A kind is matched once, in one pass: to look for the end
 * of each bracket by itself would let a text full of them freeze the page.
 */
export class Brackets {
  readonly #text: string;
  readonly #start: number;
  readonly #closings = new Map<string, ReadonlyMap<number, number>>();

  /** @param start where the text begins that is looked at */
  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
  }

  /** Where the bracket that opens at `at`, `[` or `(`, closes; undefined where it does not. */
  closing(at: number): number | undefined {
    const open = this.#text.charAt(at);
    let closings = this.#closings.get(open);
    if (closings === undefined) {
      closings = this.#match(open);
      this.#closings.set(open, closings);
    }
    return closings.get(at);
  }

  #match(open: string): ReadonlyMap<number, number> {
    const shut = closers.get(open);
    const closings = new Map<number, number>();
    const pending: number[] = [];
    for (let at = this.#start; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === '\\') at++;
      else if (character === open) pending.push(at);
      else if (character === shut) {
        const opened = pending.pop();
        if (opened !== undefined) closings.set(opened, at);
      }
    }
    return closings;
  }
}
