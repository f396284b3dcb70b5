import type { CodeBlock, Colouring } from '../markdown/codeBlock.ts';
import { buildGrammars, colour, isKnownLanguage } from './languages.ts';
import { codeNodes } from './spans.ts';

/** Longer code stays as it is, in characters: nobody reads it for its colours, and it would take seconds. */
const longestCode = 200_000;
/** Code is coloured in stretches of about this many characters, so that none takes longer than a frame or two. */
const stretchLength = 3000;
/** How long a block must stay near, in milliseconds: those that fly by are coloured when the reader comes to them. */
const patience = 150;

/**
 * Colours code blocks once they are complete and near the part that is seen, while the browser has nothing better to
 * do: never in a frame that draws a reply.
 */
export class Highlighter implements Colouring {
  readonly #near: IntersectionObserver;
  readonly #blocks = new Map<Element, CodeBlock>();
  readonly #queue = new Set<CodeBlock>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param scroller what the blocks scroll in */
  constructor(scroller: Element) {
    this.#near = new IntersectionObserver((entries) => this.#seen(entries), {
      root: scroller,
      rootMargin: '200px 0px',
    });
  }

  complete(block: CodeBlock): void {
    const { language, text } = block;
    if (language === '' || text.length > longestCode) return;
    this.#blocks.set(block.element, block);
    this.#near.observe(block.element);
  }

  forget(block: CodeBlock): void {
    this.#blocks.delete(block.element);
    this.#queue.delete(block);
    this.#near.unobserve(block.element);
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const block = this.#blocks.get(target);
      if (block === undefined) continue;
      if (isIntersecting) this.#queue.add(block);
      else this.#queue.delete(block);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#queue.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#rest(), patience);
  }

  #rest(): void {
    requestIdleCallback(() => this.#work(), { timeout: 500 });
  }

  /** Colours one block a turn, a long one in several: a turn must stay short, whatever the deadline says. */
  #work(): void {
    const [block] = this.#queue;
    const built = buildGrammars();
    if (!built && block !== undefined && (!block.element.isConnected || colourNext(block)))
      this.forget(block);
    if (this.#queue.size > 0) this.#rest();
    else this.#timer = undefined;
  }
}

/** Colours the next pieces of a block that are not coloured yet; returns whether that was the last of it. */
function colourNext(block: CodeBlock): boolean {
  if (!isKnownLanguage(block.language)) return true;
  const plain = block.pieces.filter((piece) => piece.dataset['coloured'] === undefined);
  let length = 0;
  const stretch: HTMLElement[] = [];
  for (const piece of plain) {
    const size = piece.textContent.length;
    if (stretch.length > 0 && length + size > stretchLength) break;
    stretch.push(piece);
    length += size;
  }
  for (const piece of stretch) {
    piece.replaceChildren(codeNodes(colour(piece.textContent, block.language)));
    piece.dataset['coloured'] = '';
  }
  return stretch.length === plain.length;
}
