import { isHighlighted } from '../textRanges.ts';
import type { Group } from './group.ts';
import type { Segments } from './segments.ts';

/** How far from the viewport messages are released, in viewports. That is much farther than they are drawn ahead. */
const releaseBeyond = 6;
/** How long after the last look the next one comes, in milliseconds. */
const delay = 1000;
/** Groups that are released at a time: each is measured. */
const mostAtOnce = 5;
/** Marks a message that must stay: its reader opened something in it, or it still changes. */
const lasting = 'details[open], .unfolded, [data-state=working], [data-state=waiting]';

/** Releases messages that are far from the viewport, while the browser has nothing better to do. */
export class Releaser {
  readonly #scroller: HTMLElement;
  readonly #segments: Segments;
  readonly #release: (group: Group) => void;
  #isPlanned = false;
  #pauses = 0;

  /** @param release releases one group */
  constructor(scroller: HTMLElement, segments: Segments, release: (group: Group) => void) {
    this.#scroller = scroller;
    this.#segments = segments;
    this.#release = release;
  }

  /** Looks soon for what can be released. */
  plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setTimeout(() => requestIdleCallback(() => this.#releaseFar(), { timeout: delay }), delay);
  }

  /** Releases nothing until something is done. */
  async pauseFor(work: Promise<unknown>): Promise<void> {
    this.#pauses++;
    await work.finally(() => this.#pauses--);
  }

  #releaseFar(): void {
    this.#isPlanned = false;
    const far = this.#pauses > 0 ? [] : this.#farGroups();
    for (const group of far.slice(0, mostAtOnce)) this.#release(group);
    if (far.length > mostAtOnce || this.#pauses > 0) this.plan();
  }

  #farGroups(): readonly Group[] {
    const { clientHeight } = this.#scroller;
    // A page that is not shown has no viewport.
    if (clientHeight === 0) return [];
    const box = this.#scroller.getBoundingClientRect();
    const reach = releaseBeyond * clientHeight;
    return this.#segments.groups.filter((group) => {
      if (!group.isSkipped) return false;
      const { top, bottom } = group.element.getBoundingClientRect();
      return (bottom < box.top - reach || top > box.bottom + reach) && !isInUse(group.element);
    });
  }
}

/** Returns whether the selection, or the caret, touches a group. */
export function isSelected(group: Element): boolean {
  const selection = document.getSelection();
  return (
    selection !== null && selection.rangeCount > 0 && selection.getRangeAt(0).intersectsNode(group)
  );
}

/** Returns whether the reader would miss a group: the focus, the selection or the match is in it, or something must stay. */
function isInUse(group: Element): boolean {
  return (
    group.contains(document.activeElement) ||
    isSelected(group) ||
    isHighlighted(group) ||
    group.querySelector(lasting) !== null
  );
}
