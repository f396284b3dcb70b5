import { h } from '../dom.ts';
import type { MessageDrawing } from './messages.ts';

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
    for (const [index, drawing] of drawings.entries()) {
      drawing.element.style.minHeight = `${this.#released?.[index]?.height ?? 0}px`;
      this.append(drawing);
    }
    this.#released = undefined;
    this.element.style.height = '';
  }

  /** Its messages are all drawn, and have the height that they need. */
  settle(): void {
    for (const { element } of this.#drawings) element.style.minHeight = '';
  }
}
