/** What of a message is text of the conversation: not the labels of buttons, and not what assistive technology reads. */
const contents = '.prompt-text, .reply, .notice';
const skipped = '.code-header, .visually-hidden, button';

/** The ranges of an element's text in which `query` occurs, in order; a match may span elements. */
export function findRanges(element: Element, query: string, matchCase: boolean): Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = '';
  const roots = element.matches(contents) ? [element] : [...element.querySelectorAll(contents)];
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!(node instanceof Text) || node.parentElement?.closest(skipped)) continue;
      nodes.push({ node, start: text.length });
      text += node.data;
    }
  }
  return occurrences(text, query, matchCase).map((start) => {
    const range = new Range();
    range.setStart(...position(nodes, start));
    range.setEnd(...position(nodes, start + query.length - 1, 1));
    return range;
  });
}

/** Marks ranges, one of them as the current one, without touching the document. */
export function highlightRanges(ranges: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set('found', new Highlight(...ranges.filter((range) => range !== current)));
  CSS.highlights.set('found-current', new Highlight(...(current === undefined ? [] : [current])));
}

function occurrences(text: string, query: string, matchCase: boolean): number[] {
  const found: number[] = [];
  if (query === '') return found;
  const pattern = query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const match of text.matchAll(new RegExp(pattern, matchCase ? 'gu' : 'giu')))
    found.push(match.index);
  return found;
}

function position(
  nodes: readonly { readonly node: Text; readonly start: number }[],
  index: number,
  after = 0,
): [Text, number] {
  const holder = nodes.findLast(({ start }) => start <= index);
  if (holder === undefined) throw new RangeError('the index lies before the first text node');
  return [holder.node, index - holder.start + after];
}
