import type { Post } from './connection.ts';
import { runCodeCommand } from './markdown/draw/codeBlock.ts';
import { showCopied, type Page } from './page.ts';

/**
 * Handles what can be clicked inside messages, in one place for all of them: links, which never lead anywhere by
 * themselves but are handed to the host, and the buttons of code blocks and tables.
 */
export function handleClicks(transcript: HTMLElement, page: Page): void {
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest('a');
    if (link !== null) {
      follow(link, event, page);
      return;
    }
    const button = event.target.closest('[data-command]');
    if (!(button instanceof HTMLElement)) return;
    const copied = (): void => showCopied(page, button);
    const table = button.closest<HTMLElement>('.table-block');
    if (table === null) runCodeCommand(button, page.post, copied);
    else {
      copyTable(table, button.dataset['command'] === 'copy-csv', page.post);
      copied();
    }
  };
  transcript.addEventListener('click', onClick);
  transcript.addEventListener('auxclick', onClick);
  const onKey = (event: KeyboardEvent): void => {
    const { target } = event;
    if (
      event.key !== 'Enter' ||
      !(target instanceof HTMLAnchorElement) ||
      target.hasAttribute('href')
    )
      return;
    follow(target, event, page);
  };
  transcript.addEventListener('keydown', onKey);
  transcript.addEventListener('keydown', handleToolbarKey);
}

/** VS Code's own handler at the document would open the link a second time, and unasked. */
function follow(link: HTMLAnchorElement, event: Event, page: Page): void {
  event.preventDefault();
  event.stopPropagation();
  const href = link.dataset['path'] ?? link.getAttribute('href') ?? '';
  if (href !== '') page.post('openLink', { href });
}

/** Copies a table: as it is read, for the host to make CSV of, or as the Markdown that it is of. */
function copyTable(table: HTMLElement, asCsv: boolean, post: Post): void {
  const rows = [...table.querySelectorAll('tr')].map((row) => [...row.cells].map(textOf));
  if (asCsv) post('copyTable', { rows });
  else post('copy', { text: table.dataset['source'] ?? '' });
}

function textOf(node: Node): string {
  if (node instanceof HTMLBRElement) return '\n';
  // The source of a formula stands beside it.
  if (node instanceof MathMLElement) return '';
  return node.hasChildNodes()
    ? [...node.childNodes].map(textOf).join('')
    : (node.textContent ?? '');
}

/**
 * Moves the focus along the buttons of a toolbar with the arrow keys, Home and End. Tab reaches one of them, so that
 * hundreds of blocks of code are not as many times all of their buttons.
 */
function handleToolbarKey(event: KeyboardEvent): void {
  const { target } = event;
  const toolbar = target instanceof Element ? target.closest('[role=toolbar]') : null;
  if (toolbar === null) return;
  const buttons = [...toolbar.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === target);
  const next = buttons.at(nextIndex(event.key, at, buttons.length));
  if (next === undefined || next === target) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

function nextIndex(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowRight':
      return (at + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return at;
  }
}
