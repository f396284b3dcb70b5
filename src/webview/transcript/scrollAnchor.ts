import type { ScrollPosition } from '../../protocol/view.ts';

/** A block or message, and the distance from its top down to that of the viewport, in CSS pixels. */
export interface Anchor {
  readonly element: Element;
  readonly offset: number;
}

const BLOCKS = '.block-group > *';
const REASONING = '.reasoning';

/** Returns the message at the top of the viewport. `messages` are all drawn ones, in order. */
export function findTopMessage(
  scroller: Element,
  messages: readonly HTMLElement[],
): HTMLElement | undefined {
  return messages[firstBelow(messages, topOf(scroller))];
}

/** Finds the block at the top of the viewport, else the message there. `messages` are all drawn ones, in order. */
export function findAnchor(
  scroller: Element,
  messages: readonly HTMLElement[],
): Anchor | undefined {
  const message = findTopMessage(scroller, messages);
  if (message === undefined) return undefined;
  const top = topOf(scroller);
  // Groups are searched first, since blocks that the browser skips would have to be laid out.
  const groups = [...message.querySelectorAll('.block-group')];
  const unfolded = groups.filter((group) => group.checkVisibility());
  const blocks = [...(unfolded[firstBelow(unfolded, top)]?.children ?? [])];
  const element = blocks[firstBelow(blocks, top)] ?? message;
  return { element, offset: top - topOf(element) };
}

/** Moves an anchor to its distance from the top of the viewport, unless it has left the page. */
export function restoreAnchor(scroller: Element, { element, offset }: Anchor): void {
  if (element.isConnected) scroller.scrollTop += topOf(element) - topOf(scroller) + offset;
}

/** Returns an anchor as a scroll position that outlives the page. */
export function positionOf({ element, offset }: Anchor): ScrollPosition | null {
  const message = element.closest<HTMLElement>('[data-id]');
  const id = message?.dataset['id'];
  if (message === null || id === undefined) return null;
  const folded = element.closest(REASONING);
  const reasoning = [...message.querySelectorAll(REASONING)].findIndex((each) => each === folded);
  const block = blocksOf(folded ?? message).indexOf(element);
  return {
    message: id,
    ...(reasoning !== -1 && { reasoning }),
    ...(block !== -1 && { block }),
    offset: Math.round(offset),
  };
}

/** Opens the reasoning with a scroll position, if there is one. */
export function openReasoning(message: Element, index: number | undefined): void {
  const folded = message.querySelectorAll(REASONING)[index ?? -1];
  if (folded instanceof HTMLDetailsElement) folded.open = true;
}

/** Returns the anchor of a scroll position in its message. */
export function anchorOf(
  message: Element,
  { reasoning = -1, block = -1, offset }: ScrollPosition,
): Anchor {
  const found = blocksOf(message.querySelectorAll(REASONING)[reasoning] ?? message)[block];
  return { element: found?.checkVisibility() === true ? found : message, offset };
}

/** Returns the blocks of a reasoning, or those of a message outside its reasoning, which is only drawn once opened. */
function blocksOf(root: Element): readonly Element[] {
  const folded = root.closest(REASONING);
  return [...root.querySelectorAll(BLOCKS)].filter((block) => block.closest(REASONING) === folded);
}

/** Returns the index of the first element that ends below `top`, by binary search. */
export function firstBelow(elements: readonly Element[], top: number): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = elements[middle];
    if (element !== undefined && element.getBoundingClientRect().bottom <= top) low = middle + 1;
    else high = middle;
  }
  return low;
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}
