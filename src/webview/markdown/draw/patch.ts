import type {
  CodeMarkup,
  ElementMarkup,
  FileMarkup,
  HtmlMarkup,
  MarkupNode,
  MathMarkup,
} from '../markup/nodes.ts';

/** Draws the nodes that are more than an element: code blocks, which keep their state, sanitised HTML, paths, formulas. */
export interface SpecialNodes {
  createCode(markup: CodeMarkup): HTMLElement;
  /** @returns false where the node cannot become this one */
  updateCode(node: Node, markup: CodeMarkup): boolean;
  createHtml(html: string): HTMLElement;
  createFile(path: string): HTMLElement;
  createMath(markup: MathMarkup): HTMLElement;
}

export function createNode(markup: MarkupNode, special: SpecialNodes): Node {
  if (typeof markup === 'string') return document.createTextNode(markup);
  if (markup.kind === 'code') return special.createCode(markup);
  if (markup.kind === 'html') return special.createHtml(markup.html);
  if (markup.kind === 'file') return special.createFile(markup.path);
  if (markup.kind === 'math') return special.createMath(markup);
  const node = document.createElement(markup.tag);
  for (const [name, value] of Object.entries(markup.attributes)) node.setAttribute(name, value);
  for (const child of markup.children) node.append(createNode(child, special));
  return node;
}

/**
 * Makes `node`, which was drawn from `before`, what `after` says, and touches only what differs: text grows in place,
 * so that a selection or the focus in it stays.
 *
 * @returns the node, or the one that took its place
 */
export function patchNode(
  node: Node,
  before: MarkupNode,
  after: MarkupNode,
  special: SpecialNodes,
): Node {
  if (before === after) return node;
  if (typeof before === 'string' && typeof after === 'string') {
    patchText(node as Text, before, after);
    return node;
  }
  if (isElement(before) && isElement(after) && before.tag === after.tag) {
    patchElement(node as Element, before, after, special);
    return node;
  }
  if (isHtml(before) && isHtml(after) && before.html === after.html) return node;
  if (isMath(before) && isMath(after) && before.raw === after.raw) return node;
  if (isFile(before) && isFile(after) && before.path === after.path) return node;
  if (isCode(after) && isCode(before) && special.updateCode(node, after)) return node;
  const replacement = createNode(after, special);
  node.parentNode?.replaceChild(replacement, node);
  return replacement;
}

function patchText(node: Text, before: string, after: string): void {
  if (before === after) return;
  if (after.startsWith(before)) node.appendData(after.slice(before.length));
  else if (before.startsWith(after)) node.deleteData(after.length, before.length - after.length);
  else node.data = after;
}

function patchElement(
  node: Element,
  before: ElementMarkup,
  after: ElementMarkup,
  special: SpecialNodes,
): void {
  if (before.attributes !== after.attributes) patchAttributes(node, before, after);
  const shared = Math.min(before.children.length, after.children.length);
  let child = node.firstChild;
  for (let index = 0; index < shared && child !== null; index++) {
    const old = before.children[index];
    const wanted = after.children[index];
    if (old === undefined || wanted === undefined) break;
    child = patchNode(child, old, wanted, special).nextSibling;
  }
  for (let left = before.children.length; left > shared; left--) node.lastChild?.remove();
  for (const markup of after.children.slice(shared)) node.append(createNode(markup, special));
}

function patchAttributes(node: Element, before: ElementMarkup, after: ElementMarkup): void {
  for (const name of Object.keys(before.attributes))
    if (!(name in after.attributes)) node.removeAttribute(name);
  for (const [name, value] of Object.entries(after.attributes))
    if (before.attributes[name] !== value) node.setAttribute(name, value);
}

function isElement(markup: MarkupNode): markup is ElementMarkup {
  return typeof markup !== 'string' && markup.kind === 'element';
}

function isCode(markup: MarkupNode): markup is CodeMarkup {
  return typeof markup !== 'string' && markup.kind === 'code';
}

function isFile(markup: MarkupNode): markup is FileMarkup {
  return typeof markup !== 'string' && markup.kind === 'file';
}

function isMath(markup: MarkupNode): markup is MathMarkup {
  return typeof markup !== 'string' && markup.kind === 'math';
}

function isHtml(markup: MarkupNode): markup is HtmlMarkup {
  return typeof markup !== 'string' && markup.kind === 'html';
}
