import type { Links, Token } from 'marked';
import type { PageStrings } from '../../protocol/strings.ts';
import { h } from '../dom.ts';
import type { FileLinks } from '../fileLinks.ts';
import { skipOnceLaidOut, stopSkipping } from '../skippable.ts';
import { drawBlock, isVisibleBlock, type BlockContext } from './draw/blocks.ts';
import { codeBlockOf, type CodeHighlighter } from './draw/codeBlock.ts';
import { DomCursor } from './draw/cursor.ts';
import { MAX_MATH_CHARACTERS } from './draw/inline.ts';
import { drawWaitingHtml, fillWithHtml } from './draw/rawHtml.ts';
import { BlockStream, type Advance } from './parse/blockStream.ts';
import { containerSteps, type ContainerStep } from './parse/containers.ts';
import { lex } from './parse/lexer.ts';

/** Deepest nesting of raw HTML containers. */
const MAX_CONTAINER_DEPTH = 20;
/** Characters of the first step. The code of a new page is slow until the browser has optimized it. */
const FIRST_STEP_CHARACTERS = 512;
/** Maximum number of characters in one step. Each step is twice as long as the one before. */
const MAX_STEP_CHARACTERS = 4_096;
/** Blocks in a group. The browser skips layout and paint of groups that are out of sight. */
const BLOCKS_PER_GROUP = 50;

/** A block that may refer to a link defined after it. */
interface Reference {
  readonly raw: string;
  /** The level of the previous heading. */
  readonly level: number;
  readonly node: ChildNode;
  /** The links that were defined when it was drawn. */
  readonly known: Links;
}

/**
 * Draws growing Markdown. Appended text is drawn by `draw`, once a frame. Only blocks that can still change are parsed and
 * drawn again.
 */
export class MarkdownView {
  readonly element: HTMLElement = h('div', { class: 'markdown' });
  readonly #stream = new BlockStream();
  /** Its outline is the state after the settled blocks. */
  readonly #context: BlockContext;
  readonly #root = new BlockList(this.element);
  /** The open elements of raw HTML that contain the next blocks, innermost last. */
  readonly #containers: BlockList[] = [];
  readonly #references: Reference[] = [];
  /** The number of settled blocks, and of drawn blocks after them. */
  #settled = 0;
  #tail = 0;
  #waiting = '';
  #stepCharacters = FIRST_STEP_CHARACTERS;
  #complete = false;
  #finished = false;

  constructor(strings: PageStrings, highlighter: CodeHighlighter, files: FileLinks) {
    this.#context = {
      strings,
      highlighter,
      files,
      budget: { left: MAX_MATH_CHARACTERS, message: strings.tooMuchMarkup },
      outline: { level: 2 },
    };
  }

  get blockCount(): number {
    return this.#settled + this.#tail;
  }

  append(text: string): void {
    this.#waiting += text;
    // A server may send text after the end of its reply.
    if (text !== '') this.#finished = false;
  }

  /** Must be called when no more text comes. */
  complete(): void {
    this.#complete = true;
  }

  /** Draws steps until `performance.now()` reaches `until`. Returns whether there is more to draw. */
  draw(until: number): boolean {
    while (this.#step()) if (performance.now() >= until) return true;
    return drawWaitingHtml(this.element);
  }

  #step(): boolean {
    if (this.#finished) return this.#redrawReference();
    if (this.#waiting === '' && !this.#complete) return false;
    const text = this.#waiting.slice(0, this.#stepCharacters);
    this.#waiting = this.#waiting.slice(this.#stepCharacters);
    this.#stepCharacters = Math.min(2 * this.#stepCharacters, MAX_STEP_CHARACTERS);
    const more = this.#waiting !== '';
    this.#finished = this.#complete && !more;
    this.#apply(this.#finished ? this.#stream.finish(text) : this.#stream.advance(text));
    return more || this.#finished;
  }

  #apply(advance: Advance): void {
    if (advance.kind === 'code') {
      codeBlockOf(this.#list.last)?.append(advance.text);
      return;
    }
    let settled: Token[] = [];
    for (const step of advance.settled.flatMap(containerSteps)) {
      if (step.kind === 'block') settled.push(step.token);
      else {
        this.#place(settled, []);
        settled = [];
        this.#applyContainerStep(step);
      }
    }
    this.#place(settled, advance.tail);
  }

  /** The blocks of the innermost open container. */
  get #list(): BlockList {
    return this.#containers.at(-1) ?? this.#root;
  }

  #applyContainerStep(step: Exclude<ContainerStep, { kind: 'block' }>): void {
    switch (step.kind) {
      case 'enter': {
        if (this.#containers.length >= MAX_CONTAINER_DEPTH) return;
        const element = h(step.name, { open: step.name === 'details' && step.isOpen });
        this.#list.add(element);
        this.#containers.push(new BlockList(element));
        return;
      }
      case 'leave': {
        const end = this.#containers.findLastIndex(({ parent }) => parent.localName === step.name);
        if (end !== -1) this.#containers.length = end;
        return;
      }
      case 'summary':
        this.#list.parent.append(
          fillWithHtml(h('summary', { dir: 'auto' }), step.html, this.#context.strings),
        );
    }
  }

  /** Draws settled blocks and a new tail over the previous tail. */
  #place(settled: readonly Token[], tail: readonly Token[]): void {
    const list = this.#list;
    const shown = settled.filter(isVisibleBlock);
    const shownTail = tail.filter(isVisibleBlock);
    const count = shown.length + shownTail.length;
    let at = list.count - this.#tail;
    for (let left = this.#tail; left > count; left--) list.removeLast();
    for (const token of shown) {
      const { level } = this.#context.outline;
      const node = list.draw(at++, token, this.#context);
      const { raw, type } = token;
      const isMarkdown = type !== 'html' && type !== 'code' && type !== 'plain';
      if (node !== undefined && isMarkdown && raw.includes('[') && raw.includes(']'))
        this.#references.push({ raw, level, node, known: this.#stream.definitions });
    }
    const context = { ...this.#context, outline: { ...this.#context.outline } };
    for (const token of shownTail) list.draw(at++, token, context);
    this.#settled += shown.length;
    this.#tail = shownTail.length;
  }

  /**
   * Draws the block of the last reference again if links were defined after it. Returns whether there may be more. Runs only
   * at the end of the text, because otherwise each definition would draw all earlier text again.
   */
  #redrawReference(): boolean {
    const reference = this.#references.pop();
    if (reference === undefined) return false;
    const { raw, level, node, known } = reference;
    const { definitions } = this.#stream;
    if (known === definitions) return true;
    const [token] = lex(raw, definitions);
    const context = { ...this.#context, outline: { level } };
    if (token !== undefined && isVisibleBlock(token) && node.parentNode !== null)
      drawBlock(new DomCursor(node.parentNode, node), token, context);
    return true;
  }
}

/** Consecutive blocks, in groups. */
class BlockList {
  readonly parent: Element;
  readonly #groups: HTMLElement[] = [];

  constructor(parent: Element) {
    this.parent = parent;
  }

  get count(): number {
    const full = Math.max(0, this.#groups.length - 1);
    return full * BLOCKS_PER_GROUP + (this.#groups.at(-1)?.childNodes.length ?? 0);
  }

  get last(): Element | null {
    return this.#groups.at(-1)?.lastElementChild ?? null;
  }

  /** Draws a block over the one at an index, or after the last one, and returns its node. */
  draw(at: number, token: Token, context: BlockContext): ChildNode | undefined {
    const group = this.#groups[Math.floor(at / BLOCKS_PER_GROUP)] ?? this.#openGroup();
    const index = at % BLOCKS_PER_GROUP;
    drawBlock(new DomCursor(group, group.childNodes[index] ?? null), token, context);
    return group.childNodes[index];
  }

  add(node: Node): void {
    const last = this.#groups.at(-1);
    const isFull = (last?.childNodes.length ?? BLOCKS_PER_GROUP) >= BLOCKS_PER_GROUP;
    (isFull ? this.#openGroup() : last)?.append(node);
  }

  removeLast(): void {
    const group = this.#groups.at(-1);
    if (group === undefined) return;
    group.lastChild?.remove();
    if (group.firstChild !== null) return;
    group.remove();
    this.#groups.pop();
    const last = this.#groups.at(-1);
    if (last !== undefined) stopSkipping(last);
  }

  #openGroup(): HTMLElement {
    const last = this.#groups.at(-1);
    if (last !== undefined) skipOnceLaidOut(last);
    const group = h('div', { class: 'block-group' });
    this.#groups.push(group);
    this.parent.append(group);
    return group;
  }
}
