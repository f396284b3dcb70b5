import { h } from '../dom.ts';
import { Group } from './group.ts';
import type { MessageDrawing } from './messages.ts';
import { firstBelow } from './place.ts';

/** Messages that are drawn one after the other, or were. */
export interface Segment {
  /** The place of its first message in the whole conversation. */
  readonly from: number;
  /** The place after its last message. */
  readonly end: number;
  /** Stands before it for the messages that are not drawn; hidden where there are none. */
  readonly gap: HTMLElement;
}

interface OpenSegment extends Segment {
  from: number;
  end: number;
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
  #segments: OpenSegment[] = [];
  /** Groups that take no more messages, whose messages may not be all drawn yet. */
  #fullGroups: Group[] = [];
  /** Groups that are drawn again, whose messages may not be all drawn yet. */
  #restored: Group[] = [];

  /** @param gapText what stands in a gap */
  constructor(log: HTMLElement, gapText: string) {
    this.#log = log;
    this.#gapText = gapText;
  }

  /** From the first to the last. */
  get all(): readonly Segment[] {
    return this.#segments;
  }

  get last(): Segment | undefined {
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

  /** All is drawn: full groups may be skipped from now on, since the browser has learnt how high they are. */
  skipFullGroups(): void {
    for (const full of this.#fullGroups.splice(0)) full.skip();
  }

  /** Returns whether there are restored groups that are not settled yet. */
  get hasRestored(): boolean {
    return this.#restored.length > 0;
  }

  /** All is drawn: restored groups have the height that they need. */
  settleRestored(): void {
    for (const group of this.#restored.splice(0)) group.settle();
  }

  clear(): void {
    this.#segments = [];
    this.#fullGroups = [];
    this.#restored = [];
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
    const grown = this.#own(segment);
    for (const drawing of drawings) {
      this.#openGroup(grown).append(drawing);
      grown.end++;
    }
    this.#join();
  }

  /** Draws messages just before a segment. */
  prepend(segment: Segment, drawings: readonly MessageDrawing[]): void {
    const grown = this.#own(segment);
    grown.from -= drawings.length;
    const first = new Group(grown.from);
    this.#fullGroups.push(first);
    for (const drawing of drawings) first.append(drawing);
    grown.gap.after(first.element);
    grown.groups.unshift(first);
    this.#join();
  }

  /** Draws again what a group had released. */
  restore(group: Group, drawings: readonly MessageDrawing[]): void {
    group.restore(drawings);
    this.#restored.push(group);
  }

  /** The last group of a segment, or a new one where that takes no more. */
  #openGroup({ groups, end }: OpenSegment): Group {
    const last = groups.at(-1);
    if (last !== undefined && !last.isFull && !last.isReleased) return last;
    const next = new Group(end);
    if (last !== undefined) this.#fullGroups.push(last);
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
      this.#fullGroups.push(...earlier.groups.slice(-1));
      earlier.groups.push(...later.groups);
      earlier.end = later.end;
      this.#segments.splice(index, 1);
    }
    const [first] = this.#segments;
    if (first !== undefined) first.gap.hidden = first.from === 0;
  }

  #own(segment: Segment): OpenSegment {
    const own = this.#segments.find((each) => each === segment);
    if (own === undefined) throw new Error('the segment is none of these');
    return own;
  }
}
