import type { Post } from '../../connection.ts';

/** Copies the table that a button belongs to: as it is read, for the host to make CSV of, or as the Markdown that it is of. */
export function copyTable(button: HTMLElement, post: Post): void {
  const block = button.closest<HTMLElement>('.table-block');
  if (block === null) return;
  if (button.dataset['format'] === 'md') post('copy', { text: block.dataset['source'] ?? '' });
  else
    post('copyTable', {
      rows: [...block.querySelectorAll('tr')].map((row) => [...row.cells].map(textOf)),
    });
}

function textOf(node: Node): string {
  if (node instanceof HTMLBRElement) return '\n';
  // The source of a formula stands beside it.
  if (node instanceof MathMLElement) return '';
  return node.hasChildNodes()
    ? [...node.childNodes].map(textOf).join('')
    : (node.textContent ?? '');
}
