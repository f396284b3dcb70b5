import type { DraftAttachmentView } from '../../protocol/view.ts';
import { h, icon, iconButton, keepFocus } from '../dom.ts';
import type { Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';

/** Maximum number of URIs in one drop; the host refuses more. */
const MAX_URIS = 200;

/** The attachments of the draft, as chips that open and remove them. */
export class Attachments {
  readonly element: HTMLUListElement;
  readonly #page: Page;
  readonly #input: HTMLElement;
  #drawn = '';

  /** @param input gets the focus when the last chip is removed */
  constructor(page: Page, input: HTMLElement) {
    this.#page = page;
    this.#input = input;
    this.element = h('ul', { class: 'chips', 'aria-label': page.localizer.strings.attachments });
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
    const { localizer, post } = this.#page;
    const size = formatMessage(localizer.strings.characters, localizer.count(characters));
    const name = formatMessage(localizer.strings.editAttachment, label);
    const edit = h(
      'button',
      { class: 'chip-label', type: 'button', dir: 'auto', 'aria-label': name },
      label,
    );
    edit.addEventListener('click', () => post('editAttachment', { id }));
    return h(
      'li',
      { class: 'chip', title: `${label} · ${size}` },
      icon('file'),
      edit,
      h('span', { class: 'chip-size' }, size),
      iconButton('close', formatMessage(localizer.strings.removeAttachment, label), () =>
        post('removeAttachment', { id }),
      ),
    );
  }
}

/** Accepts the URIs of files that are dropped with Shift held. Without Shift, VS Code opens them. */
export function acceptDrops(element: HTMLElement, page: Page): void {
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    element.classList.add('drop-target');
  });
  element.addEventListener('dragleave', () => element.classList.remove('drop-target'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    element.classList.remove('drop-target');
    const uris = readUris(event.dataTransfer);
    if (uris.length > 0) page.post('dropped', { uris: uris.slice(0, MAX_URIS) });
  });
}

function readUris(data: DataTransfer | null): string[] {
  const lists = ['application/vnd.code.uri-list', 'text/uri-list'];
  const list = lists.map((type) => data?.getData(type) ?? '').find((text) => text !== '');
  return (list ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= 8192);
}
