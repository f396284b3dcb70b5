/** Longest text in which inline markup is parsed, in characters. */
const longestInline = 16_384;
/** Most characters that the parser may search for the ends of all marks in a block. */
const mostLookups = 8_000_000;
/** Longest block that may be parsed again with the text after it, in characters. */
export const longestBlock = 65_536;
/** Most parts of a list or quotation. Each line or mark is one part, and each code block four. */
const mostParts = 2_000;
const partsOfFence = 4;
/** Most tags in a block of raw HTML, and most open elements. */
const mostTags = 2_000;
const mostOpenElements = 100;

const inlineMark = /[*_~`<[$@]|:\/\/|www\./g;
const lineStart = /^(?:[ \t>]|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))*/;
const containerMark = />|[*+-]|\d[.)]/g;
const fence = /^(?:`{3}|~{3})/;
const delimiterRow = /^ {0,3}\|?[ \t]*:?-[ \t:|-]*$/;
const blankLine = /^[ \t]*$/;
export const quotationMark = /^ {0,3}>/;
export const itemMark = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?=[ \t\n]|$)/;
const mayBelongToList = /^(?:[ \t]|(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$))/;

/** Returns whether the inline texts of a block are short enough for the parser, which takes quadratic time. */
export function areReadable(texts: readonly string[]): boolean {
  let lookups = 0;
  for (const text of texts) {
    if (text.length > longestInline) return false;
    lookups += text.length * (text.match(inlineMark)?.length ?? 0);
  }
  return lookups <= mostLookups;
}

/**
 * Returns how many characters to parse of the list or quotation at the start of `src`: at least all of it, or up to an item
 * or line if it is too large, or 0 if its first item is. This is an estimate without parsing.
 */
export function boundContainer(src: string): number {
  const isQuotation = quotationMark.test(src);
  const indent = indentOf(src);
  let parts = 0;
  let cut = 0;
  let wasBlank = false;
  for (let at = 0; at < src.length;) {
    const feed = src.indexOf('\n', at);
    const end = feed < 0 ? src.length : feed + 1;
    const line = src.slice(at, feed < 0 ? src.length : feed);
    const isBlank = blankLine.test(line);
    if (isBlank ? isQuotation : wasBlank && !mayBelongToList.test(line)) return at;
    if (isQuotation || (itemMark.test(line) && indentOf(line) <= indent)) cut = at;
    if (!isBlank) parts += partsOf(line);
    if (parts > mostParts || end > longestBlock) return cut;
    wasBlank = isBlank;
    at = end;
  }
  return src.length;
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}

function partsOf(line: string): number {
  const [start = ''] = lineStart.exec(line) ?? [];
  const marks = start.match(containerMark)?.length ?? 0;
  return Math.max(1, marks) + (fence.test(line.slice(start.length)) ? partsOfFence : 0);
}

export function isOversizedHtml(html: string): boolean {
  if (html.length > longestBlock) return true;
  let tags = 0;
  let open = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    open = Math.max(0, open + (html.charAt(at + 1) === '/' ? -1 : 1));
    if (++tags > mostTags) return true;
  }
  return open > mostOpenElements;
}

/** Returns how many characters to parse of a possible table at the start of `src`, so that it has at most `cells` cells. */
export function boundTable(src: string, cells: number): number {
  let at = src.indexOf('\n') + 1;
  const feed = src.indexOf('\n', at);
  const delimiters = src.slice(at, feed < 0 ? src.length : feed);
  if (!delimiterRow.test(delimiters)) return src.length;
  const columns = delimiters.split('|').length;
  for (let rows = Math.floor(cells / columns); rows > 0; rows--) {
    const end = src.indexOf('\n', at);
    if (end < 0) return src.length;
    at = end + 1;
  }
  return at;
}

/** Returns the end of the first blank line that begins at `from` or later. */
export function endOfBlankLine(src: string, from = 0): number | undefined {
  const blank = /\n[ \t]*\n/g;
  blank.lastIndex = Math.max(0, from - 1);
  return blank.test(src) ? blank.lastIndex : undefined;
}
