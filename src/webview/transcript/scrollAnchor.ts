import type { ScrollPosition } from '../../protocol/view.ts';

/** An element and its distance from the top of the viewport, in CSS pixels. */
interface Anchor {
  readonly element: Element;
  readonly offset: number;
}

const BLOCKS = '.block-group > *';

/** Returns the message at the top of the viewport. `messages` are all drawn ones, in order. */
export function findTopMessage(
  scroller: Element,
  messages: readonly HTMLElement[],
): HTMLElement | undefined {
  return messages[firstBelow(messages, scroller.getBoundingClientRect().top)];
}

/** Returns the position of the block at the top of the viewport. `messages` are all drawn ones, in order. */
export function readScrollPosition(
  scroller: Element,
  messages: readonly HTMLElement[],
): ScrollPosition | null {
  const { top } = scroller.getBoundingClientRect();
  const element = findTopMessage(scroller, messages);
  const message = element?.dataset['id'];
  if (element === undefined || message === undefined) return null;
  const distance = (from: Element) => Math.round(top - from.getBoundingClientRect().top);
  // Groups first: the browser would have to lay out blocks that it skips.
  const groups = [...element.querySelectorAll('.block-group')];
  const unfolded = groups.filter((group) => group.checkVisibility());
  const blocks = [...(unfolded[firstBelow(unfolded, top)]?.children ?? [])];
  const block = blocks[firstBelow(blocks, top)];
  if (block === undefined) return { message, offset: distance(element) };
  const index = [...element.querySelectorAll(BLOCKS)].indexOf(block);
  return { message, block: index, offset: distance(block) };
}

/** Returns the element from whose top the offset of a scroll position counts. */
export function findPositioned(message: Element, { block = -1 }: ScrollPosition): Element {
  const found = message.querySelectorAll(BLOCKS)[block];
  return found?.checkVisibility() === true ? found : message;
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

/** Keeps the block at the top of the viewport there when the width changes, which the browser's scroll anchoring doesn't do. */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  #anchor: Anchor | undefined;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  remember(): void {
    const box = this.#scroller.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + 12);
    const element = found?.closest(`${BLOCKS}, .message, .notice`);
    if (!element || !this.#scroller.contains(element)) return;
    this.#anchor = { element, offset: element.getBoundingClientRect().top - box.top };
  }

  restore(): void {
    const { element, offset } = this.#anchor ?? {};
    if (element === undefined || offset === undefined || !element.isConnected) return;
    const now = element.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
    this.#scroller.scrollTop += now - offset;
  }
}
