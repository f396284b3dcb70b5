import { post } from './connection.ts';
import { runCodeCommand } from './markdown/draw/codeBlock.ts';
import { showCopied, type Page } from './page.ts';

/** Handles clicks inside messages: on the buttons of code blocks and tables, and on links, which the host opens. */
export function handleClicks(transcript: HTMLElement, page: Page): void {
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || !transcript.contains(event.target)) return;
    // The right button opens the context menu. Others go back and forward.
    if (event.button > 1) return;
    const link = event.target.closest<HTMLAnchorElement>('a:is([href], [data-path])');
    if (link !== null) {
      openLink(link, event);
      return;
    }
    const button = event.target.closest('[data-command]');
    if (!(button instanceof HTMLElement) || event.button !== 0) return;
    const copied = (): void => showCopied(page, button);
    const table = button.closest<HTMLElement>('.table-block');
    if (table === null) runCodeCommand(button, post, copied);
    else {
      copyTable(table, button.dataset['command'] === 'copy-csv');
      copied();
    }
  };
  // A listener of the transcript would make screen readers call each message clickable.
  for (const type of ['click', 'auxclick'] as const)
    document.addEventListener(type, onClick, { capture: true });
  transcript.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (key !== 'Enter') handleToolbarKey(event);
    else if (target instanceof HTMLAnchorElement && !target.hasAttribute('href'))
      openLink(target, event);
  });
}

/** Stops the event: VS Code's handler at the document would also open the link, without asking. */
function openLink(link: HTMLAnchorElement, event: Event): void {
  event.preventDefault();
  event.stopPropagation();
  const href = link.dataset['path'] ?? link.getAttribute('href') ?? '';
  post('openLink', { href });
}

/** Copies a table as Markdown, or as rows that the host turns into CSV. */
function copyTable(table: HTMLElement, asCsv: boolean): void {
  const rows = [...table.querySelectorAll('tr')].map((row) => [...row.cells].map(textOf));
  if (asCsv) post('copyTable', { rows });
  else post('copy', { text: table.dataset['source'] ?? '' });
}

function textOf(node: Node): string {
  if (node instanceof HTMLBRElement) return '\n';
  // The source of a formula is beside it.
  if (node instanceof MathMLElement) return '';
  return node.hasChildNodes()
    ? [...node.childNodes].map(textOf).join('')
    : (node.textContent ?? '');
}

/**
 * Moves the focus along the buttons of a toolbar with the arrow keys, Home and End. Tab stops at one button of each
 * toolbar, because a conversation may hold hundreds.
 */
function handleToolbarKey(event: KeyboardEvent): void {
  const { target } = event;
  const toolbar = target instanceof Element ? target.closest('[role=toolbar]') : null;
  if (toolbar === null) return;
  const buttons = [...toolbar.querySelectorAll('button')];
  const index = buttons.findIndex((button) => button === target);
  const after = (index + 1) % buttons.length;
  const targets = new Map(
    Object.entries({ ArrowLeft: index - 1, ArrowRight: after, Home: 0, End: -1 }),
  );
  const next = buttons.at(targets.get(event.key) ?? index);
  if (next === undefined || next === target) return;
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}
