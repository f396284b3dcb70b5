import { CODE_COLORS, type CodeColors } from '../../protocol/view.ts';
import { h } from '../dom.ts';
import { decodeEntities } from '../markdown/draw/inline.ts';
import { isSelected } from '../textRanges.ts';
import {
  codeBlockOf,
  markHidden,
  type CodeBlock,
  type CodeHighlighter,
} from '../markdown/draw/codeBlock.ts';

type Languages = typeof import('./languages.ts');

/** Longest code that is colored, in characters. More would take seconds. */
const MAX_CODE_CHARACTERS = 200_000;
/** Longest line that is colored, in characters. Some grammars search the line for each of its words. */
const MAX_LINE_CHARACTERS = 500;
/** Longest uninterrupted turn of coloring, in ms. */
const MAX_TURN_MS = 8;
/** How long a block must stay near the viewport, in ms. */
const NEAR_VIEWPORT_MS = 150;

/** Colors complete code blocks near the viewport when the browser is idle, never in a frame that draws a reply. */
export class Highlighter implements CodeHighlighter {
  readonly #near: IntersectionObserver;
  readonly #queue = new Set<CodeBlock>();
  #isWorking = false;

  constructor(scroller: Element) {
    this.#near = new IntersectionObserver((entries) => this.#handleScroll(entries), {
      root: scroller,
      rootMargin: '200px 0px',
    });
    document.addEventListener('selectionchange', () => this.#begin());
  }

  complete(block: CodeBlock): void {
    const { language, text } = block;
    if (language === '' || text.length > MAX_CODE_CHARACTERS) return;
    this.#near.observe(block.element);
  }

  forget(block: CodeBlock): void {
    this.#queue.delete(block);
    this.#near.unobserve(block.element);
  }

  #handleScroll(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const block = codeBlockOf(target);
      if (block === undefined) continue;
      if (isIntersecting) this.#queue.add(block);
      else this.#queue.delete(block);
    }
    this.#begin();
  }

  #begin(): void {
    if (this.#isWorking || this.#nextBlocks().length === 0) return;
    this.#isWorking = true;
    setTimeout(() => void this.#work(), NEAR_VIEWPORT_MS);
  }

  /** Returns the blocks that wait, without those with selected text: coloring would end the selection. */
  #nextBlocks(): readonly CodeBlock[] {
    const hasSelection = document.getSelection()?.isCollapsed === false;
    return [...this.#queue].filter(({ element }) => !hasSelection || !isSelected(element));
  }

  /** Colors the blocks in turns, which may be shorter than the idle deadline. */
  async #work(): Promise<void> {
    // A separate bundle. If it can't be loaded, the next block that comes near tries again.
    const languages = await import('./languages.ts').catch(() => undefined);
    while (languages !== undefined && this.#nextBlocks().length > 0) {
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
      const until = performance.now() + MAX_TURN_MS;
      for (const block of this.#nextBlocks()) {
        if (performance.now() >= until || languages.buildGrammars(until)) break;
        if (!block.element.isConnected || color(block, languages, until)) this.forget(block);
      }
    }
    this.#isWorking = false;
  }
}

/** Colors at least one more piece of a block. Returns whether all are colored. */
function color({ pieces, language }: CodeBlock, languages: Languages, until: number): boolean {
  if (!languages.isKnownLanguage(language)) return true;
  const plain = pieces.filter((piece) => piece.dataset['colored'] === undefined);
  for (const [index, piece] of plain.entries()) {
    const code = piece.textContent;
    if (code.split('\n').every((line) => line.length <= MAX_LINE_CHARACTERS))
      piece.replaceChildren(codeNodes(languages.colored(code, language)));
    markHidden(piece);
    piece.dataset['colored'] = '';
    if (performance.now() >= until) return index === plain.length - 1;
  }
  return true;
}

/**
 * Turns the output of highlight.js, text and spans with a class, into nodes. Nothing else is parsed, so code cannot become
 * markup.
 */
function codeNodes(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const open: string[] = [];
  for (const [, name, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    const around = open.at(-1) ?? '';
    if (name !== undefined) open.push(name === '' ? around : name);
    else if (text === undefined) open.pop();
    else if (around === '') fragment.append(decodeEntities(text));
    else fragment.append(h('span', { class: around }, decodeEntities(text)));
  }
  return fragment;
}

/** Sets the code colors of the editor's theme. Missing ones come from code.css. */
export function showCodeColors(colors: CodeColors): void {
  const { classList, style } = document.documentElement;
  // An empty value removes the property.
  for (const name of CODE_COLORS) style.setProperty(`--code-${name}`, colors[name] ?? '');
  classList.toggle('theme-colors', Object.keys(colors).length > 0);
}
