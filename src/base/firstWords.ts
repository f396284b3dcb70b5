import { collapseWhitespace } from './markdownText.ts';

const titleLength = 60;

/** Returns the first words of a text on one line, at most 60 characters. */
export function firstWords(text: string): string {
  const line = collapseWhitespace(text.trim());
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const space = cut.lastIndexOf(' ');
  return `${space > titleLength / 2 ? cut.slice(0, space) : cut}…`;
}
