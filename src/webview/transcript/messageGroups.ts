import { h, setPresent } from '../dom.ts';
import { drawWhole } from '../frames.ts';
import { skipOnceLaidOut } from '../skippable.ts';
import type { Localizer } from '../localizer.ts';
import type { MessageStore } from '../messageStore.ts';
import type { MessageDrawing } from './messages.ts';
import { firstBelow, type Anchor } from './scrollAnchor.ts';

/** Messages in [from, end), by index in the whole conversation, that are not drawn, and the group after them. */
export interface Gap {
  readonly from: number;
  readonly end: number;
  readonly next: MessageGroup;
}

/**
 * The drawn and released messages of a conversation: groups with gaps between them, so that a message far back can be
 * shown without drawing all later ones.
 */
export class MessageGroups {
  readonly #feed: HTMLElement;
  readonly #messages: MessageStore;
  readonly #localizer: Localizer;
  /** In order. */
  #groups: MessageGroup[] = [];

  constructor(feed: HTMLElement, messages: MessageStore, localizer: Localizer) {
    this.#feed = feed;
    this.#messages = messages;
    this.#localizer = localizer;
  }

  get all(): readonly MessageGroup[] {
    return this.#groups;
  }

  get drawings(): readonly MessageDrawing[] {
    return this.#groups.flatMap(({ drawings }) => drawings);
  }

  get elements(): readonly HTMLElement[] {
    return this.drawings.map(({ element }) => element);
  }

  /** The gaps between the groups, and the one before the first group. */
  get gaps(): readonly Gap[] {
    return this.#groups.flatMap((next, index) => {
      const from = this.#groups[index - 1]?.end ?? 0;
      return from < next.from ? [{ from, end: next.from, next }] : [];
    });
  }

  groupAt(index: number): MessageGroup | undefined {
    return this.#groups.find(({ from, end }) => from <= index && index < end);
  }

  /** Returns the drawing of the message at an index, if it is drawn. */
  drawingAt(index: number): MessageDrawing | undefined {
    const group = this.groupAt(index);
    return group?.drawings[index - group.from];
  }

  /** Returns the groups between two heights, in CSS pixels from the top of the window. */
  groupsBetween(top: number, bottom: number): readonly MessageGroup[] {
    const elements = this.#groups.map(({ element }) => element);
    const first = firstBelow(elements, top);
    const isBelow = (element: Element): boolean => element.getBoundingClientRect().top > bottom;
    const after = elements.findIndex((element, index) => index >= first && isBelow(element));
    return this.#groups.slice(first, after === -1 ? undefined : after);
  }

  /** Counts the blocks from a message on. */
  blocksFrom(index: number): number {
    const later = this.#groups.filter(({ end }) => end > index);
    return later.reduce((sum, group) => sum + group.blocksFrom(index), 0);
  }

  /** Draws the messages below an anchor until they fill the viewport, so that the anchor can be scrolled into place. */
  async drawBelow({ element, offset }: Anchor, { clientHeight }: Element): Promise<void> {
    const { drawings } = this;
    const at = drawings.findIndex((drawing) => drawing.element.contains(element));
    for (const drawing of drawings.slice(at + 1)) {
      const below = drawing.element.getBoundingClientRect().top;
      if (below - element.getBoundingClientRect().top - offset > clientHeight) return;
      await drawWhole(drawing);
    }
  }

  /** Lets the browser skip the groups to which no message is added. Everything must be drawn. */
  skipFullGroups(): void {
    for (const [index, group] of this.#groups.entries())
      if (group.end === this.#groups[index + 1]?.from) skipOnceLaidOut(group.element);
  }

  clear(): void {
    this.#groups = [];
    this.#feed.replaceChildren();
  }

  /** Adds the drawings of consecutive messages that are in no group yet. */
  insert(from: number, drawings: readonly MessageDrawing[]): void {
    let at = this.#groups.findLastIndex((group) => group.from < from);
    for (const [offset, drawing] of drawings.entries()) {
      const index = from + offset;
      if (this.#groups[at]?.takes(index) !== true) this.#open(++at, index);
      this.#groups[at]?.append(drawing);
    }
    for (const [index, { from: start, element, placeholder }] of this.#groups.entries()) {
      const isAfterGap = (this.#groups[index - 1]?.end ?? 0) < start;
      setPresent(placeholder, isAfterGap, () => element.before(placeholder));
    }
    this.#divideDays(from, from + drawings.length);
  }

  /** Shows a released group again. `drawings` are those of its messages. */
  restore(group: MessageGroup, drawings: readonly MessageDrawing[]): void {
    group.restore(drawings);
    this.#divideDays(group.from, group.end);
  }

  #open(at: number, from: number): void {
    const group = new MessageGroup(from, this.#localizer.strings.loadingEarlier);
    const before = this.#groups[at - 1]?.element;
    if (before === undefined) this.#feed.prepend(group.element);
    else before.after(group.element);
    this.#groups.splice(at, 0, group);
  }

  /**
   * Inserts a date divider before each message in [from, to] whose day, in the user's time zone, differs from that of the
   * previous message. Skips a message whose previous message is not known yet.
   */
  #divideDays(from: number, to: number): void {
    for (let index = from; index <= to; index++) {
      const [before, message] = [this.#messages.at(index - 1), this.#messages.at(index)];
      if (!before || !message || isSameDay(before.at, message.at)) continue;
      const element = this.drawingAt(index)?.element;
      if (!element || element.previousElementSibling?.matches('.day') === true) continue;
      const day = this.#localizer.day(message.at);
      element.before(h('div', { class: 'day', role: 'separator', 'aria-label': day }, day));
    }
  }
}

/** Maximum number of messages in a group. */
const MAX_GROUP_MESSAGES = 20;

/**
 * Consecutive messages. The browser skips layout and paint of a full group that is out of sight. Far from the viewport, a
 * group is released: it drops the elements of its messages and keeps their heights, so that nothing moves.
 */
export class MessageGroup {
  readonly element = h('div', { class: 'message-group' });
  /** Stands for the messages before the group that are not drawn. */
  readonly placeholder: HTMLElement;
  /** The index of its first message in the whole conversation. */
  readonly from: number;
  #drawings: MessageDrawing[] = [];
  #released: readonly { readonly height: number; readonly blockCount: number }[] | undefined;
  /** True if its messages have their own heights, not reserved ones. */
  isSettled = true;

  constructor(from: number, gapText: string) {
    this.from = from;
    this.placeholder = h('p', { class: 'earlier' }, gapText);
  }

  get end(): number {
    return this.from + (this.#released ?? this.#drawings).length;
  }

  get drawings(): readonly MessageDrawing[] {
    return this.#drawings;
  }

  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  /** Returns whether the message at an index can be appended. */
  takes(index: number): boolean {
    return index === this.end && index < this.from + MAX_GROUP_MESSAGES && !this.isReleased;
  }

  append(drawing: MessageDrawing): void {
    this.#drawings.push(drawing);
    this.element.append(drawing.element);
  }

  blocksFrom(index: number): number {
    const messages = (this.#released ?? this.#drawings).slice(Math.max(0, index - this.from));
    return messages.reduce((sum, { blockCount }) => sum + blockCount, 0);
  }

  /** True if the browser may skip the group. */
  get isSkipped(): boolean {
    return !this.isReleased && this.element.classList.contains('skippable');
  }

  release(): void {
    const { height } = this.element.getBoundingClientRect();
    this.#released = this.#drawings.map(({ element, blockCount }) => ({
      height: element.getBoundingClientRect().height,
      blockCount,
    }));
    this.#drawings = [];
    this.element.style.height = `${height}px`;
    this.element.replaceChildren();
  }

  /** Takes new drawings of the released messages. Each reserves its height until {@link settle}. */
  restore(drawings: readonly MessageDrawing[]): void {
    this.isSettled = false;
    for (const [index, drawing] of drawings.entries()) {
      drawing.element.style.minHeight = `${this.#released?.[index]?.height ?? 0}px`;
      this.append(drawing);
    }
    this.#released = undefined;
    this.element.style.height = '';
  }

  /** Drops the reserved heights, once all messages are drawn. */
  settle(): void {
    this.isSettled = true;
    for (const { element } of this.#drawings) element.style.minHeight = '';
  }
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
