import { post } from '../connection.ts';
import { h, hasModifier } from '../dom.ts';

/**
 * Recalls sent prompts with the arrow keys, as a shell does: first the last ones of this conversation, then earlier ones of
 * all conversations. The earlier ones are requested each time, because some may be deleted.
 */
export class PromptRecall {
  readonly #input: HTMLTextAreaElement;
  readonly #onChange: () => void;
  readonly #prompts: string[] = [];
  /** The index of the shown prompt. It equals the number of prompts while the user's own text is shown. */
  #index = 0;
  #own = '';
  /** The number of requested prompts, which come first. */
  #earlier = 0;
  /** The text of the input when prompts were requested. */
  #asked: string | undefined;
  /** The last prompt of the conversation. */
  #last = '';
  /** Prompts that were sent here and are not in the conversation yet. */
  readonly #inFlight: string[] = [];

  /** @param onChange called after another text was shown */
  constructor(input: HTMLTextAreaElement, onChange: () => void) {
    this.#input = input;
    this.#onChange = onChange;
  }

  /** @param prompts the last ones of the conversation, oldest first */
  begin(prompts: readonly string[]): void {
    for (const prompt of prompts.slice(prompts.lastIndexOf(this.#last) + 1)) this.add(prompt);
  }

  /** Adds a prompt of the conversation, sent here or elsewhere. The shown text stays. */
  add(prompt: string): void {
    this.#last = prompt;
    const sent = this.#inFlight.indexOf(prompt);
    if (sent !== -1) this.#inFlight.splice(sent, 1);
    if (sent !== -1 || this.#prompts.at(-1) === prompt) return;
    if (!this.#isRecalling) this.#index++;
    this.#prompts.push(prompt);
  }

  /** The user's own text: that of the input, unless it shows an unchanged prompt. */
  get own(): string {
    return this.#isUntouched ? this.#own : this.#input.value;
  }

  /** The texts that would be lost with the page: the user's own, and a recalled prompt that was changed. */
  get unsent(): readonly string[] {
    return this.#isRecalling && !this.#isUntouched ? [this.#own, this.own] : [this.own];
  }

  /** Adds a sent prompt. Returns the user's own text if that prompt was a recalled one. */
  addSent(prompt: string): string {
    const own = this.#isRecalling ? this.#own : '';
    this.remember(prompt);
    this.#inFlight.push(prompt);
    return own;
  }

  /** Goes back to the requested prompts, oldest first, unless the user has moved on. */
  addEarlier(prompts: readonly string[]): void {
    const isWanted = this.#index === 0 && this.#input.value === this.#asked;
    this.#asked = undefined;
    const others = prompts.filter((prompt) => !this.#prompts.includes(prompt));
    if (!isWanted || others.length === 0) return;
    this.#prompts.unshift(...others);
    this.#earlier = others.length;
    this.#index = others.length;
    this.#show(-1);
  }

  /** Adds a text as the first one that ↑ recalls. */
  remember(prompt: string): void {
    this.#forgetEarlier();
    if (this.#prompts.at(-1) !== prompt) this.#prompts.push(prompt);
    this.#index = this.#prompts.length;
    this.#own = '';
  }

  /**
   * Goes back on ↑ at the start of the text or on the first row of a recalled prompt, and forward on ↓ at the end. Returns
   * whether the key was used.
   */
  handleKey(event: KeyboardEvent): boolean {
    if (hasModifier(event)) return false;
    const { selectionStart, selectionEnd, value } = this.#input;
    if (selectionStart !== selectionEnd) return false;
    if (event.key === 'ArrowUp') {
      const isAtTop = selectionStart === 0 || (this.#isUntouched && isCaretOnFirstRow(this.#input));
      return isAtTop && this.#go(-1, event);
    }
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
    if (index < 0) this.#askEarlier();
    if (index < 0 || index > this.#prompts.length) return false;
    event.preventDefault();
    this.#show(step);
    if (!this.#isRecalling) this.#forgetEarlier();
    return true;
  }

  #show(step: -1 | 1): void {
    // A changed prompt stays changed, as in a shell.
    if (this.#isRecalling) this.#prompts[this.#index] = this.#input.value;
    else this.#own = this.#input.value;
    this.#index += step;
    const text = this.#prompts[this.#index] ?? this.#own;
    this.#input.value = text;
    this.#input.setSelectionRange(text.length, text.length);
    this.#onChange();
  }

  #askEarlier(): void {
    if (this.#earlier > 0) return;
    this.#asked = this.#input.value;
    post('recall', {});
  }

  #forgetEarlier(): void {
    this.#prompts.splice(0, this.#earlier);
    this.#index = Math.max(0, this.#index - this.#earlier);
    this.#earlier = 0;
  }
}

/** Returns whether the caret is on the first row, by the height of a copy with the text before it. */
function isCaretOnFirstRow(input: HTMLTextAreaElement): boolean {
  const before = input.value.slice(0, input.selectionStart);
  // The layout of a copy with a megabyte of lines would take too long.
  if (before.includes('\n')) return false;
  const copy = h('textarea', { 'aria-hidden': 'true', dir: 'auto', rows: 1 });
  copy.style.cssText = `position: absolute; visibility: hidden; width: ${input.offsetWidth}px`;
  input.after(copy);
  const rowHeight = copy.scrollHeight;
  copy.value = before;
  const isFirst = copy.scrollHeight === rowHeight;
  copy.remove();
  return isFirst;
}
