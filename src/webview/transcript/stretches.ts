import { h } from '../dom.ts';
import type { MessageDrawing } from './messages.ts';

/** Messages that a group holds. The browser skips layout and paint of groups that are out of sight. */
const messagesPerGroup = 20;

/** Messages that are drawn one after the other. */
export interface Stretch {
  /** The place of its first message in the whole conversation. */
  readonly from: number;
  /** The place after its last message. */
  readonly end: number;
  /** Stands before it for the messages that are not drawn; hidden where there are none. */
  readonly gap: HTMLElement;
}

interface OpenStretch extends Stretch {
  from: number;
  end: number;
  readonly drawings: MessageDrawing[];
  lastGroup: HTMLElement;
}

/**
 * The drawn messages of a conversation, in order: stretches with gaps between them, since whoever looks for something
 * from thousands of messages ago does not want to wait for all that came after it. Stretches that meet become one.
 */
export class Stretches {
  readonly #log: HTMLElement;
  readonly #gapText: string;
  #stretches: OpenStretch[] = [];

  /** @param gapText what stands in a gap */
  constructor(log: HTMLElement, gapText: string) {
    this.#log = log;
    this.#gapText = gapText;
  }

  /** From the first to the last. */
  get all(): readonly Stretch[] {
    return this.#stretches;
  }

  get last(): Stretch | undefined {
    return this.#stretches.at(-1);
  }

  /** The elements of the drawn messages, in order. */
  get elements(): HTMLElement[] {
    return this.#stretches.flatMap(({ drawings }) => drawings.map(({ element }) => element));
  }

  /** The place after the last message that is drawn before a stretch. */
  endBefore(stretch: Stretch): number {
    return this.#stretches.findLast(({ end }) => end <= stretch.from)?.end ?? 0;
  }

  /** Blocks of text in the messages of the last stretch, from a place on. */
  blocksFrom(place: number): number {
    const last = this.#stretches.at(-1);
    if (last === undefined) return 0;
    const drawings = last.drawings.slice(Math.max(0, place - last.from));
    return drawings.reduce((sum, { blockCount }) => sum + blockCount, 0);
  }

  clear(): void {
    this.#stretches = [];
    this.#log.replaceChildren();
  }

  /** Begins a stretch at a place where nothing is drawn, with at least one message. */
  open(from: number, drawings: readonly MessageDrawing[]): void {
    const at = this.#stretches.findIndex((stretch) => stretch.from > from);
    const index = at === -1 ? this.#stretches.length : at;
    const gap = h('p', { class: 'earlier' }, this.#gapText);
    const lastGroup = group();
    const next = this.#stretches[index]?.gap ?? null;
    this.#log.insertBefore(gap, next);
    this.#log.insertBefore(lastGroup, next);
    const stretch = { from, end: from, gap, drawings: [], lastGroup };
    this.#stretches.splice(index, 0, stretch);
    this.append(stretch, drawings);
  }

  /** Draws messages just after a stretch. */
  append(stretch: Stretch, drawings: readonly MessageDrawing[]): void {
    const grown = this.#own(stretch);
    for (const drawing of drawings) {
      if (grown.lastGroup.childElementCount >= messagesPerGroup) this.#beginGroup(grown);
      grown.lastGroup.append(drawing.element);
      grown.drawings.push(drawing);
    }
    grown.end += drawings.length;
    this.#join();
  }

  /** Draws messages just before a stretch. */
  prepend(stretch: Stretch, drawings: readonly MessageDrawing[]): void {
    const grown = this.#own(stretch);
    const first = group('full');
    first.append(...drawings.map(({ element }) => element));
    grown.gap.after(first);
    grown.drawings.unshift(...drawings);
    grown.from -= drawings.length;
    this.#join();
  }

  #beginGroup(stretch: OpenStretch): void {
    stretch.lastGroup.classList.add('full');
    const next = group();
    stretch.lastGroup.after(next);
    stretch.lastGroup = next;
  }

  /** Makes one of stretches that meet: their messages stay where they are, only the gap goes. */
  #join(): void {
    for (let index = this.#stretches.length - 1; index > 0; index--) {
      const later = this.#stretches[index];
      const earlier = this.#stretches[index - 1];
      if (later === undefined || earlier === undefined || earlier.end < later.from) continue;
      later.gap.remove();
      earlier.lastGroup.classList.add('full');
      earlier.drawings.push(...later.drawings);
      earlier.end = later.end;
      earlier.lastGroup = later.lastGroup;
      this.#stretches.splice(index, 1);
    }
    const [first] = this.#stretches;
    if (first !== undefined) first.gap.hidden = first.from === 0;
  }

  #own(stretch: Stretch): OpenStretch {
    const own = this.#stretches.find((each) => each === stretch);
    if (own === undefined) throw new Error('the stretch is none of these');
    return own;
  }
}

function group(look = ''): HTMLElement {
  return h('div', { class: `message-group ${look}`.trim() });
}
