/** Longest text in which inline markup is parsed, in characters. */
const MAX_INLINE_CHARACTERS = 16_384;
/** Maximum number of characters that the parser may search for the ends of all marks in a block. */
const MAX_LOOKUPS = 8_000_000;
/** Longest block that may be parsed again with the text after it, in characters. */
export const MAX_BLOCK_CHARACTERS = 65_536;
/** Maximum number of parts of a list or quotation. Each line or mark is one part, and each code block four. */
const MAX_CONTAINER_PARTS = 2_000;
const PARTS_PER_FENCE = 4;
/** Maximum number of tags in a block of raw HTML, of open elements, and of elements that the browser repeats. */
const MAX_TAGS = 2_000;
const MAX_OPEN_ELEMENTS = 100;
const MAX_REPEATED_ELEMENTS = 4_000;
/** Deepest nesting in which the ends of elements are found. */
const MAX_CLOSED_DEPTH = 20;

const INLINE_MARK = /[*_~`<[$@]|:\/\/|www\./g;
const LINE_START = /^(?:[ \t>]|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))*/;
const CONTAINER_MARK = />|[*+-]|\d[.)]/g;
const FENCE = /^(?:`{3}|~{3})/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-[ \t:|-]*$/;
const BLANK_LINE = /^[ \t]*$/;
/** Letters written from right to left, and marks of direction. Text of two directions takes the browser quadratic time. */
const RIGHT_TO_LEFT =
  /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** A tag that no parser reads differently, and the end of its element if no other tag comes before it. */
const PLAIN_TAG =
  /<([a-z][\w-]*)(?:[ \t\n]+[\w:-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?)*[ \t\n]*\/?>([^<]*<\/\1>)?/gi;
/** The start of an element that the browser repeats in each later paragraph until it is closed. */
const FORMATTING_START = /<(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?![^\s/>])/gi;
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

/** Returns whether raw HTML is too long, or has too many tags, or too many elements that may stay open. */
export function isOversizedHtml(html: string): boolean {
  const tags = html.match(/</g)?.length ?? 0;
  const most = RIGHT_TO_LEFT.test(html) ? MAX_INLINE_CHARACTERS : MAX_BLOCK_CHARACTERS;
  if (html.length > most || tags > MAX_TAGS) return true;
  let rest = html;
  for (let depth = 0, before = ''; depth < MAX_CLOSED_DEPTH && rest !== before; depth++) {
    before = rest;
    rest = rest.replace(PLAIN_TAG, (tag, name: string, end?: string) =>
      end === undefined && !/^(?:br|hr|img)$/i.test(name) ? tag : '',
    );
  }
  const open = rest.match(/<(?!\/)/g)?.length ?? 0;
  const formatting = rest.match(FORMATTING_START)?.length ?? 0;
  return open > MAX_OPEN_ELEMENTS || formatting * tags > MAX_REPEATED_ELEMENTS;
}

/**
 * Returns how many characters to parse of a possible table at the start of `src`, so that it has at most `cells` cells.
 * Returns undefined if there can be no table.
 */
export function boundTable(src: string, cells: number): number | undefined {
  let at = src.indexOf('\n') + 1;
  const feed = src.indexOf('\n', at);
  const delimiters = src.slice(at, feed < 0 ? src.length : feed);
  if (!DELIMITER_ROW.test(delimiters)) return undefined;
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
