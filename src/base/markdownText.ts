const FENCE = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
const BLOCK_MARKS =
  /^\s{0,20}(?:(?:>|(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])[ \t]{0,9}(?:\[[ xX]\][ \t]{1,9})?){0,20}/;
const INLINE_CODE = /(`{1,4})([^`]{1,500})\1/g;
const LINK = /!?\[([^[\]\n]{0,500})\]\([^()\n]{0,1000}\)/g;
/** Emphasis marks at the edge of a word. Between two letters or digits they are part of the word. */
const EMPHASIS =
  /(?<![\p{L}\p{N}*_])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}(?![\p{L}\p{N}*_])|~~/gu;
/** Replaces code while the marks around it are removed. */
const PLACEHOLDER = '\uFFFC';

/** Removes the marks of Markdown, except in code. Approximate, in linear time: a whole parser is too slow for a search. */
export function markdownToText(markdown: string): string {
  const lines: string[] = [];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    else lines.push(inCode ? line : lineToText(line));
  }
  return lines.join('\n');
}

/**
 * Removes the marks of Markdown from a line outside of code blocks.
 *
 * @param code returns the replacement of inline code
 * @param cell separates the cells of a table
 */
export function lineToText(
  line: string,
  code: (text: string) => string = (text) => text,
  cell = ' ',
): string {
  const kept: string[] = [];
  return line
    .replace(INLINE_CODE, (_whole, _marks, text: string) => {
      kept.push(code(text));
      return PLACEHOLDER;
    })
    .replace(LINK, '$1')
    .replace(BLOCK_MARKS, '')
    .replace(EMPHASIS, '')
    .replace(/\s{0,9}\|\s{0,9}/g, cell)
    .replaceAll(PLACEHOLDER, () => kept.shift() ?? '');
}

export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
