import type { ScrollPosition } from '../../protocol/view.ts';

/** An element and its distance from the top of the viewport, in CSS pixels. */
interface Anchor {
  readonly element: Element;
  readonly offset: number;
}

/** Returns the message and the block at the top of the viewport. `messages` are all drawn ones, in order. */
export function readScrollPosition(
  scroller: Element,
  messages: readonly HTMLElement[],
): ScrollPosition | null {
  const top = scroller.getBoundingClientRect().top;
  const element = messages[firstBelow(messages, top)];
  const message = element?.dataset['id'];
  if (element === undefined || message === undefined) return null;
  const distance = (from: Element) => Math.round(top - from.getBoundingClientRect().top);
  const groups = groupsOf(element);
  const unfolded = groups.filter((group) => group.checkVisibility());
  const group = unfolded[firstBelow(unfolded, top)];
  const blocks = [...(group?.children ?? [])];
  const index = firstBelow(blocks, top);
  const block = blocks[index];
  if (group === undefined || block === undefined) return { message, offset: distance(element) };
  const before = groups.slice(0, groups.indexOf(group));
  const count = before.reduce((sum, { childElementCount }) => sum + childElementCount, 0);
  return { message, block: count + index, offset: distance(block) };
}

/** Returns the element from whose top the offset of a scroll position counts. */
export function findPositioned(message: Element, { block }: ScrollPosition): Element {
  let left = block ?? Infinity;
  for (const { children } of groupsOf(message)) {
    const found = children[left];
    if (found !== undefined) return found.checkVisibility() ? found : message;
    left -= children.length;
  }
  return message;
}

function groupsOf(message: Element): readonly Element[] {
  return [...message.querySelectorAll('.block-group')];
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
    const element = found?.closest('.block-group > *, .message, .notice');
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
