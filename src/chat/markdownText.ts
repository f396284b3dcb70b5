const fence = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
const blockMarks =
  /^[ \t]*(?:(?:>|#{1,6}[ \t]|[-*+][ \t](?:\[[ xX]\][ \t])?|\d{1,9}[.)][ \t])[ \t]*)*/;
/** Code with its marks, or what else marks words: emphasis that is no part of a word, deletions, cells. */
const inlineMarks = /(`+)([^`]*)`+|\*+|~~|\||(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
const link = /!?\[([^[\]\n]*)\]\([^()\n]*\)/g;

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

function textOfLine(line: string): string {
  return line
    .replace(blockMarks, '')
    .replace(link, '$1')
    .replace(inlineMarks, (_mark, _ticks, code?: string) => code ?? '');
}

/** Text in which any white space is one space: where a line breaks is not said. */
export function oneSpaced(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
