/** Lets one loop wait until something may have changed. A call of {@link wake} before {@link wait} counts. */
export class WakeUp {
  #isDue = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    this.#isDue = true;
    this.#resolve?.();
  }

  async wait(): Promise<void> {
    if (!this.#isDue) await new Promise<void>((resolve) => (this.#resolve = resolve));
    this.#isDue = false;
    this.#resolve = undefined;
  }
}
