import type { MathSource } from '../parse/mathSource.ts';

/**
 * What a reply is drawn from: plain data that says which nodes there shall be. A growing block is compared with what
 * it was a frame ago, and only nodes that differ are touched.
 */
export type MarkupNode = string | ElementMarkup | CodeMarkup | HtmlMarkup | FileMarkup | MathMarkup;

export interface ElementMarkup {
  readonly kind: 'element';
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkupNode[];
}

/** A code block: drawn by a widget that keeps its own state. */
export interface CodeMarkup {
  readonly kind: 'code';
  readonly code: string;
  /** The first word after the fence, or empty. */
  readonly language: string;
  /** Whether more of it may come. */
  readonly open: boolean;
  /** Tells whether it is no code, but a block that holds too much markup to be drawn. See parse/bounds.ts. */
  readonly isPlain?: boolean;
}

/** Raw HTML, hostile until it has been through the sanitiser. */
export interface HtmlMarkup {
  readonly kind: 'html';
  readonly html: string;
}

/** A path in plain text: a link where there is such a file, which is not known when it is drawn. */
export interface FileMarkup {
  readonly kind: 'file';
  readonly path: string;
}

/** A formula. */
export interface MathMarkup extends MathSource {
  readonly kind: 'math';
}

const noAttributes: Readonly<Record<string, string>> = {};

/** An element; neighbouring strings among its children become one. */
export function element(
  tag: string,
  children: readonly MarkupNode[],
  attributes: Readonly<Record<string, string>> = noAttributes,
): ElementMarkup {
  return { kind: 'element', tag, attributes, children: joinText(children) };
}

/** Joins neighbouring strings, so that a text node stays one text node however its text arrived. */
export function joinText(nodes: readonly MarkupNode[]): readonly MarkupNode[] {
  const joined: MarkupNode[] = [];
  for (const node of nodes) {
    if (node === '') continue;
    const last = joined.at(-1);
    if (typeof node === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + node;
    else joined.push(node);
  }
  return joined;
}
