import type { DraftAttachmentView } from '../../protocol/view.ts';
import { h, icon, iconButton, keepFocus } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';

/** What is attached to the prompt being written, as chips with their size; each can be taken off. */
export class Attachments {
  readonly element: HTMLUListElement;
  readonly #page: Page;
  readonly #input: HTMLElement;
  #drawn = '';

  /** @param input gets the focus when the last chip is taken off */
  constructor(page: Page, input: HTMLElement) {
    this.#page = page;
    this.#input = input;
    this.element = h('ul', { class: 'chips', 'aria-label': page.words.strings.attachments });
    this.element.hidden = true;
  }

  set(attachments: readonly DraftAttachmentView[]): void {
    const state = JSON.stringify(attachments);
    if (state === this.#drawn) return;
    this.#drawn = state;
    const chips = attachments.map((attachment) => this.#chip(attachment));
    keepFocus(this.element, () => this.element.replaceChildren(...chips), this.#input);
    this.element.hidden = attachments.length === 0;
  }

  #chip({ id, label, characters }: DraftAttachmentView): HTMLLIElement {
    const { words, post } = this.#page;
    const size = fill(words.strings.characters, words.count(characters));
    return h(
      'li',
      { class: 'chip', title: `${label} · ${size}` },
      icon('file'),
      h('span', { class: 'chip-label', dir: 'auto' }, label),
      h('span', { class: 'chip-size' }, size),
      iconButton('close', fill(words.strings.removeAttachment, label), () =>
        post('removeAttachment', { id }),
      ),
    );
  }
}
