import { DRAW_BUDGET_MS } from '../frames.ts';
import { isHighlighted, isSelected } from '../textRanges.ts';
import type { MessageGroup, MessageGroups } from './messageGroups.ts';

/** Distance from the viewport at which messages are released, in viewports. */
const RELEASE_BEYOND_SCREENS = 6;
/** Time between two checks, in ms. */
const RELEASE_DELAY_MS = 1000;
/** Maximum number of groups that are released at a time. */
const MAX_RELEASED_AT_ONCE = 5;
/** Longest uninterrupted time for restoring selected groups, in ms. */
const RESTORE_BUDGET_MS = 100;
/** Messages that must stay: something in them is unfolded or wrapped, or they still change. */
const NEVER_RELEASED =
  'details[open], .wrapped, [aria-expanded=true], [data-state=working], [data-state=waiting]';

/**
 * Releases messages far from the viewport when the browser is idle, and restores those in the selection, so that it can be
 * copied.
 */
export class Releaser {
  readonly #scroller: HTMLElement;
  readonly #groups: MessageGroups;
  readonly #restore: (group: MessageGroup) => void;
  /** The number of calls of {@link plan} since the last check. */
  #plans = 0;
  #pauses = 0;

  constructor(
    scroller: HTMLElement,
    groups: MessageGroups,
    restore: (group: MessageGroup) => void,
  ) {
    this.#scroller = scroller;
    this.#groups = groups;
    this.#restore = restore;
    document.addEventListener('selectionchange', () => void this.#restoreSelected());
  }

  plan(): void {
    if (++this.#plans > 1) return;
    setTimeout(
      () => requestIdleCallback(() => this.#releaseFar(), { timeout: RELEASE_DELAY_MS }),
      RELEASE_DELAY_MS,
    );
  }

  /** Releases nothing until `work` is done. */
  async pauseFor(work: Promise<unknown>): Promise<void> {
    this.#pauses++;
    await work.finally(() => this.#pauses--);
  }

  #releaseFar(): void {
    // Groups that were drawn just before this check may have no height yet.
    const isPlannedAgain = this.#plans > 1;
    this.#plans = 0;
    const far = this.#pauses > 0 ? [] : this.#farGroups();
    for (const group of far.slice(0, MAX_RELEASED_AT_ONCE)) group.release();
    if (far.length > MAX_RELEASED_AT_ONCE || this.#pauses > 0 || isPlannedAgain) this.plan();
  }

  async #restoreSelected(): Promise<void> {
    if (document.getSelection()?.isCollapsed !== false) return;
    let until = performance.now() + RESTORE_BUDGET_MS;
    for (const group of this.#groups.all) {
      if (!group.isReleased || !isSelected(group.element)) continue;
      if (performance.now() > until) {
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + DRAW_BUDGET_MS;
      }
      if (group.element.isConnected) this.#restore(group);
    }
  }

  #farGroups(): readonly MessageGroup[] {
    const { clientHeight } = this.#scroller;
    // A hidden page has no viewport.
    if (clientHeight === 0) return [];
    const box = this.#scroller.getBoundingClientRect();
    const reach = RELEASE_BEYOND_SCREENS * clientHeight;
    return this.#groups.all.filter((group) => {
      if (!group.isSkipped) return false;
      const { top, bottom } = group.element.getBoundingClientRect();
      return (bottom < box.top - reach || top > box.bottom + reach) && !isInUse(group.element);
    });
  }
}

function isInUse(group: Element): boolean {
  return (
    group.contains(document.activeElement) ||
    isSelected(group) ||
    isHighlighted(group) ||
    group.querySelector(NEVER_RELEASED) !== null
  );
}
