import { h } from '../dom.ts';
import type { MessageDrawing } from './messages.ts';
import { firstBelow } from './scrollAnchor.ts';

/** Messages that are drawn one after the other, or were. */
export interface Segment {
  /** The place of its first message in the whole conversation. */
  from: number;
  /** The place after its last message. */
  end: number;
  /** Stands before it for the messages that are not drawn; hidden where there are none. */
  readonly gap: HTMLElement;
  /** At least one. */
  readonly groups: Group[];
}

/**
 * The drawn messages of a conversation, in order: segments with gaps between them, since whoever looks for something
 * from thousands of messages ago does not want to wait for all that came after it. Segments that meet become one.
 */
export class Segments {
  readonly #log: HTMLElement;
  readonly #gapText: string;
  readonly #drawn: (from: number, end: number) => void;
  #segments: Segment[] = [];

  /**
   * @param gapText what stands in a gap
   * @param drawn called when the messages from one place up to another were put into the page
   */
  constructor(log: HTMLElement, gapText: string, drawn: (from: number, end: number) => void) {
    this.#log = log;
    this.#gapText = gapText;
    this.#drawn = drawn;
  }

  /** From the first to the last. */
  get all(): readonly Readonly<Segment>[] {
    return this.#segments;
  }

  get last(): Readonly<Segment> | undefined {
    return this.#segments.at(-1);
  }

  /** All groups, in order. */
  get groups(): readonly Group[] {
    return this.#segments.flatMap(({ groups }) => groups);
  }

  /** The elements of the drawn messages, in order. */
  get elements(): HTMLElement[] {
    return this.groups.flatMap(({ drawings }) => drawings.map(({ element }) => element));
  }

  /** The group that has a place. */
  groupAt(place: number): Group | undefined {
    const segment = this.#segments.find(({ from, end }) => from <= place && place < end);
    return segment?.groups.findLast(({ from }) => from <= place);
  }

  /** The groups between two heights, in CSS pixels from the top of the window. */
  groupsBetween(top: number, bottom: number): readonly Group[] {
    const { groups } = this;
    const elements = groups.map(({ element }) => element);
    const first = firstBelow(elements, top);
    const isBelow = (element: Element): boolean => element.getBoundingClientRect().top > bottom;
    const after = elements.findIndex((element, index) => index >= first && isBelow(element));
    return groups.slice(first, after === -1 ? undefined : after);
  }

  /** The place after the last message that is drawn before a segment. */
  endBefore(segment: Segment): number {
    return this.#segments.findLast(({ end }) => end <= segment.from)?.end ?? 0;
  }

  /** Blocks of text in the messages of the last segment, from a place on. */
  blocksFrom(place: number): number {
    const groups = this.#segments.at(-1)?.groups ?? [];
    const later = groups.filter(({ end }) => end > place);
    return later.reduce((sum, group) => sum + group.blocksFrom(place), 0);
  }

  /** All is drawn: groups that take no more messages may be skipped, since the browser has learnt how high they are. */
  skipFullGroups(): void {
    for (const { groups } of this.#segments) for (const group of groups.slice(0, -1)) group.skip();
  }

  clear(): void {
    this.#segments = [];
    this.#log.replaceChildren();
  }

  /** Begins a segment at a place where nothing is drawn, with at least one message. */
  open(from: number, drawings: readonly MessageDrawing[]): void {
    const at = this.#segments.findIndex((segment) => segment.from > from);
    const index = at === -1 ? this.#segments.length : at;
    const gap = h('p', { class: 'earlier' }, this.#gapText);
    const group = new Group(from);
    const next = this.#segments[index]?.gap ?? null;
    this.#log.insertBefore(gap, next);
    this.#log.insertBefore(group.element, next);
    const segment = { from, end: from, gap, groups: [group] };
    this.#segments.splice(index, 0, segment);
    this.append(segment, drawings);
  }

  /** Draws messages just after a segment. */
  append(segment: Segment, drawings: readonly MessageDrawing[]): void {
    const from = segment.end;
    for (const drawing of drawings) {
      this.#openGroup(segment).append(drawing);
      segment.end++;
    }
    this.#drawn(from, segment.end);
    this.#join();
  }

  /** Draws messages just before a segment. */
  prepend(segment: Segment, drawings: readonly MessageDrawing[]): void {
    segment.from -= drawings.length;
    const first = new Group(segment.from);
    for (const drawing of drawings) first.append(drawing);
    segment.gap.after(first.element);
    segment.groups.unshift(first);
    this.#drawn(segment.from, first.end);
    this.#join();
  }

  /** Draws again what a group had released. */
  restore(group: Group, drawings: readonly MessageDrawing[]): void {
    group.restore(drawings);
    this.#drawn(group.from, group.end);
  }

  /** The last group of a segment, or a new one where that takes no more. */
  #openGroup({ groups, end }: Segment): Group {
    const last = groups.at(-1);
    if (last !== undefined && !last.isFull && !last.isReleased) return last;
    const next = new Group(end);
    last?.element.after(next.element);
    groups.push(next);
    return next;
  }

  /** Makes one of segments that meet: their messages stay where they are, only the gap goes. */
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

/** How many messages a group holds at most. */
const mostMessages = 20;

/** The facts that are kept of a message while it is released. */
interface Outline {
  /** CSS pixels. */
  readonly height: number;
  readonly blockCount: number;
}

/**
 * Messages that follow each other. The browser skips layout and paint of a full group that is out of sight. Far from the
 * viewport a group is released: it gives up its messages' elements and keeps their height, so that nothing moves.
 */
export class Group {
  readonly element = h('div', { class: 'message-group' });
  /** The place of its first message in the whole conversation. */
  readonly from: number;
  #drawings: MessageDrawing[] = [];
  #released: readonly Outline[] | undefined;
  /** Tells whether its messages have the height that they need, not one that is reserved for them. */
  isSettled = true;

  constructor(from: number) {
    this.from = from;
  }

  /** The place after its last message. */
  get end(): number {
    return this.from + (this.#released ?? this.#drawings).length;
  }

  get drawings(): readonly MessageDrawing[] {
    return this.#drawings;
  }

  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  /** Returns whether it takes no more messages. */
  get isFull(): boolean {
    return this.end - this.from >= mostMessages;
  }

  append(drawing: MessageDrawing): void {
    this.#drawings.push(drawing);
    this.element.append(drawing.element);
  }

  /** Blocks of text in its messages, from a place on. */
  blocksFrom(place: number): number {
    const messages = (this.#released ?? this.#drawings).slice(Math.max(0, place - this.from));
    return messages.reduce((sum, { blockCount }) => sum + blockCount, 0);
  }

  /** Lets the browser skip it: all of its messages are drawn, so that the browser knows its height. */
  skip(): void {
    this.element.classList.add('full');
  }

  /** Returns whether it is one that the browser may skip, with its messages drawn. */
  get isSkipped(): boolean {
    return !this.isReleased && this.element.classList.contains('full');
  }

  /** Gives up the elements of its messages. */
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

  /** Takes the messages that it gave up, drawn anew. Each reserves its height until {@link settle}. */
  restore(drawings: readonly MessageDrawing[]): void {
    this.isSettled = false;
    for (const [index, drawing] of drawings.entries()) {
      drawing.element.style.minHeight = `${this.#released?.[index]?.height ?? 0}px`;
      this.append(drawing);
    }
    this.#released = undefined;
    this.element.style.height = '';
  }

  /** Its messages are all drawn. */
  settle(): void {
    this.isSettled = true;
    for (const { element } of this.#drawings) element.style.minHeight = '';
  }
}
