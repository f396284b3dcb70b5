import type { FoundMessage } from '../protocol/messages.ts';
import { post } from './connection.ts';
import { h, icon, iconButton, setText } from './dom.ts';
import { isOfInputMethod } from './keys.ts';
import type { Page } from './page.ts';
import { findRanges, highlightRanges, startOf, wordsAround } from './textRanges.ts';
import type { TranscriptView } from './transcript/transcriptView.ts';
import { formatMessage } from './localizer.ts';

/** Time from the last key to the request, in ms. */
const QUERY_DELAY_MS = 150;
/** Longest query that the host accepts. */
const MAX_QUERY_CHARACTERS = 1000;

/**
 * Finds text in the whole conversation. The host names the messages with matches. The page draws the current one and
 * counts its matches again, because the drawn text may differ. A message without matches is skipped.
 */
export class FindBar {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #transcript: TranscriptView;
  readonly #onClose: () => void;
  readonly #input: HTMLInputElement;
  readonly #case: HTMLButtonElement;
  #matchCase = false;
  readonly #count = h('span', { class: 'find-count' });
  #found: { readonly message: string; count: number }[] = [];
  /** Index of the message with the current match. */
  #index = 0;
  /** Index of the current match in its message. `Infinity` is the last one. */
  #ordinal = 0;
  #shown: Range | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onClose called when the box is closed without a match, to move the focus */
  constructor(page: Page, transcript: TranscriptView, onClose: () => void) {
    this.#page = page;
    this.#transcript = transcript;
    this.#onClose = onClose;
    const { strings } = page.localizer;
    this.#input = h('input', {
      type: 'text',
      dir: 'auto',
      spellcheck: 'false',
      'aria-label': strings.find,
      placeholder: strings.find,
    });
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
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), QUERY_DELAY_MS);
    });
    this.#input.addEventListener('keydown', (event) => {
      if (isOfInputMethod(event) || event.key !== 'Enter') return;
      event.preventDefault();
      this.#go(event.shiftKey ? -1 : 1);
    });
  }

  /** The part of the query that the host accepts. */
  get #query(): string {
    return this.#input.value.slice(0, MAX_QUERY_CHARACTERS);
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

  /** @returns whether it was open */
  close(): boolean {
    if (this.element.hidden) return false;
    this.element.hidden = true;
    highlightRanges();
    if (this.#shown?.startContainer.isConnected === true) this.#select(this.#shown);
    else this.#onClose();
    return true;
  }

  /** Goes to a message, and selects the first match of `query` in it, if there is one. */
  async reveal(message: string, query: string): Promise<void> {
    await this.#transcript.reveal(message);
    const { focused } = this.#transcript;
    const found = focused && findRanges(focused, query, false, 0).current;
    if (found !== undefined) this.#select(found);
  }

  /** Selects a match and focuses its message. */
  #select(match: Range): void {
    startOf(match)?.closest<HTMLElement>('.message')?.focus({ preventScroll: true });
    this.#scrollTo(match);
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(match);
  }

  /** Takes the response of the host, unless the query has changed. */
  show(query: string, found: readonly FoundMessage[]): void {
    if (this.element.hidden || query !== this.#query) return;
    this.#found = found.map((message) => ({ ...message }));
    // A conversation is read from its end.
    this.#index = found.length - 1;
    this.#ordinal = Infinity;
    void this.#reveal(-1);
  }

  #toggleCase(): void {
    this.#matchCase = !this.#matchCase;
    this.#case.setAttribute('aria-pressed', String(this.#matchCase));
    this.#ask();
  }

  #ask(): void {
    this.#shown = undefined;
    const query = this.#query;
    if (query !== '') {
      post('find', { query, matchCase: this.#matchCase });
      return;
    }
    this.#found = [];
    setText(this.#count, '');
    highlightRanges();
  }

  #go(step: -1 | 1): void {
    const here = this.#found[this.#index];
    if (here === undefined) return;
    this.#ordinal = Math.min(this.#ordinal, here.count - 1) + step;
    if (this.#ordinal < 0 || this.#ordinal >= here.count) this.#toMessage(this.#index + step, step);
    void this.#reveal(step);
  }

  /** Wraps around at both ends. */
  #toMessage(index: number, step: -1 | 1): void {
    const { length } = this.#found;
    this.#index = length === 0 ? 0 : (index + length) % length;
    this.#ordinal = step === 1 ? 0 : Infinity;
  }

  /** @param step the direction in which messages without matches are skipped */
  async #reveal(step: -1 | 1): Promise<void> {
    for (let here = this.#found[this.#index]; here !== undefined; here = this.#found[this.#index]) {
      const element = await this.#transcript.unfold(here.message);
      if (here !== this.#found[this.#index]) return;
      if (element !== undefined && this.#mark(here, element)) return;
      this.#found.splice(this.#index, 1);
      this.#toMessage(step === 1 ? this.#index : this.#index - 1, step);
    }
    const { findNone } = this.#page.localizer.strings;
    setText(this.#count, findNone);
    this.#page.announcer.say(findNone);
    highlightRanges();
  }

  /** Marks the matches in a message and shows the current one. Returns whether there is one. */
  #mark(here: { count: number }, element: HTMLElement): boolean {
    const ranges = findRanges(element, this.#input.value, this.#matchCase, this.#ordinal);
    const { current } = ranges;
    if (current === undefined) return false;
    here.count = ranges.count;
    this.#ordinal = ranges.at;
    this.#shown = current;
    this.#showCount(current);
    highlightRanges(ranges.others, current);
    this.#transcript.stopFollowing();
    this.#scrollTo(current);
    return true;
  }

  /** Scrolls a match to the middle of the viewport. Its element may be taller than that, or wider than its block. */
  #scrollTo(match: Range): void {
    const element = startOf(match);
    element?.scrollIntoView({ block: 'center' });
    const block = element?.closest('pre, .table');
    if (block) {
      block.scrollLeft = 0;
      const hidden = match.getBoundingClientRect().right - block.getBoundingClientRect().right;
      if (hidden > 0) block.scrollLeft = hidden + block.clientWidth / 2;
    }
    const { scroller } = this.#transcript;
    const { top, height } = scroller.getBoundingClientRect();
    const box = match.getBoundingClientRect();
    if (box.height > 0) scroller.scrollTop += box.top - top - height / 2;
  }

  /** Shows the number of the match, and announces it with the words around the match. */
  #showCount(match: Range): void {
    const { localizer, announcer } = this.#page;
    const sum = (counts: readonly { count: number }[]): number =>
      counts.reduce((total, { count }) => total + count, 0);
    const at = sum(this.#found.slice(0, this.#index)) + this.#ordinal + 1;
    const of = sum(this.#found);
    const count = formatMessage(
      localizer.strings.findCount,
      localizer.count(at),
      localizer.count(of),
    );
    setText(this.#count, count);
    announcer.say(`${count}: ${wordsAround(match)}`);
  }
}
