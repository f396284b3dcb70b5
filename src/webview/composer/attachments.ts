import { MAX_LINK_CHARACTERS } from '../../base/links.ts';
import type { DraftAttachmentView } from '../../protocol/view.ts';
import { post } from '../connection.ts';
import { button, drawChanges, h, icon, iconButton, keepFocus, type Drawn } from '../dom.ts';
import type { Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';

/** Maximum number of URIs in one drop; the host refuses more. */
const MAX_URIS = 200;
/** The types of data that list URIs, the preferred one first. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

/**
 * Creates the list of the draft's attachments, as chips that open and remove them.
 *
 * @param input gets the focus when the last chip is removed
 */
export function createAttachments(
  page: Page,
  input: HTMLElement,
): Drawn<readonly DraftAttachmentView[]> {
  const { attachments: label } = page.localizer.strings;
  const element = h('ul', { class: 'chips', 'aria-label': label, hidden: true });
  const draw = drawChanges((attachments: readonly DraftAttachmentView[]) => {
    const chips = attachments.map((attachment) => chip(page, attachment));
    const isAdded = attachments.length > element.childElementCount;
    keepFocus(element, () => element.replaceChildren(...chips), input);
    element.hidden = attachments.length === 0;
    if (isAdded) element.scrollTop = element.scrollHeight;
  });
  return { element, draw };
}

function chip({ localizer }: Page, { id, label, characters }: DraftAttachmentView): HTMLLIElement {
  const { strings } = localizer;
  const size = formatMessage(strings.characters, localizer.count(characters));
  const name = formatMessage(strings.editAttachment, label);
  const look = { class: 'chip-label', dir: 'auto', 'aria-label': name };
  return h(
    'li',
    { class: 'chip', title: `${label} · ${size}` },
    icon('file'),
    button(look, () => post('editAttachment', { id }), label),
    h('span', { class: 'chip-size' }, size),
    iconButton('close', formatMessage(strings.removeAttachment, label), () =>
      post('removeAttachment', { id }),
    ),
  );
}

/**
 * Accepts the URIs of files that are dropped with Shift held. Without Shift, VS Code opens them. The browser itself
 * inserts text that is dropped or pasted.
 *
 * @param handleUnusable called after a drop or paste without text or URIs, such as that of a screenshot
 */
export function acceptFiles(element: HTMLElement, handleUnusable: () => void): void {
  element.addEventListener('paste', ({ clipboardData }) => {
    const { files = [], types = [] } = clipboardData ?? {};
    if (files.length > 0 && !types.includes('text/plain')) handleUnusable();
  });
  element.addEventListener('dragover', (event) => {
    if (isText(event.dataTransfer)) return;
    event.preventDefault();
    element.classList.add('drop-target');
  });
  element.addEventListener('dragleave', () => element.classList.remove('drop-target'));
  element.addEventListener('drop', (event) => {
    if (isText(event.dataTransfer)) return;
    event.preventDefault();
    element.classList.remove('drop-target');
    const uris = readUris(event.dataTransfer);
    if (uris.length > 0) post('dropped', { uris: uris.slice(0, MAX_URIS) });
    else handleUnusable();
  });
}

function isText(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return (
    types.includes('text/plain') && ![...URI_LISTS, 'Files'].some((type) => types.includes(type))
  );
}

function readUris(data: DataTransfer | null): string[] {
  const list = URI_LISTS.map((type) => data?.getData(type) ?? '').find((text) => text !== '');
  return (list ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_LINK_CHARACTERS);
}
