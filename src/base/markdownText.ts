import { CJK } from './characters.ts';

const FENCE = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
/**
 * A line that opens or closes a code block: the marks of lists and quotations, the fence, and the words after it. A longer
 * fence is left alone, because a hostile one could double the text.
 */
const FENCE_LINE =
  /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20})(`{3,100}(?!`|.*`)|~{3,100}(?!~))(.*)$/s;
/** The start of raw HTML that ends where it is closed, not at a blank line. */
const RAW_HTML = /^( {0,3})<(?:(pre|script|style|textarea)(?=[\s>]|$)|!--)/i;
/** The first line after a code block in a quotation. */
const UNQUOTED = /^(?![ \t]*>)/;
/** The first line after a code block in a list. After a blank line, also the end of the list. */
const LINE_START = /^\S/;
const LIST_ITEM = /^[ \t>]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]/;
const BLOCK_MARKS =
  /^\s{0,20}(?:(?:>|(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t])[ \t]{0,9}(?:\[[ xX]\][ \t]{1,9})?){0,20}/;
const INLINE_CODE = /(`{1,4})([^`]{1,500})\1/g;
const LINK = /!?\[([^[\]\n]{0,500})\]\([^()\n]{0,1000}\)/g;
/** Emphasis marks at the edge of a word. Between two letters or digits they are part of the word. */
const EMPHASIS =
  /(?<![\p{L}\p{N}*_])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}(?![\p{L}\p{N}*_])|~~/gu;
/** Marks of bold text beside CJK characters, which have no spaces around words. A single asterisk may be a product. */
const BOLD_BESIDE_CJK = new RegExp(
  `(?<=${CJK})\\*{2,3}(?=[^\\s*])|(?<=[^\\s*])\\*{2,3}(?=${CJK})`,
  'gu',
);
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
 * @param cellSeparator replaces the marks between the cells of a table
 */
export function lineToText(
  line: string,
  code: (text: string) => string = (text) => text,
  cellSeparator = ' ',
): string {
  const replacements: string[] = [];
  return line
    .replace(INLINE_CODE, (_whole, _marks, text: string) => {
      replacements.push(code(text));
      return PLACEHOLDER;
    })
    .replace(LINK, '$1')
    .replace(BLOCK_MARKS, '')
    .replace(EMPHASIS, '')
    .replace(BOLD_BESIDE_CJK, '')
    .replace(/\s{0,9}\|\s{0,9}/g, cellSeparator)
    .replaceAll(PLACEHOLDER, () => replacements.shift() ?? '');
}

/**
 * Returns a text whose last block of code or raw HTML is closed. Otherwise, the block would contain everything that follows
 * the text. A block in a list or quotation ends with it, so it stays open.
 */
export function closeLastBlock(markdown: string): string {
  let open: { readonly marks: string; readonly end: RegExp | undefined } | undefined;
  /** The mark that ends the open raw HTML. */
  let htmlEnd: string | undefined;
  /** The smallest indentation of blocks in a list so far. */
  let nestedFrom = Infinity;
  let previous = '';
  for (const line of markdown.split('\n')) {
    const isAfterBlank = previous.trim() === '';
    previous = line;
    if (open?.end?.test(line) === true) open = undefined;
    // Without the blank line before it, such a line may continue the text of an item.
    if (!open && isAfterBlank && LINE_START.test(line) && !LIST_ITEM.test(line))
      nestedFrom = Infinity;
    const [html, indent = '', name] = open === undefined ? (RAW_HTML.exec(line) ?? []) : [];
    if (html !== undefined && indent.length < nestedFrom)
      htmlEnd ??= name === undefined ? '-->' : `</${name.toLowerCase()}>`;
    if (htmlEnd !== undefined) {
      if (line.toLowerCase().includes(htmlEnd)) htmlEnd = undefined;
      continue;
    }
    const [, before = '', marks = '', info = ''] = FENCE_LINE.exec(line) ?? [];
    const isShallow = /^ {0,3}$/.test(before);
    if (open === undefined) {
      nestedFrom = Math.min(nestedFrom, LIST_ITEM.exec(line)?.[0].length ?? Infinity);
      const isIndentedCode = !isShallow && nestedFrom === Infinity && before.trim() === '';
      if (marks === '' || isIndentedCode) continue;
      const isNested = !isShallow || before.length >= nestedFrom;
      if (!isNested) nestedFrom = Infinity;
      const end = before.includes('>') ? UNQUOTED : LINE_START;
      open = { marks, end: isNested ? end : undefined };
    } else if (marks.startsWith(open.marks) && info.trim() === '' && (isShallow || open.end))
      open = undefined;
  }
  if (htmlEnd !== undefined) return `${markdown}\n${htmlEnd}`;
  return open !== undefined && open.end === undefined ? `${markdown}\n${open.marks}` : markdown;
}

export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
