import { h } from '../dom.ts';
import { drawWhole } from '../frames.ts';
import { skipOnceLaidOut } from '../skippable.ts';
import type { MessageDrawing } from './messages.ts';
import { firstBelow, type Anchor } from './scrollAnchor.ts';

/** A range of messages, by index in the whole conversation, that are drawn or released. */
export interface Segment {
  from: number;
  end: number;
  /** A placeholder for the messages before the segment. */
  readonly gap: HTMLElement;
  /** At least one. */
  readonly groups: MessageGroup[];
}

/**
 * The drawn messages of a conversation: segments with gaps between them, so that a message far back can be shown without
 * drawing all later ones. Segments that meet are joined.
 */
export class Segments {
  readonly #feed: HTMLElement;
  readonly #gapText: string;
  readonly #drawn: (from: number, end: number) => void;
  #segments: Segment[] = [];

  /** @param drawn called after messages in [from, end) were added to the page */
  constructor(feed: HTMLElement, gapText: string, drawn: (from: number, end: number) => void) {
    this.#feed = feed;
    this.#gapText = gapText;
    this.#drawn = drawn;
  }

  get all(): readonly Readonly<Segment>[] {
    return this.#segments;
  }

  get last(): Readonly<Segment> | undefined {
    return this.#segments.at(-1);
  }

  get groups(): readonly MessageGroup[] {
    return this.#segments.flatMap(({ groups }) => groups);
  }

  get elements(): HTMLElement[] {
    return this.groups.flatMap(({ drawings }) => drawings.map(({ element }) => element));
  }

  /** True if nothing of a message is drawn yet. */
  get hasPending(): boolean {
    return this.groups.some(({ drawings }) => drawings.some(({ isPending }) => isPending === true));
  }

  groupAt(index: number): MessageGroup | undefined {
    const segment = this.#segments.find(({ from, end }) => from <= index && index < end);
    return segment?.groups.findLast(({ from }) => from <= index);
  }

  /** Returns the groups between two heights, in CSS pixels from the top of the window. */
  groupsBetween(top: number, bottom: number): readonly MessageGroup[] {
    const { groups } = this;
    const elements = groups.map(({ element }) => element);
    const first = firstBelow(elements, top);
    const isBelow = (element: Element): boolean => element.getBoundingClientRect().top > bottom;
    const after = elements.findIndex((element, index) => index >= first && isBelow(element));
    return groups.slice(first, after === -1 ? undefined : after);
  }

  /** Returns the end of the last segment that ends at `index` or before. */
  endBefore(index: number): number {
    return this.#segments.findLast(({ end }) => end <= index)?.end ?? 0;
  }

  /** Counts the blocks of the last segment from a message on. */
  blocksFrom(index: number): number {
    const groups = this.last?.groups ?? [];
    const later = groups.filter(({ end }) => end > index);
    return later.reduce((sum, group) => sum + group.blocksFrom(index), 0);
  }

  /** Draws the messages below an anchor until they fill the viewport. Before that, it cannot be scrolled into place. */
  async drawBelow({ element, offset }: Anchor, { clientHeight }: Element): Promise<void> {
    const drawings = this.groups.flatMap((group) => group.drawings);
    const at = drawings.findIndex((drawing) => drawing.element.contains(element));
    for (const drawing of drawings.slice(at + 1)) {
      const below = drawing.element.getBoundingClientRect().top;
      if (below - element.getBoundingClientRect().top - offset > clientHeight) return;
      await drawWhole(drawing);
    }
  }

  /** Lets the browser skip full groups. Everything must be drawn. */
  skipFullGroups(): void {
    for (const { groups } of this.#segments) for (const group of groups.slice(0, -1)) group.skip();
  }

  clear(): void {
    this.#segments = [];
    this.#feed.replaceChildren();
  }

  /** Opens a segment with at least one message. */
  open(from: number, drawings: readonly MessageDrawing[]): void {
    const at = this.#segments.findIndex((segment) => segment.from > from);
    const index = at === -1 ? this.#segments.length : at;
    const gap = h('p', { class: 'earlier' }, this.#gapText);
    const group = new MessageGroup(from);
    const next = this.#segments[index]?.gap ?? null;
    this.#feed.insertBefore(gap, next);
    this.#feed.insertBefore(group.element, next);
    const segment = { from, end: from, gap, groups: [group] };
    this.#segments.splice(index, 0, segment);
    this.append(segment, drawings);
  }

  append(segment: Segment, drawings: readonly MessageDrawing[]): void {
    const from = segment.end;
    for (const drawing of drawings) {
      this.#openGroup(segment).append(drawing);
      segment.end++;
    }
    this.#drawn(from, segment.end);
    this.#join();
  }

  prepend(segment: Segment, drawings: readonly MessageDrawing[]): void {
    segment.from -= drawings.length;
    const first = new MessageGroup(segment.from);
    for (const drawing of drawings) first.append(drawing);
    segment.gap.after(first.element);
    segment.groups.unshift(first);
    this.#drawn(segment.from, first.end);
    this.#join();
  }

  restore(group: MessageGroup, drawings: readonly MessageDrawing[]): void {
    group.restore(drawings);
    this.#drawn(group.from, group.end);
  }

  /** Returns the last group of a segment, or a new one if that is full or released. */
  #openGroup({ groups, end }: Segment): MessageGroup {
    const last = groups.at(-1);
    if (last !== undefined && !last.isFull && !last.isReleased) return last;
    const next = new MessageGroup(end);
    last?.element.after(next.element);
    groups.push(next);
    return next;
  }

  #join(): void {
    for (let index = this.#segments.length - 1; index > 0; index--) {
      const later = this.#segments[index];
      const earlier = this.#segments[index - 1];
      if (later === undefined || earlier === undefined || earlier.end < later.from) continue;
      later.gap.remove();
      earlier.groups.push(...later.groups);
      earlier.end = later.end;
      this.#segments.splice(index, 1);
    }
    const [first] = this.#segments;
    if (first !== undefined) first.gap.hidden = first.from === 0;
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
  /** The index of its first message in the whole conversation. */
  readonly from: number;
  #drawings: MessageDrawing[] = [];
  #released: readonly { readonly height: number; readonly blockCount: number }[] | undefined;
  /** True if its messages have their own heights, not reserved ones. */
  isSettled = true;

  constructor(from: number) {
    this.from = from;
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

  get isFull(): boolean {
    return this.end - this.from >= MAX_GROUP_MESSAGES;
  }

  append(drawing: MessageDrawing): void {
    this.#drawings.push(drawing);
    this.element.append(drawing.element);
  }

  blocksFrom(index: number): number {
    const messages = (this.#released ?? this.#drawings).slice(Math.max(0, index - this.from));
    return messages.reduce((sum, { blockCount }) => sum + blockCount, 0);
  }

  skip(): void {
    skipOnceLaidOut(this.element);
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
