/** Texts that were posted, until the host is known to have them: one that died just before took them nowhere. */
export class UnconfirmedTexts {
  #posted: readonly { readonly text: string; readonly at: number }[] = [];

  /** All of them as one text, empty where the host has them. */
  get text(): string {
    return this.#posted.map(({ text }) => text).join('\n');
  }

  add(text: string): void {
    this.#posted = [...this.#posted, { text, at: performance.now() }];
  }

  /** @param at before which the host has what was posted, in milliseconds of the page's clock */
  confirm(at: number): void {
    this.#posted = this.#posted.filter((posted) => posted.at >= at);
  }
}
