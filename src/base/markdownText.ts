const fence = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
const blockMarks =
  /^\s{0,20}(?:(?:>|(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])[ \t]{0,9}(?:\[[ xX]\][ \t]{1,9})?){0,20}/;
const inlineCode = /(`{1,4})([^`]{1,500})\1/g;
const link = /!?\[([^[\]\n]{0,500})\]\([^()\n]{0,1000}\)/g;
/** Marks of emphasis stand at the edge of a word; between two letters or digits they are part of it. */
const emphasis =
  /(?<![\p{L}\p{N}*_])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}(?![\p{L}\p{N}*_])|~~/gu;
/** Stands for code while the words around it lose their marks. */
const placeholder = '\uFFFC';

/**
 * Markdown as it is read: words, and code as it stands, without what marks them. By rule of thumb, in time that grows with
 * the text alone: for searching, where a whole parser would be too slow.
 */
export function textOfMarkdown(markdown: string): string {
  const lines: string[] = [];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (fence.test(line)) inCode = !inCode;
    else lines.push(inCode ? line : textOfLine(line));
  }
  return lines.join('\n');
}

/**
 * A line of Markdown outside of code blocks, as {@link textOfMarkdown} has it.
 *
 * @param code gives what code in the line is read as
 * @param cell stands between the cells of a table
 */
export function textOfLine(
  line: string,
  code: (text: string) => string = (text) => text,
  cell = ' ',
): string {
  const kept: string[] = [];
  return line
    .replace(inlineCode, (_whole, _marks, text: string) => {
      kept.push(code(text));
      return placeholder;
    })
    .replace(link, '$1')
    .replace(blockMarks, '')
    .replace(emphasis, '')
    .replace(/\s{0,9}\|\s{0,9}/g, cell)
    .replaceAll(placeholder, () => kept.shift() ?? '');
}

/** Text in which any white space is one space: where a line breaks is not said. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
