/** Brings back prompts that were sent before, with the arrow keys, as a shell does. */
export class Recall {
  readonly #input: HTMLTextAreaElement;
  readonly #changed: () => void;
  #prompts: string[] = [];
  /** Which prompt is shown; the number of prompts stands for the user's own text. */
  #index = 0;
  #own = '';

  constructor(input: HTMLTextAreaElement, changed: () => void) {
    this.#input = input;
    this.#changed = changed;
  }

  /** @param prompts oldest first */
  begin(prompts: readonly string[]): void {
    this.#prompts = [...prompts];
    this.#index = prompts.length;
  }

  /** The user's own text: what stands in the input, unless that is a prompt that was brought back and left as it was. */
  get own(): string {
    return this.#isUntouched ? this.#own : this.#input.value;
  }

  /** Takes note of a prompt that was sent. @returns the user's own text, where the prompt was brought back over one */
  sent(prompt: string): string {
    const own = this.#isRecalling ? this.#own : '';
    this.remember(prompt);
    return own;
  }

  /** Puts a text where ↑ finds it first. */
  remember(prompt: string): void {
    if (this.#prompts.at(-1) !== prompt) this.#prompts.push(prompt);
    this.#index = this.#prompts.length;
    this.#own = '';
  }

  /** ↑ at the very start of the text goes back, ↓ at its very end forward. Returns whether the key was used. */
  keyPressed(event: KeyboardEvent): boolean {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    const { selectionStart, selectionEnd, value } = this.#input;
    if (selectionStart !== selectionEnd) return false;
    if (event.key === 'ArrowUp' && (selectionStart === 0 || this.#isUntouched))
      return this.#go(-1, event);
    if (event.key === 'ArrowDown' && this.#isRecalling && selectionEnd === value.length)
      return this.#go(1, event);
    return false;
  }

  get #isRecalling(): boolean {
    return this.#index < this.#prompts.length;
  }

  get #isUntouched(): boolean {
    return this.#isRecalling && this.#input.value === this.#prompts[this.#index];
  }

  #go(step: -1 | 1, event: KeyboardEvent): boolean {
    const index = this.#index + step;
    if (index < 0 || index > this.#prompts.length) return false;
    // A prompt that was changed is kept as it is now, as a shell does.
    if (this.#isRecalling) this.#prompts[this.#index] = this.#input.value;
    else this.#own = this.#input.value;
    event.preventDefault();
    this.#index = index;
    const text = this.#prompts[index] ?? this.#own;
    this.#input.value = text;
    this.#input.setSelectionRange(text.length, text.length);
    this.#changed();
    return true;
  }
}
