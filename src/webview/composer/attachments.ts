import type { AttachmentView } from '../../protocol/view.ts';
import { h, icon, iconButton } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';

/** What is attached to the prompt being written, as chips with their size; each can be taken off. */
export class Attachments {
  readonly element: HTMLUListElement;
  readonly #page: Page;
  #drawn = '';

  constructor(page: Page) {
    this.#page = page;
    this.element = h('ul', { class: 'chips', 'aria-label': page.words.strings.attachments });
    this.element.hidden = true;
  }

  set(attachments: readonly AttachmentView[]): void {
    const state = JSON.stringify(attachments);
    if (state === this.#drawn) return;
    this.#drawn = state;
    this.element.hidden = attachments.length === 0;
    this.element.replaceChildren(...attachments.map((attachment) => this.#chip(attachment)));
  }

  #chip({ id, label, size }: AttachmentView): HTMLLIElement {
    const { words, post } = this.#page;
    const characters = fill(words.strings.characters, words.count(size));
    return h(
      'li',
      { class: 'chip', title: `${label} · ${characters}` },
      icon('file'),
      h('span', { class: 'chip-label' }, label),
      h('span', { class: 'chip-size' }, characters),
      iconButton('close', fill(words.strings.removeAttachment, label), () =>
        post('removeAttachment', { id }),
      ),
    );
  }
}
