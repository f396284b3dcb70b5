/** Longest text in which inline markup is parsed, in characters. */
const MAX_INLINE_CHARACTERS = 16_384;
/** Maximum number of characters that the parser may search for the ends of all marks in a block. */
const MAX_LOOKUPS = 8_000_000;
/** Longest block that may be parsed again with the text after it, in characters. */
export const MAX_BLOCK_CHARACTERS = 65_536;
/** Maximum number of parts of a list or quotation. Each line or mark is one part, and each code block four. */
const MAX_CONTAINER_PARTS = 2_000;
const PARTS_PER_FENCE = 4;
/** Maximum number of tags in a block of raw HTML, and of open elements. */
const MAX_TAGS = 2_000;
const MAX_OPEN_ELEMENTS = 100;

const INLINE_MARK = /[*_~`<[$@]|:\/\/|www\./g;
const LINE_START = /^(?:[ \t>]|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))*/;
const CONTAINER_MARK = />|[*+-]|\d[.)]/g;
const FENCE = /^(?:`{3}|~{3})/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-[ \t:|-]*$/;
const BLANK_LINE = /^[ \t]*$/;
export const QUOTE_MARK = /^ {0,3}>/;
export const LIST_ITEM_MARK = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?=[ \t\n]|$)/;
const POSSIBLE_LIST_LINE = /^(?:[ \t]|(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$))/;

/** Returns whether the inline texts of a block are short enough for the parser, which takes quadratic time. */
export function isWithinParserLimits(texts: readonly string[]): boolean {
  let lookups = 0;
  for (const text of texts) {
    if (text.length > MAX_INLINE_CHARACTERS) return false;
    lookups += text.length * (text.match(INLINE_MARK)?.length ?? 0);
  }
  return lookups <= MAX_LOOKUPS;
}

/**
 * Returns how many characters to parse of the list or quotation at the start of `src`: at least all of it, or up to an item
 * or line if it is too large, or 0 if its first item is. This is an estimate without parsing.
 */
export function boundContainer(src: string): number {
  const isQuotation = QUOTE_MARK.test(src);
  const indent = indentOf(src);
  let parts = 0;
  let cut = 0;
  let wasBlank = false;
  for (let at = 0; at < src.length;) {
    const feed = src.indexOf('\n', at);
    const end = feed < 0 ? src.length : feed + 1;
    const line = src.slice(at, feed < 0 ? src.length : feed);
    const isBlank = BLANK_LINE.test(line);
    if (isBlank ? isQuotation : wasBlank && !POSSIBLE_LIST_LINE.test(line)) return at;
    if (isQuotation || (LIST_ITEM_MARK.test(line) && indentOf(line) <= indent)) cut = at;
    if (!isBlank) parts += partsOf(line);
    if (parts > MAX_CONTAINER_PARTS || end > MAX_BLOCK_CHARACTERS) return cut;
    wasBlank = isBlank;
    at = end;
  }
  return src.length;
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}

function partsOf(line: string): number {
  const [start = ''] = LINE_START.exec(line) ?? [];
  const marks = start.match(CONTAINER_MARK)?.length ?? 0;
  return Math.max(1, marks) + (FENCE.test(line.slice(start.length)) ? PARTS_PER_FENCE : 0);
}

export function isOversizedHtml(html: string): boolean {
  if (html.length > MAX_BLOCK_CHARACTERS) return true;
  let tags = 0;
  let open = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    open = Math.max(0, open + (html.charAt(at + 1) === '/' ? -1 : 1));
    if (++tags > MAX_TAGS) return true;
  }
  return open > MAX_OPEN_ELEMENTS;
}

/** Returns how many characters to parse of a possible table at the start of `src`, so that it has at most `cells` cells. */
export function boundTable(src: string, cells: number): number {
  let at = src.indexOf('\n') + 1;
  const feed = src.indexOf('\n', at);
  const delimiters = src.slice(at, feed < 0 ? src.length : feed);
  if (!DELIMITER_ROW.test(delimiters)) return src.length;
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
