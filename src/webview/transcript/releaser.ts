import { drawBudget } from '../frames.ts';
import { isHighlighted } from '../textRanges.ts';
import type { Group, Segments } from './segments.ts';

/** How far from the viewport messages are released, in viewports. That is much farther than they are drawn ahead. */
const releaseBeyond = 6;
/** How long after the last look the next one comes, in milliseconds. */
const delay = 1000;
/** Groups that are released at a time: each is measured. */
const mostAtOnce = 5;
/** How long restoring what is selected may take before other things have their turn, in milliseconds. */
const selectionBudget = 100;
/** Marks a message that must stay: its reader opened something in it, or it still changes. */
const lasting = 'details[open], .unfolded, [data-state=working], [data-state=waiting]';

interface ReleaserActions {
  release(group: Group): void;
  restore(group: Group): void;
}

/**
 * Releases messages that are far from the viewport, while the browser has nothing better to do, and restores what the
 * reader's selection covers, so that all of it can be copied.
 */
export class Releaser {
  readonly #scroller: HTMLElement;
  readonly #segments: Segments;
  readonly #actions: ReleaserActions;
  #isPlanned = false;
  #pauses = 0;

  constructor(scroller: HTMLElement, segments: Segments, actions: ReleaserActions) {
    this.#scroller = scroller;
    this.#segments = segments;
    this.#actions = actions;
    document.addEventListener('selectionchange', () => void this.#restoreSelected());
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
    for (const group of far.slice(0, mostAtOnce)) this.#actions.release(group);
    if (far.length > mostAtOnce || this.#pauses > 0) this.plan();
  }

  async #restoreSelected(): Promise<void> {
    if (document.getSelection()?.isCollapsed !== false) return;
    let until = performance.now() + selectionBudget;
    for (const group of this.#segments.groups) {
      if (!group.isReleased || !isSelected(group.element)) continue;
      if (performance.now() > until) {
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + drawBudget;
      }
      if (group.element.isConnected) this.#actions.restore(group);
    }
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
function isSelected(group: Element): boolean {
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
