import { collapseWhitespace } from '../base/markdownText.ts';

/** Elements whose text is searched, and elements inside them that are skipped. */
const SEARCHED_ELEMENTS = '.prompt-text, .reply, .notice';
const SKIPPED_ELEMENTS =
  '.code-header, .visually-hidden, .card-title, .question-foot, button, math';

/** Maximum number of matches that are marked before the current one and after it. */
const MAX_OTHER_MATCHES = 1000;

/** Maximum number of characters that are announced before a match and after it. */
const MAX_CHARACTERS_AROUND = 60;
const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, td, th, .piece, .prompt-text';

interface FoundRanges {
  /** Matches around the current one, in order. */
  readonly others: readonly StaticRange[];
  readonly current: Range | undefined;
  /** The index of the current match among all. */
  readonly at: number;
  readonly count: number;
}

/** A text node and the offset of its text in the whole text. */
interface TextSegment {
  readonly node: Text;
  readonly start: number;
}

/**
 * Finds `query` in an element's text. A match may span elements, and any white space matches any other. A match in a
 * formula covers the whole formula, because its source is hidden.
 *
 * @param ordinal the index of the current match; the last match if it is too large
 */
export function findRanges(
  element: Element,
  query: string,
  matchCase: boolean,
  ordinal: number,
): FoundRanges {
  const roots = element.matches(SEARCHED_ELEMENTS)
    ? [element]
    : [...element.querySelectorAll(SEARCHED_ELEMENTS)];
  const { text, segments } = readTexts(roots);
  const matches = occurrences(text, query, matchCase);
  const at = Math.min(ordinal, matches.length - 1);
  const first = Math.max(0, at - MAX_OTHER_MATCHES);
  const locate = createLocator(segments);
  const others = matches.slice(first, at + MAX_OTHER_MATCHES + 1).map(({ from, to }) => {
    const [startContainer, startOffset] = locate(from, 0);
    const [endContainer, endOffset] = locate(to - 1, 1);
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
  });
  const [found] = others.splice(at - first, 1);
  return { others, current: found && toRange(found), at, count: matches.length };
}

/** Returns a range that changes with the document. Thousands of them would slow it down. */
function toRange({ startContainer, startOffset, endContainer, endOffset }: StaticRange): Range {
  const range = new Range();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  return range;
}

/** Reads the text nodes in elements, as one text. */
function readTexts(roots: readonly Element[]): { text: string; segments: readonly TextSegment[] } {
  const segments: TextSegment[] = [];
  const texts: string[] = [];
  let length = 0;
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!(node instanceof Text) || node.parentElement?.closest(SKIPPED_ELEMENTS)) continue;
      segments.push({ node, start: length });
      texts.push(node.data);
      length += node.length;
    }
  }
  return { text: texts.join(''), segments };
}

/** Returns a function that finds the node of an index. Indexes must not decrease, so that one pass is enough. */
function createLocator(
  segments: readonly TextSegment[],
): (index: number, after: 0 | 1) => [Node, number] {
  let at = 0;
  return (index, after) => {
    while ((segments[at + 1]?.start ?? Infinity) <= index) at++;
    const segment = segments[at];
    if (segment === undefined) throw new RangeError('there is no text at the index');
    const formula = segment.node.parentElement?.closest('.math');
    return formula ? edgeOf(formula, after) : [segment.node, index - segment.start + after];
  };
}

/** Returns the start or end of a formula. It stays valid when the formula is drawn later. */
function edgeOf(formula: Element, after: 0 | 1): [Node, number] {
  if (after === 0) return [formula, 0];
  const range = new Range();
  range.selectNode(formula);
  return [range.endContainer, range.endOffset];
}

/** Returns the element in which a match begins. */
export function startOf({ startContainer }: Range): Element | null {
  return startContainer instanceof Element ? startContainer : startContainer.parentElement;
}

/** Returns the text of a match, and the text around it in its block. */
export function wordsAround(match: Range): string {
  const { startContainer, startOffset } = match;
  const block = startOf(match)?.closest(BLOCKS);
  if (!block) return match.toString();
  const { text, segments } = readTexts([block]);
  const first = segments.find(({ node }) => startContainer.contains(node));
  const at = (first?.start ?? 0) + (first?.node === startContainer ? startOffset : 0);
  const end = at + match.toString().length + MAX_CHARACTERS_AROUND;
  return collapseWhitespace(text.slice(Math.max(0, at - MAX_CHARACTERS_AROUND), end)).trim();
}

/** Marks matches, without changing the document. Removes earlier marks. */
export function highlightRanges(others: readonly StaticRange[] = [], current?: Range): void {
  CSS.highlights.set('found', new Highlight(...others));
  CSS.highlights.set('found-current', new Highlight(...(current === undefined ? [] : [current])));
}

/** Returns whether the selection or the caret is in an element. */
export function isSelected(element: Element): boolean {
  return document.getSelection()?.containsNode(element, true) === true;
}

/** Returns whether the current match is in an element. */
export function isHighlighted(element: Element): boolean {
  const current = CSS.highlights.get('found-current') ?? [];
  return [...current].some(({ startContainer }) => element.contains(startContainer));
}

function occurrences(text: string, query: string, matchCase: boolean) {
  if (query === '') return [];
  const pattern = query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/gu, '(?<!\\s)\\s+');
  return Array.from(
    text.matchAll(new RegExp(pattern, matchCase ? 'gu' : 'giu')),
    ({ index: from, 0: match }) => ({ from, to: from + match.length }),
  );
}
