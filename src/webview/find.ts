import type { FoundMessage } from '../protocol/messages.ts';
import { h, icon, iconButton, setText } from './dom.ts';
import type { Page } from './page.ts';
import { findRanges, highlightRanges, startOf } from './textRanges.ts';
import type { TranscriptView } from './transcript/transcriptView.ts';
import { fill } from './words.ts';

/** How long after the last key the host is asked, in milliseconds. */
const delay = 150;

const nothing = { others: [], current: undefined };

/**
 * Finds text in the whole conversation. The host says in which messages; the page draws the one that was asked for, where
 * it is not drawn yet, and marks the matches in it. What is drawn has the last word: how many matches a message has is
 * counted again there, and one that has none is passed over.
 */
export class Find {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #transcript: TranscriptView;
  readonly #closed: () => void;
  readonly #input: HTMLInputElement;
  readonly #case: HTMLButtonElement;
  #matchCase = false;
  readonly #count = h('span', { class: 'find-count', role: 'status' });
  #found: { readonly message: string; count: number }[] = [];
  /** The message of the current match, and the match among those in it; `Infinity` is the last one. */
  #index = 0;
  #ordinal = 0;
  /** The current match, once it is drawn. */
  #shown: Range | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param closed called when the box was closed with no match: the focus goes elsewhere then */
  constructor(page: Page, transcript: TranscriptView, closed: () => void) {
    this.#page = page;
    this.#transcript = transcript;
    this.#closed = closed;
    const { strings } = page.words;
    this.#input = h('input', {
      type: 'text',
      dir: 'auto',
      'aria-label': strings.find,
      placeholder: strings.find,
    });
    this.#input.spellcheck = false;
    this.#case = iconButton('case-sensitive', strings.findCase, () => this.#toggleCase());
    this.#case.setAttribute('aria-pressed', 'false');
    this.element = h(
      'div',
      { class: 'find', role: 'search' },
      icon('search'),
      this.#input,
      this.#case,
      this.#count,
      iconButton('arrow-up', strings.findPrevious, () => this.#go(-1)),
      iconButton('arrow-down', strings.findNext, () => this.#go(1)),
      iconButton('close', strings.findClose, () => this.close()),
    );
    this.element.hidden = true;
    this.#input.addEventListener('input', () => this.#askSoon());
    this.#input.addEventListener('keydown', (event) => this.#keyPressed(event));
  }

  get hasFocus(): boolean {
    return document.activeElement === this.#input;
  }

  open(): void {
    this.element.hidden = false;
    const selected = document.getSelection()?.toString() ?? '';
    if (selected !== '' && !selected.includes('\n')) this.#input.value = selected;
    this.#input.focus();
    this.#input.select();
    this.#ask();
  }

  /** Returns whether it was open. */
  close(): boolean {
    if (this.element.hidden) return false;
    this.element.hidden = true;
    highlightRanges(nothing);
    if (this.#shown?.startContainer.isConnected === true) this.#select(this.#shown);
    else this.#closed();
    return true;
  }

  /** Goes to a message, and selects words in it where they are found. */
  async reveal(message: string, words: string): Promise<void> {
    await this.#transcript.reveal(message);
    const { focused } = this.#transcript;
    const found = focused && findRanges(focused, words, false, 0).current;
    if (found !== undefined) this.#select(found);
  }

  /** Leaves the reader at a match: the focus on its message, and the match selected. */
  #select(match: Range): void {
    const element = startOf(match);
    element?.closest<HTMLElement>('.message')?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'center' });
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(match);
  }

  /** Takes the host's answer, unless something else is looked for by now. */
  show(query: string, found: readonly FoundMessage[]): void {
    if (this.element.hidden || query !== this.#input.value) return;
    this.#found = found.map((message) => ({ ...message }));
    // The nearest to what is read is the last: a conversation is read from its end.
    this.#index = found.length - 1;
    this.#ordinal = Infinity;
    void this.#reveal(-1);
  }

  #keyPressed(event: KeyboardEvent): void {
    if (event.isComposing || event.key !== 'Enter') return;
    event.preventDefault();
    this.#go(event.shiftKey ? -1 : 1);
  }

  #toggleCase(): void {
    this.#matchCase = !this.#matchCase;
    this.#case.setAttribute('aria-pressed', String(this.#matchCase));
    this.#ask();
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), delay);
  }

  #ask(): void {
    this.#shown = undefined;
    const query = this.#input.value.slice(0, 1000);
    if (query !== '') {
      this.#page.post('find', { query, matchCase: this.#matchCase });
      return;
    }
    this.#found = [];
    setText(this.#count, '');
    highlightRanges(nothing);
  }

  #go(step: -1 | 1): void {
    const here = this.#found[this.#index];
    if (here === undefined) return;
    this.#ordinal = Math.min(this.#ordinal, here.count - 1) + step;
    if (this.#ordinal < 0 || this.#ordinal >= here.count) this.#toMessage(this.#index + step, step);
    void this.#reveal(step);
  }

  /** Goes round at either end. */
  #toMessage(index: number, step: -1 | 1): void {
    const { length } = this.#found;
    this.#index = length === 0 ? 0 : (index + length) % length;
    this.#ordinal = step === 1 ? 0 : Infinity;
  }

  /** @param step where to go on from a message in which nothing is found after all */
  async #reveal(step: -1 | 1): Promise<void> {
    for (let here = this.#found[this.#index]; here !== undefined; here = this.#found[this.#index]) {
      const element = await this.#transcript.unfold(here.message);
      if (here !== this.#found[this.#index]) return;
      if (element !== undefined && this.#mark(here, element)) return;
      this.#found.splice(this.#index, 1);
      this.#toMessage(step === 1 ? this.#index : this.#index - 1, step);
    }
    setText(this.#count, this.#page.words.strings.findNone);
    highlightRanges(nothing);
  }

  /** Marks the matches in a message and shows the current one; returns whether there is one. */
  #mark(here: { count: number }, element: HTMLElement): boolean {
    const ranges = findRanges(element, this.#input.value, this.#matchCase, this.#ordinal);
    const { current } = ranges;
    if (current === undefined) return false;
    here.count = ranges.count;
    this.#ordinal = ranges.at;
    this.#shown = current;
    this.#showCount();
    highlightRanges(ranges);
    this.#transcript.letGo();
    (startOf(current) ?? element).scrollIntoView({ block: 'center' });
    return true;
  }

  #showCount(): void {
    const { words } = this.#page;
    const sum = (counts: readonly { count: number }[]): number =>
      counts.reduce((total, { count }) => total + count, 0);
    const at = sum(this.#found.slice(0, this.#index)) + this.#ordinal + 1;
    const of = sum(this.#found);
    setText(this.#count, fill(words.strings.findCount, words.count(at), words.count(of)));
  }
}
