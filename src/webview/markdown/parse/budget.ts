/** Most lines of a block that is read as Markdown. */
const mostLines = 2_000;
/** Most items of a list or quotation, and how many of them cost as much to draw as a code block. */
const mostItems = 2_000;
const itemsOfCode = 4;
/** Most cells of a table. */
const mostCells = 8_000;
/** Most tags in a block of raw HTML, and how many elements may be open in it at once. */
const mostTags = 2_000;
const mostOpenElements = 100;
/** Most characters of one text that may begin or end inline markup. */
const mostDelimiters = 1_000;
/** The longest name before an `@` that may be an address's, in characters; the standard allows 64. */
const longestName = 256;

const codeStart = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/;
const fencedLine = /^[ \t>]*(?:`{3}|~{3})/;
const container = /^ {0,3}(?:>|(?:[*+-]|\d{1,9}[.)])(?:[ \t\n]|$))/;
const lineStart = /^(?:[ \t>]|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))*/;
const itemMark = /[*+-]|\d[.)]/g;
const fence = /^(?:`{3}|~{3})/;
const delimiterRow = /^ {0,3}\|?[ \t]*:?-[ \t:|-]*$/;
const blankLine = /^[ \t]*$/;
/** What ends a list: a blank line, and then a line that cannot belong to it. */
const listEnd = /\n[ \t]*\n(?![ \t\n]|(?:[*+-]|\d{1,9}[.)])[ \t\n])/;
const quotation = /^ {0,3}>/;
const quotationEnd = /\n[ \t]*\n/;

/** Finds the blocks of one text that are too large to be read or drawn. */
export class BlockBudget {
  /** Characters from the end of the last list or quotation of which nothing can be too large to the end of the text. */
  #rest = Infinity;

  /**
   * The block at the start of `src`, where it has more lines than are read, or is a table of more cells or a list of more
   * items than are drawn; undefined for every other block, and for code, which costs little however long it is.
   *
   * @param src the text from a block on; each is asked for in turn
   */
  oversized(src: string): string | undefined {
    if (codeStart.test(src)) return undefined;
    return this.#oversizedContainer(src) ?? oversizedParagraph(src);
  }

  #oversizedContainer(src: string): string | undefined {
    // Where one list ends and another begins is not known before they are read: each would look through all of them.
    if (!container.test(src) || src.length > this.#rest) return undefined;
    const block = containerBlock(src);
    const { items, marks } = countItems(block);
    if (marks <= mostItems) this.#rest = src.length - block.length;
    return items > mostItems ? block : undefined;
  }
}

/** The items of a list or quotation, by what they cost to draw, and all that could begin one. */
function countItems(block: string): { readonly items: number; readonly marks: number } {
  let items = 0;
  let marks = 0;
  let isCode = false;
  for (const line of block.split('\n')) {
    const [start = ''] = lineStart.exec(line) ?? [];
    const begun = start.match(itemMark)?.length ?? 0;
    const isFence = fence.test(line.slice(start.length));
    marks += begun + (isFence ? itemsOfCode : 0);
    // A code block in an item ends with it, whatever stands in its lines.
    if (begun > 0 && isFence) isCode = false;
    if (isFence) isCode = !isCode;
    if (isCode && isFence) items += itemsOfCode;
    if (!isCode || isFence) items += begun;
  }
  return { items, marks };
}

function oversizedParagraph(src: string): string | undefined {
  let lines = 0;
  let columns = 0;
  let end = 0;
  for (; end < src.length; lines++) {
    const feed = src.indexOf('\n', end);
    const next = feed < 0 ? src.length : feed + 1;
    const line = src.slice(end, feed < 0 ? src.length : feed);
    if (blankLine.test(line) || fencedLine.test(line)) break;
    if (lines === 1 && delimiterRow.test(line)) columns = line.split('|').length;
    end = next;
  }
  return lines > mostLines || lines * columns > mostCells ? src.slice(0, end) : undefined;
}

/** The list or quotation at the start of `src`, by rule of thumb: it need not be read for that. */
export function containerBlock(src: string): string {
  return src.slice(0, (quotation.test(src) ? quotationEnd : listEnd).exec(src)?.index);
}

/** Whether raw HTML holds more elements than are drawn, or elements that lie too deep in each other. */
export function isOversizedHtml(html: string): boolean {
  let tags = 0;
  let open = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    open = Math.max(0, open + (html.charAt(at + 1) === '/' ? -1 : 1));
    if (++tags > mostTags) return true;
  }
  return open > mostOpenElements;
}

/**
 * Whether reading the inline markup of a text could take time that grows with the square of its length: the parser looks
 * for the other end of each mark, and for the `@` after each word. Nobody writes such a paragraph for its markup.
 */
export function isTangled(text: string): boolean {
  if (text.length <= longestName) return false;
  let delimiters = 0;
  for (let at = 0; at < text.length; at++)
    if ('*_~<`['.includes(text.charAt(at)) && ++delimiters > mostDelimiters) return true;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1))
    if (at >= longestName && !/[\s"(),:;<>@[\\\]]/.test(text.slice(at - longestName, at)))
      return true;
  return false;
}
