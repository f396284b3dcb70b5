import type { PartView } from '../../protocol/view.ts';
import { h, icon, setText } from '../dom.ts';
import { MarkdownView } from '../markdown/markdownView.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';
import { QuestionCard } from './questionCard.ts';

/** A drawn stretch of a reply. */
export interface PartDrawing {
  readonly element: HTMLElement;
  /** How many blocks of the reply it holds, for the count of new ones. */
  readonly blockCount: number;
  /**
   * Becomes `part`.
   *
   * @param growing whether more text may come to it
   * @returns false where it cannot: draw a new one in its place
   */
  update(part: PartView, growing: boolean): boolean;
  append(text: string): void;
  /** Draws a step of what has come; returns whether there is more. */
  draw(): boolean;
}

export function drawPart(page: Page, part: PartView, growing: boolean): PartDrawing {
  switch (part.kind) {
    case 'text':
      return new TextPart(page, part.text, growing);
    case 'reasoning':
      return new ReasoningPart(page, part, growing);
    case 'question':
      return new QuestionCard(page, part.question);
  }
}

/** Markdown whose whole text is known each time; only what is new is handed on. */
class GrowingText {
  readonly view: MarkdownView;
  #text = '';

  constructor(page: Page, text: string, growing: boolean) {
    this.view = new MarkdownView(page.words.strings, page.colouring, page.files);
    this.append(text);
    if (!growing) this.view.complete();
  }

  append(text: string): void {
    this.#text += text;
    this.view.append(text);
  }

  update(text: string, growing: boolean): boolean {
    if (!text.startsWith(this.#text)) return false;
    if (text.length > this.#text.length) this.append(text.slice(this.#text.length));
    if (!growing) this.view.complete();
    return true;
  }
}

class TextPart implements PartDrawing {
  readonly element: HTMLElement;
  readonly #text: GrowingText;

  constructor(page: Page, text: string, growing: boolean) {
    this.#text = new GrowingText(page, text, growing);
    this.element = this.#text.view.element;
  }

  get blockCount(): number {
    return this.#text.view.blockCount;
  }

  update(part: PartView, growing: boolean): boolean {
    return part.kind === 'text' && this.#text.update(part.text, growing);
  }

  append(text: string): void {
    this.#text.append(text);
  }

  draw(): boolean {
    return this.#text.view.draw();
  }
}

/** What the intern thought, folded away: its summary says for how long. Drawn only once it is opened. */
class ReasoningPart implements PartDrawing {
  readonly element: HTMLDetailsElement;
  readonly blockCount = 1;
  readonly #page: Page;
  readonly #label = h('span');
  readonly #text: GrowingText;

  constructor(page: Page, part: Extract<PartView, { kind: 'reasoning' }>, growing: boolean) {
    this.#page = page;
    this.#text = new GrowingText(page, part.text, growing);
    const body = h('div', { class: 'reasoning-body' }, this.#text.view.element);
    this.element = h(
      'details',
      { class: 'reasoning' },
      h('summary', {}, icon('chevron-right'), this.#label),
      body,
    );
    this.element.addEventListener('toggle', () => {
      while (this.element.open && this.#text.view.draw());
    });
    this.#setLabel(part, growing);
  }

  update(part: PartView, growing: boolean): boolean {
    if (part.kind !== 'reasoning' || !this.#text.update(part.text, growing)) return false;
    this.#setLabel(part, growing);
    return true;
  }

  append(text: string): void {
    this.#text.append(text);
  }

  draw(): boolean {
    return this.element.open && this.#text.view.draw();
  }

  #setLabel(part: Extract<PartView, { kind: 'reasoning' }>, growing: boolean): void {
    const { strings } = this.#page.words;
    const thinking = part.endedAt === undefined && growing;
    this.element.classList.toggle('thinking', thinking);
    if (thinking) setText(this.#label, strings.thinking);
    else if (part.endedAt === undefined) setText(this.#label, strings.thought);
    else
      setText(
        this.#label,
        fill(strings.thoughtFor, this.#page.words.duration(part.endedAt - part.startedAt)),
      );
  }
}
