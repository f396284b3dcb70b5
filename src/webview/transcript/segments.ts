import { h } from '../dom.ts';
import type { MessageDrawing } from './messages.ts';

/** Messages that a group holds. The browser skips layout and paint of full groups that are out of sight. */
const messagesPerGroup = 20;

/** Messages that are drawn one after the other. */
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
  readonly drawings: MessageDrawing[];
  lastGroup: HTMLElement;
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
  #fullGroups: HTMLElement[] = [];

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

  /** The elements of the drawn messages, in order. */
  get elements(): HTMLElement[] {
    return this.#segments.flatMap(({ drawings }) => drawings.map(({ element }) => element));
  }

  /** The place after the last message that is drawn before a segment. */
  endBefore(segment: Segment): number {
    return this.#segments.findLast(({ end }) => end <= segment.from)?.end ?? 0;
  }

  /** Blocks of text in the messages of the last segment, from a place on. */
  blocksFrom(place: number): number {
    const last = this.#segments.at(-1);
    if (last === undefined) return 0;
    const drawings = last.drawings.slice(Math.max(0, place - last.from));
    return drawings.reduce((sum, { blockCount }) => sum + blockCount, 0);
  }

  /** All is drawn: full groups may be skipped from now on, since the browser has learnt how high they are. */
  skipFullGroups(): void {
    for (const full of this.#fullGroups.splice(0)) full.classList.add('full');
  }

  clear(): void {
    this.#segments = [];
    this.#fullGroups = [];
    this.#log.replaceChildren();
  }

  /** Begins a segment at a place where nothing is drawn, with at least one message. */
  open(from: number, drawings: readonly MessageDrawing[]): void {
    const at = this.#segments.findIndex((segment) => segment.from > from);
    const index = at === -1 ? this.#segments.length : at;
    const gap = h('p', { class: 'earlier' }, this.#gapText);
    const lastGroup = group();
    const next = this.#segments[index]?.gap ?? null;
    this.#log.insertBefore(gap, next);
    this.#log.insertBefore(lastGroup, next);
    const segment = { from, end: from, gap, drawings: [], lastGroup };
    this.#segments.splice(index, 0, segment);
    this.append(segment, drawings);
  }

  /** Draws messages just after a segment. */
  append(segment: Segment, drawings: readonly MessageDrawing[]): void {
    const grown = this.#own(segment);
    for (const drawing of drawings) {
      if (grown.lastGroup.childElementCount >= messagesPerGroup) this.#beginGroup(grown);
      grown.lastGroup.append(drawing.element);
      grown.drawings.push(drawing);
    }
    grown.end += drawings.length;
    this.#join();
  }

  /** Draws messages just before a segment. */
  prepend(segment: Segment, drawings: readonly MessageDrawing[]): void {
    const grown = this.#own(segment);
    const first = group();
    this.#fullGroups.push(first);
    first.append(...drawings.map(({ element }) => element));
    grown.gap.after(first);
    grown.drawings.unshift(...drawings);
    grown.from -= drawings.length;
    this.#join();
  }

  #beginGroup(segment: OpenSegment): void {
    this.#fullGroups.push(segment.lastGroup);
    const next = group();
    segment.lastGroup.after(next);
    segment.lastGroup = next;
  }

  /** Makes one of segments that meet: their messages stay where they are, only the gap goes. */
  #join(): void {
    for (let index = this.#segments.length - 1; index > 0; index--) {
      const later = this.#segments[index];
      const earlier = this.#segments[index - 1];
      if (later === undefined || earlier === undefined || earlier.end < later.from) continue;
      later.gap.remove();
      this.#fullGroups.push(earlier.lastGroup);
      earlier.drawings.push(...later.drawings);
      earlier.end = later.end;
      earlier.lastGroup = later.lastGroup;
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

function group(): HTMLElement {
  return h('div', { class: 'message-group' });
}
