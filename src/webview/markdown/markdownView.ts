import type { PageStrings } from '../../protocol/strings.ts';
import { h } from '../dom.ts';
import type { FileLinks } from '../fileLinks.ts';
import { blockMarkup } from './build.ts';
import type { Outline } from './build.ts';
import { BlockStream } from './blockStream.ts';
import type { Advance, Block } from './blockStream.ts';
import { CodeBlock, codeBlockOf } from './codeBlock.ts';
import type { Colouring } from './codeBlock.ts';
import { sanitise } from './html.ts';
import { lex } from './lexer.ts';
import type { MarkupNode } from './nodes.ts';
import { createNode, patchNode } from './patch.ts';
import type { SpecialNodes } from './patch.ts';

/** Blocks a group holds. The browser skips layout and paint of groups that are out of sight. */
const blocksPerGroup = 50;
/** Characters that one step takes at most, unless what is pending is longer: keeps a step within a frame. */
const charactersPerStep = 16_384;

/** A settled block that may refer to a link that is only defined later. */
interface Reference {
  readonly raw: string;
  readonly index: number;
  readonly markup: MarkupNode;
  /** The level of the heading before it. */
  readonly level: number;
}

/**
 * Draws Markdown that may still grow. Text is appended as it comes and drawn by `draw`, once a frame; only the blocks
 * that can still change are parsed and compared again.
 */
export class MarkdownView {
  readonly element: HTMLElement = h('div', { class: 'markdown' });
  readonly #strings: PageStrings;
  readonly #stream = new BlockStream();
  readonly #special: SpecialNodes;
  readonly #groups: HTMLElement[] = [];
  /** After the settled blocks. */
  readonly #outline: Outline = { level: 1 };
  #references: Reference[] = [];
  #tail: readonly MarkupNode[] = [];
  #settled = 0;
  #waiting = '';
  #complete = false;
  #finished = false;

  constructor(strings: PageStrings, colouring: Colouring, files: FileLinks) {
    this.#strings = strings;
    this.#special = {
      createCode: (markup) => new CodeBlock(markup, strings, colouring).element,
      updateCode: (node, markup) => {
        const block = node instanceof Element ? codeBlockOf(node) : undefined;
        block?.update(markup);
        return block !== undefined;
      },
      createHtml: (html) => h('div', { class: 'html' }, sanitise(html, strings)),
      createFile: (path) => files.create(path),
    };
  }

  /** How many blocks are drawn. */
  get blockCount(): number {
    return this.#settled + this.#tail.length;
  }

  append(text: string): void {
    this.#waiting += text;
  }

  /** No more text comes: the end is drawn as it stands at the next `draw`. */
  complete(): void {
    this.#complete = true;
  }

  /**
   * Draws what has come, as much of it as one step takes.
   *
   * @returns whether there is more to draw
   */
  draw(): boolean {
    if (this.#finished) return false;
    const step = Math.max(charactersPerStep, this.#stream.pendingLength);
    const text = this.#waiting.slice(0, step);
    this.#waiting = this.#waiting.slice(step);
    this.#stream.append(text);
    const more = this.#waiting !== '';
    this.#finished = this.#complete && !more;
    this.#apply(this.#finished ? this.#stream.finish() : this.#stream.advance());
    return more;
  }

  #apply(advance: Advance): void {
    if (advance.kind === 'code') {
      this.#openCode()?.append(advance.text);
      return;
    }
    const before = this.#tail;
    const settled = this.#settle(advance.settled);
    const outline = { ...this.#outline };
    const tail = advance.tail.flatMap((block) => this.#markup(block, outline) ?? []);
    this.#place(before, [...settled, ...tail]);
    this.#settled += settled.length;
    this.#tail = tail;
    if (advance.defined.length > 0) this.#redrawReferences(advance.defined);
  }

  #openCode(): CodeBlock | undefined {
    const last = this.#groups.at(-1)?.lastElementChild;
    return last instanceof Element ? codeBlockOf(last) : undefined;
  }

  #settle(blocks: readonly Block[]): MarkupNode[] {
    const nodes: MarkupNode[] = [];
    for (const block of blocks) {
      const { level } = this.#outline;
      const markup = this.#markup(block, this.#outline);
      if (markup === undefined) continue;
      const { raw } = block.token;
      const index = this.#settled + nodes.length;
      if (raw.includes('[') && raw.includes(']'))
        this.#references.push({ raw, index, markup, level });
      nodes.push(markup);
    }
    return nodes;
  }

  #markup({ token, openCode }: Block, outline: Outline): MarkupNode | undefined {
    const markup = blockMarkup(token, this.#strings, outline);
    if (openCode === undefined || typeof markup !== 'object' || markup.kind !== 'code')
      return markup;
    return { ...markup, code: openCode, open: true };
  }

  /** Puts `after` where `before` is: the nodes from the first that is not settled to the end. */
  #place(before: readonly MarkupNode[], after: readonly MarkupNode[]): void {
    const shared = Math.min(before.length, after.length);
    for (let offset = 0; offset < shared; offset++) {
      const node = this.#nodeAt(this.#settled + offset);
      const old = before[offset];
      const wanted = after[offset];
      if (node !== undefined && old !== undefined && wanted !== undefined)
        patchNode(node, old, wanted, this.#special);
    }
    for (let left = before.length; left > shared; left--) this.#removeLast();
    for (const markup of after.slice(shared)) this.#add(createNode(markup, this.#special));
  }

  #nodeAt(index: number): ChildNode | undefined {
    const group = this.#groups[Math.floor(index / blocksPerGroup)];
    return group?.childNodes[index % blocksPerGroup];
  }

  #add(node: Node): void {
    let group = this.#groups.at(-1);
    if (group === undefined || group.childNodes.length >= blocksPerGroup) {
      group?.classList.add('full');
      group = h('div', { class: 'block-group' });
      this.#groups.push(group);
      this.element.append(group);
    }
    group.append(node);
  }

  #removeLast(): void {
    const group = this.#groups.at(-1);
    group?.lastChild?.remove();
    if (group?.firstChild !== null) return;
    group.remove();
    this.#groups.pop();
    this.#groups.at(-1)?.classList.remove('full');
  }

  /** Draws again the settled blocks that name a label which is only now defined. */
  #redrawReferences(labels: readonly string[]): void {
    this.#references = this.#references.map((reference) => {
      const text = reference.raw.toLowerCase().replace(/\s+/g, ' ');
      if (!labels.some((label) => text.includes(label.toLowerCase()))) return reference;
      const [token] = lex(reference.raw, this.#stream.definitions).tokens;
      const { level } = reference;
      const markup = token && blockMarkup(token, this.#strings, { level });
      const node = this.#nodeAt(reference.index);
      if (markup === undefined || node === undefined) return reference;
      patchNode(node, reference.markup, markup, this.#special);
      return { ...reference, markup };
    });
  }
}
