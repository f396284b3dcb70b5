/** Prompts that were posted, until the host is known to have them: one that died just before took them nowhere. */
export class UnconfirmedPrompts {
  #prompts: readonly { readonly text: string; readonly at: number }[] = [];

  /** The prompts as one text, empty where the host has them all. */
  get text(): string {
    return this.#prompts.map(({ text }) => text).join('\n');
  }

  add(text: string): void {
    this.#prompts = [...this.#prompts, { text, at: performance.now() }];
  }

  /** @param at before which the host has what was posted, in milliseconds of the page's clock */
  confirm(at: number): void {
    this.#prompts = this.#prompts.filter((prompt) => prompt.at >= at);
  }
}
