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
    const recalling = this.#index < this.#prompts.length;
    const untouched = recalling && value === this.#prompts[this.#index];
    if (event.key === 'ArrowUp' && (selectionStart === 0 || untouched)) return this.#go(-1, event);
    if (event.key === 'ArrowDown' && recalling && selectionEnd === value.length)
      return this.#go(1, event);
    return false;
  }

  #go(step: -1 | 1, event: KeyboardEvent): boolean {
    const index = this.#index + step;
    if (index < 0 || index > this.#prompts.length) return false;
    if (this.#index === this.#prompts.length) this.#own = this.#input.value;
    event.preventDefault();
    this.#index = index;
    const text = this.#prompts[index] ?? this.#own;
    this.#input.value = text;
    this.#input.setSelectionRange(text.length, text.length);
    this.#changed();
    return true;
  }
}
