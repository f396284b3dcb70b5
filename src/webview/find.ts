import type { FoundMatch } from '../protocol/messages.ts';
import { h, icon, iconButton, setText } from './dom.ts';
import type { Page } from './page.ts';
import { findRanges, highlightRanges, type FoundRanges } from './textRanges.ts';
import type { Transcript } from './transcript/transcript.ts';
import { fill } from './words.ts';

/** How long after the last key the host is asked, in milliseconds. */
const delay = 150;

const nothing: FoundRanges = { others: [], current: undefined };

/**
 * Finds text in the whole conversation. The host looks through everything it has; the page draws the message of a
 * match where it is not drawn yet, marks the matches in it, and scrolls to the one that was asked for.
 */
export class Find {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #transcript: Transcript;
  readonly #closed: () => void;
  readonly #input: HTMLInputElement;
  readonly #case: HTMLButtonElement;
  readonly #count = h('span', { class: 'find-count', role: 'status' });
  #matches: readonly FoundMatch[] = [];
  #current = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param closed called when the box was closed: the focus goes elsewhere then */
  constructor(page: Page, transcript: Transcript, closed: () => void) {
    this.#page = page;
    this.#transcript = transcript;
    this.#closed = closed;
    const { strings } = page.words;
    this.#input = h('input', {
      type: 'text',
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
    this.#closed();
    return true;
  }

  /** Takes the host's answer, unless something else is looked for by now. */
  show(query: string, matches: readonly FoundMatch[]): void {
    if (this.element.hidden || query !== this.#input.value) return;
    this.#matches = matches;
    // The nearest to what is read is the last: a conversation is read from its end.
    this.#current = matches.length - 1;
    void this.#reveal();
  }

  #keyPressed(event: KeyboardEvent): void {
    if (event.isComposing || event.key !== 'Enter') return;
    event.preventDefault();
    this.#go(event.shiftKey ? -1 : 1);
  }

  #toggleCase(): void {
    const on = this.#case.getAttribute('aria-pressed') === 'true';
    this.#case.setAttribute('aria-pressed', String(!on));
    this.#ask();
  }

  get #matchCase(): boolean {
    return this.#case.getAttribute('aria-pressed') === 'true';
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), delay);
  }

  #ask(): void {
    const query = this.#input.value.slice(0, 1000);
    if (query !== '') {
      this.#page.post('find', { query, matchCase: this.#matchCase });
      return;
    }
    this.#matches = [];
    setText(this.#count, '');
    highlightRanges(nothing);
  }

  #go(step: -1 | 1): void {
    const { length } = this.#matches;
    if (length === 0) return;
    this.#current = (this.#current + step + length) % length;
    void this.#reveal();
  }

  async #reveal(): Promise<void> {
    const { words } = this.#page;
    const match = this.#matches[this.#current];
    if (match === undefined) {
      setText(this.#count, words.strings.findNone);
      highlightRanges(nothing);
      return;
    }
    const [at, of] = [this.#current + 1, this.#matches.length].map((number) => words.count(number));
    setText(this.#count, fill(words.strings.findCount, at ?? '', of ?? ''));
    const element = await this.#transcript.unfold(match.message);
    if (element === undefined || match !== this.#matches[this.#current]) return;
    const found = findRanges(element, this.#input.value, this.#matchCase, match.ordinal);
    highlightRanges(found);
    this.#transcript.letGo();
    (found.current?.startContainer.parentElement ?? element).scrollIntoView({ block: 'center' });
  }
}
