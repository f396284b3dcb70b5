import type { PageStrings } from '../../protocol/strings.ts';
import { h } from '../dom.ts';
import type { FileLinks } from '../fileLinks.ts';
import { blockMarkup, type Outline } from './markup/blockMarkup.ts';
import { BlockStream, type Advance, type Block } from './parse/blockStream.ts';
import { BlockList } from './draw/blockList.ts';
import { CodeBlock, codeBlockOf, type Colouring } from './draw/codeBlock.ts';
import { containerSteps, type ContainerName, type ContainerStep } from './parse/containers.ts';
import { lex } from './parse/lexer.ts';
import { createMath, mathBudget } from './draw/math.ts';
import type { MarkupNode } from './markup/nodes.ts';
import { createNode, patchNode, type SpecialNodes } from './draw/patch.ts';
import { RawHtml } from './draw/rawHtml.ts';

/** How deep containers of raw HTML may lie in each other. */
const deepest = 20;
/** Characters that one step takes at most: a few milliseconds, even for a page that has just opened. */
const charactersPerStep = 4_096;

/** A block that no later text can change, except by defining a link that it refers to. */
interface SettledBlock {
  readonly kind: 'block';
  readonly raw: string;
  readonly markup: MarkupNode;
  /** The level of the heading before it. */
  readonly level: number;
}

/** A settled block that may refer to a link that is only defined later. */
interface Reference extends SettledBlock {
  readonly node: Node;
  /** How many links were defined when it was read. */
  readonly defined: number;
}

/** Matches a text that may be the label of a link. */
const label = /\[((?:\\[^]|[^\\[\]]){1,999})\]/g;

/** An element of raw HTML that the blocks after it belong to, until it is closed. */
interface Container {
  readonly name: ContainerName;
  readonly element: Element;
  readonly list: BlockList;
}

/**
 * Draws Markdown that may still grow. Text is appended as it comes and drawn by `draw`, once a frame; only the blocks
 * that can still change are parsed and compared again.
 */
export class MarkdownView {
  readonly element: HTMLElement = h('div', { class: 'markdown' });
  readonly #strings: PageStrings;
  readonly #html: RawHtml;
  readonly #stream = new BlockStream();
  readonly #special: SpecialNodes;
  readonly #root = new BlockList(this.element);
  readonly #containers: Container[] = [];
  /** After the settled blocks. */
  readonly #outline: Outline = { level: 2 };
  readonly #references: Reference[] = [];
  /** Links by the order in which they were defined. */
  readonly #defined = new Map<string, number>();
  #tail: readonly MarkupNode[] = [];
  #settled = 0;
  #waiting = '';
  #complete = false;
  #finished = false;

  constructor(strings: PageStrings, colouring: Colouring, files: FileLinks) {
    this.#strings = strings;
    this.#html = new RawHtml(strings);
    const budget = mathBudget(strings.tooMuchMarkup);
    this.#special = {
      createCode: (markup) => new CodeBlock(markup, strings, colouring).element,
      updateCode: (node, markup) => {
        const block = node instanceof Element ? codeBlockOf(node) : undefined;
        block?.update(markup);
        return block !== undefined;
      },
      createHtml: (html) => this.#html.fill(h('div', { class: 'html', dir: 'auto' }), html),
      createFile: (path) => files.create(path),
      createMath: (markup) => createMath(markup, budget),
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
   * Draws what has come, step by step, until `until` on the clock of `performance.now()`.
   *
   * @returns whether there is more to draw
   */
  draw(until: number): boolean {
    while (this.#step()) if (performance.now() >= until) return true;
    return this.#html.draw();
  }

  #step(): boolean {
    // What has not changed is not read again, however long it took: that could go on for as long as the reply grows.
    if (this.#finished) return this.#redrawReference();
    if (this.#waiting === '' && !this.#complete) return false;
    const text = this.#waiting.slice(0, charactersPerStep);
    this.#waiting = this.#waiting.slice(charactersPerStep);
    this.#stream.append(text);
    const more = this.#waiting !== '';
    this.#finished = this.#complete && !more;
    this.#apply(this.#finished ? this.#stream.finish() : this.#stream.advance());
    return more || this.#finished;
  }

  #apply(advance: Advance): void {
    if (advance.kind === 'code') {
      const { last } = this.#list;
      if (last !== null) codeBlockOf(last)?.append(advance.text);
      return;
    }
    let before = this.#tail;
    let run: SettledBlock[] = [];
    for (const step of this.#settle(advance.settled)) {
      if (step.kind === 'block') {
        run.push(step);
        continue;
      }
      this.#place(before, run, []);
      before = [];
      run = [];
      this.#follow(step);
    }
    const outline = { ...this.#outline };
    this.#tail = advance.tail.flatMap((block) => this.#markup(block, outline) ?? []);
    this.#place(before, run, this.#tail);
    for (const each of advance.defined) this.#defined.set(each, this.#defined.size);
  }

  /** Where blocks are added: in the innermost container that is open. */
  get #list(): BlockList {
    return this.#containers.at(-1)?.list ?? this.#root;
  }

  #settle(blocks: readonly Block[]): (SettledBlock | Exclude<ContainerStep, { kind: 'node' }>)[] {
    return blocks.flatMap((block) => {
      const { raw, type } = block.token;
      const { level } = this.#outline;
      const steps = type === 'html' ? containerSteps(raw) : undefined;
      if (steps !== undefined)
        return steps.map((step) =>
          step.kind === 'node' ? { kind: 'block', raw: '', markup: step.markup, level } : step,
        );
      const markup = this.#markup(block, this.#outline);
      return markup === undefined ? [] : [{ kind: 'block', raw, markup, level }];
    });
  }

  #follow(step: Exclude<ContainerStep, { kind: 'node' }>): void {
    switch (step.kind) {
      case 'enter': {
        if (this.#containers.length >= deepest) return;
        const element = h(step.name, { open: step.name === 'details' && step.isOpen });
        this.#list.add(element);
        this.#containers.push({ name: step.name, element, list: new BlockList(element) });
        return;
      }
      case 'leave': {
        const at = this.#containers.findLastIndex(({ name }) => name === step.name);
        if (at !== -1) this.#containers.length = at;
        return;
      }
      case 'summary':
        (this.#containers.at(-1)?.element ?? this.element).append(
          this.#html.fill(h('summary', { dir: 'auto' }), step.html),
        );
    }
  }

  #markup({ token, openCode }: Block, outline: Outline): MarkupNode | undefined {
    const markup = blockMarkup(token, this.#strings, outline);
    if (openCode === undefined || typeof markup !== 'object' || markup.kind !== 'code')
      return markup;
    return { ...markup, code: openCode, open: true };
  }

  /** Puts settled blocks and a tail where the tail before stands, at the end of the list. */
  #place(
    before: readonly MarkupNode[],
    settled: readonly SettledBlock[],
    tail: readonly MarkupNode[],
  ): void {
    const list = this.#list;
    const after = [...settled.map(({ markup }) => markup), ...tail];
    const first = list.count - before.length;
    for (let left = before.length; left > after.length; left--) list.removeLast();
    const nodes = after.map((wanted, offset) => {
      const old = before[offset];
      const node = old === undefined ? undefined : list.at(first + offset);
      if (old !== undefined && node !== undefined)
        return patchNode(node, old, wanted, this.#special);
      const created = createNode(wanted, this.#special);
      list.add(created);
      return created;
    });
    for (const [offset, block] of settled.entries()) {
      const node = nodes[offset];
      if (node !== undefined && block.raw.includes('[') && block.raw.includes(']'))
        this.#references.push({ ...block, node, defined: this.#defined.size });
    }
    this.#settled += settled.length;
  }

  /**
   * Draws the last block again that names a link defined after it; returns whether there may be more of them. This waits
   * for the end of the text: for each definition, all of the text before it would else be looked through.
   */
  #redrawReference(): boolean {
    const reference = this.#references.pop();
    if (reference === undefined) return false;
    const { raw, level, node, markup: before } = reference;
    if (!this.#isDefinedLater(reference)) return true;
    const [token] = lex(raw, this.#stream.definitions).tokens;
    const markup = token && blockMarkup(token, this.#strings, { level });
    if (markup !== undefined) patchNode(node, before, markup, this.#special);
    return true;
  }

  #isDefinedLater({ raw, defined }: Reference): boolean {
    for (const [, name = ''] of raw.matchAll(label)) {
      const at = this.#defined.get(name.toLowerCase().replace(/\s+/g, ' '));
      if (at !== undefined && at >= defined) return true;
    }
    return false;
  }
}
