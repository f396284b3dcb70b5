import type { CodeColours } from '../../protocol/view.ts';
import { h } from '../dom.ts';
import { markHidden, type CodeBlock, type CodeHighlighter } from '../markdown/draw/codeBlock.ts';

type Languages = typeof import('./languages.ts');

/** Longer code stays as it is, in characters: nobody reads it for its colors, and it would take seconds. */
const longestCode = 200_000;
/** A piece with a longer line stays as it is, in characters: some grammars look through the line for each of its words. */
const longestLine = 500;
/** Longest uninterrupted turn of coloring, in milliseconds. */
const longestTurn = 8;
/** How long a block must stay near, in milliseconds: those that fly by are colored when the reader comes to them. */
const patience = 150;

/**
 * Colors code blocks once they are complete and near the part that is seen, while the browser has nothing better to
 * do: never in a frame that draws a reply.
 */
export class Highlighter implements CodeHighlighter {
  readonly #near: IntersectionObserver;
  readonly #blocks = new Map<Element, CodeBlock>();
  readonly #queue = new Set<CodeBlock>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A bundle of its own, loaded when the first block is to be colored: most of it is grammars. */
  #languages: Languages | undefined;

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
    // Those of released messages: nothing tells of one that was never near.
    for (const block of this.#blocks.values()) if (!block.element.isConnected) this.forget(block);
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
    this.#timer = setTimeout(() => void this.#begin(), patience);
  }

  async #begin(): Promise<void> {
    try {
      this.#languages ??= await import('./languages.ts');
    } catch {
      // Code stays as it is until another block comes near.
      this.#timer = undefined;
      return;
    }
    this.#rest(this.#languages);
  }

  #rest(languages: Languages): void {
    requestIdleCallback(() => this.#work(languages), { timeout: 500 });
  }

  /** Colors until a turn is over, whatever the deadline says: a turn must stay short. */
  #work(languages: Languages): void {
    const until = performance.now() + longestTurn;
    while (this.#queue.size > 0 && performance.now() < until)
      if (!languages.buildGrammars(until)) this.#colorNext(languages, until);
    if (this.#queue.size > 0) this.#rest(languages);
    else this.#timer = undefined;
  }

  #colorNext(languages: Languages, until: number): void {
    const [block] = this.#queue;
    if (block === undefined) return;
    if (!block.element.isConnected || color(block, languages, until)) this.forget(block);
  }
}

/** Colors the pieces of a block that are not colored yet, one at least; returns whether that was the last of it. */
function color({ pieces, language }: CodeBlock, languages: Languages, until: number): boolean {
  if (!languages.isKnownLanguage(language)) return true;
  const plain = pieces.filter((piece) => piece.dataset['colored'] === undefined);
  for (const [index, piece] of plain.entries()) {
    const code = piece.textContent;
    if (code.split('\n').every((line) => line.length <= longestLine))
      piece.replaceChildren(codeNodes(languages.colored(code, language)));
    markHidden(piece);
    piece.dataset['colored'] = '';
    if (performance.now() >= until) return index === plain.length - 1;
  }
  return true;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/**
 * Makes nodes of what highlight.js writes: text, and spans with a class. It is read as that and nothing else, so
 * there is no way from code to markup.
 */
function codeNodes(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const open: string[] = [];
  for (const [, name, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    const around = open.at(-1) ?? '';
    if (name !== undefined) open.push(name === '' ? around : name);
    else if (text === undefined) open.pop();
    else if (around === '') fragment.append(unescape(text));
    else fragment.append(h('span', { class: around }, unescape(text)));
  }
  return fragment;
}

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}

const colorNames: readonly (keyof CodeColours)[] = [
  ...(['comment', 'keyword', 'literal', 'string', 'regexp', 'number'] as const),
  ...(['function', 'class', 'type', 'variable', 'tag', 'attribute'] as const),
];

/** Shows code in the colors of the editor's theme; where it gives none, in those of code.css. */
export function showCodeColors(colors: CodeColours): void {
  const { classList, style } = document.documentElement;
  for (const name of colorNames) {
    const color = colors[name];
    if (color === undefined) style.removeProperty(`--code-${name}`);
    else style.setProperty(`--code-${name}`, color);
  }
  classList.toggle(
    'theme-colors',
    colorNames.some((name) => name in colors),
  );
}
