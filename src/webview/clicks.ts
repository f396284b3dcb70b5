import { runCodeCommand } from './markdown/codeBlock.ts';
import type { Page } from './page.ts';

/** How long a button shows that it has copied, in milliseconds. */
const copiedTime = 1500;

/**
 * Handles what can be clicked inside messages, in one place for all of them: links, which never lead anywhere by
 * themselves but are handed to the host, and the buttons of code blocks.
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
    if (button instanceof HTMLElement)
      runCodeCommand(button, page.post, () => showCopied(button, page));
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
}

/** VS Code's own handler at the document would open the link a second time, and unasked. */
function follow(link: HTMLAnchorElement, event: Event, page: Page): void {
  event.preventDefault();
  event.stopPropagation();
  const href = link.dataset['path'] ?? link.getAttribute('href') ?? '';
  if (href !== '' && href.length <= 8192) page.post('openLink', { href });
}

function showCopied(button: HTMLElement, page: Page): void {
  const symbol = button.querySelector('.codicon');
  symbol?.classList.replace('codicon-copy', 'codicon-check');
  page.announcer.say(page.words.strings.copied);
  setTimeout(() => symbol?.classList.replace('codicon-check', 'codicon-copy'), copiedTime);
}
