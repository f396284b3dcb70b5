export interface OutputSource {
  write(text: string): void;
  end(): void;
}

/** Prints the output of parallel sources one source after another, in the order in which they were added. */
export class OrderedOutput {
  readonly #print: (text: string) => void;
  readonly #waiting: { kept: string; ended: boolean }[] = [];

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  add(): OutputSource {
    const source = { kept: '', ended: false };
    this.#waiting.push(source);
    return {
      write: (text) => {
        source.kept += text;
        this.#flush();
      },
      end: () => {
        source.ended = true;
        this.#flush();
      },
    };
  }

  #flush(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      this.#print(first.kept);
      first.kept = '';
      if (!first.ended) return;
      this.#waiting.shift();
    }
  }
}
