import { h, hasModifier } from '../dom.ts';

/** What decides where the lines of a text break. */
const breaking = [
  'boxSizing',
  'width',
  'padding',
  'border',
  'font',
  'letterSpacing',
  'tabSize',
  'wordBreak',
] as const;

/** What recalling prompts tells of itself. */
interface RecallListener {
  /** Another text is shown. */
  changed(): void;
  /** The oldest one is shown, and its user wants to go on. */
  isUsedUp(): void;
}

/**
 * Brings back prompts that were sent before, with the arrow keys, as a shell does: the last ones of this conversation, then
 * its older ones and those of others, which are asked for each time anew, since some of those may be gone.
 */
export class Recall {
  readonly #input: HTMLTextAreaElement;
  readonly #listener: RecallListener;
  readonly #prompts: string[] = [];
  /** Which prompt is shown; the number of prompts stands for the user's own text. */
  #index = 0;
  #own = '';
  /** How many of the prompts, the first ones, were asked for. */
  #earlier = 0;
  /** What stood in the input when those were asked for. */
  #asked: string | undefined;
  /** The last prompt that came into the conversation. */
  #last = '';
  /** Those that were sent from here and are not in the conversation yet: they may have to wait for their turn. */
  readonly #onTheirWay: string[] = [];

  constructor(input: HTMLTextAreaElement, listener: RecallListener) {
    this.#input = input;
    this.#listener = listener;
  }

  /** Takes note of what came into the conversation since it was last told. @param prompts its last ones, oldest first */
  begin(prompts: readonly string[]): void {
    for (const prompt of prompts.slice(prompts.lastIndexOf(this.#last) + 1)) this.arrived(prompt);
  }

  /** Takes note of a prompt that came into the conversation, from here or from elsewhere; what is shown stays. */
  arrived(prompt: string): void {
    this.#last = prompt;
    const sent = this.#onTheirWay.indexOf(prompt);
    if (sent !== -1) this.#onTheirWay.splice(sent, 1);
    if (sent !== -1 || this.#prompts.at(-1) === prompt) return;
    if (!this.#isRecalling) this.#index++;
    this.#prompts.push(prompt);
  }

  /** The user's own text: what stands in the input, unless that is a prompt that was brought back and left as it was. */
  get own(): string {
    return this.#isUntouched ? this.#own : this.#input.value;
  }

  /** What would be lost with the page: the user's own text, and a prompt that was brought back over it and then changed. */
  get unsent(): readonly string[] {
    return this.#isRecalling && !this.#isUntouched ? [this.#own, this.own] : [this.own];
  }

  /** Takes note of a prompt that was sent. @returns the user's own text, where the prompt was brought back over one */
  sent(prompt: string): string {
    const own = this.#isRecalling ? this.#own : '';
    this.remember(prompt);
    this.#onTheirWay.push(prompt);
    return own;
  }

  /** Goes on to earlier prompts that are not here yet, oldest first, unless its user went elsewhere since they were asked for. */
  addEarlier(prompts: readonly string[]): void {
    const isWanted = this.#index === 0 && this.#input.value === this.#asked;
    this.#asked = undefined;
    const others = prompts.filter((prompt) => !this.#prompts.includes(prompt));
    if (!isWanted || others.length === 0) return;
    this.#prompts.unshift(...others);
    this.#earlier = others.length;
    this.#show(this.#earlier, -1);
  }

  /** Puts a text where ↑ finds it first. */
  remember(prompt: string): void {
    this.#forgetEarlier();
    if (this.#prompts.at(-1) !== prompt) this.#prompts.push(prompt);
    this.#index = this.#prompts.length;
    this.#own = '';
  }

  /**
   * ↑ at the very start of the text goes back, and on the first row of a prompt that was brought back; ↓ at the very end
   * goes forward. Returns whether the key was used.
   */
  keyPressed(event: KeyboardEvent): boolean {
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
    this.#show(this.#index, step);
    if (!this.#isRecalling) this.#forgetEarlier();
    return true;
  }

  /** @param from the place of what is shown now */
  #show(from: number, step: -1 | 1): void {
    this.#index = from;
    // A prompt that was changed is kept as it is now, as a shell does.
    if (this.#isRecalling) this.#prompts[from] = this.#input.value;
    else this.#own = this.#input.value;
    this.#index = from + step;
    const text = this.#prompts[this.#index] ?? this.#own;
    this.#input.value = text;
    this.#input.setSelectionRange(text.length, text.length);
    this.#listener.changed();
  }

  #askEarlier(): void {
    if (this.#earlier > 0) return;
    this.#asked = this.#input.value;
    this.#listener.isUsedUp();
  }

  #forgetEarlier(): void {
    this.#prompts.splice(0, this.#earlier);
    this.#index = Math.max(0, this.#index - this.#earlier);
    this.#earlier = 0;
  }
}

/** Whether the caret stands on the first row of a text box, as its lines are broken in it. */
function isCaretOnFirstRow(input: HTMLTextAreaElement): boolean {
  const before = input.value.slice(0, input.selectionStart);
  if (before.includes('\n')) return false;
  const caret = h('span', {}, '\u200b');
  const copy = h('div', { 'aria-hidden': 'true' }, before, caret);
  const style = getComputedStyle(input);
  for (const name of breaking) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  document.body.append(copy);
  const isFirst = caret.offsetTop < parseFloat(style.paddingTop) + caret.offsetHeight;
  copy.remove();
  return isFirst;
}
