import type { Page } from '../page.ts';

/** The most that one drop may attach; the host refuses more. */
const mostUris = 200;

/**
 * Takes files dropped with Shift held: without it VS Code opens them instead of handing them to the page. What comes
 * is a list of addresses, never the files themselves.
 */
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
    if (uris.length > 0) page.post('dropped', { uris: uris.slice(0, mostUris) });
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
