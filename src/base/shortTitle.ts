import { collapseWhitespace } from './markdownText.ts';

const MAX_TITLE_CHARACTERS = 60;

/** Returns the first words of a text on one line, at most 60 characters (code points) and an ellipsis. */
export function shortTitle(text: string): string {
  const line = collapseWhitespace(text.trim());
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`;
}
