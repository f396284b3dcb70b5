import { runCodeCommand } from './markdown/draw/codeBlock.ts';
import { copyTable } from './markdown/draw/copyTable.ts';
import { handleToolbarKey } from './markdown/draw/toolbar.ts';
import { showCopied, type Page } from './page.ts';

/**
 * Handles what can be clicked inside messages, in one place for all of them: links, which never lead anywhere by
 * themselves but are handed to the host, and the buttons of code blocks and tables.
 */
export function handleClicks(transcript: HTMLElement, page: Page, signal: AbortSignal): void {
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
    if (button.dataset['command'] !== 'table') runCodeCommand(button, page.post, copied);
    else {
      copyTable(button, page.post);
      copied();
    }
  };
  transcript.addEventListener('click', onClick, { signal });
  transcript.addEventListener('auxclick', onClick, { signal });
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
  transcript.addEventListener('keydown', onKey, { signal });
  transcript.addEventListener('keydown', handleToolbarKey, { signal });
}

/** VS Code's own handler at the document would open the link a second time, and unasked. */
function follow(link: HTMLAnchorElement, event: Event, page: Page): void {
  event.preventDefault();
  event.stopPropagation();
  const href = link.dataset['path'] ?? link.getAttribute('href') ?? '';
  if (href !== '') page.post('openLink', { href });
}
