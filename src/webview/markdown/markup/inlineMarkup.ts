import type { MarkedToken, Token, Tokens } from 'marked';
import { decodeEntities } from './entities.ts';
import { isAllowedTag } from './allowedTags.ts';
import { isFilePath, splitPaths } from './filePaths.ts';
import { linkAttributes } from './linkAttributes.ts';
import type { MathSource } from '../parse/mathSource.ts';
import {
  element,
  joinText,
  type ElementMarkup,
  type MarkupNode,
  type MathMarkup,
} from './nodes.ts';
import { fill } from '../../words.ts';

/** The page's words that a reply is drawn with. */
export interface MarkupWords {
  readonly imageNotShown: string;
  readonly taskDone: string;
  readonly taskOpen: string;
  readonly table: string;
  readonly copyCsv: string;
  readonly copyMarkdown: string;
}

/** How inline tokens are read. */
interface Context extends MarkupWords {
  /** Inside the text of a link, where no other link may stand. */
  readonly inLink?: boolean;
}

/** How deep raw elements may lie in each other; a deeper one is shown as the text that it is. */
const deepestTag = 100;
const emptyTags = new Set(['br', 'hr', 'img']);

/** An element of raw HTML that is open while the tokens after it are read. */
interface OpenTag {
  readonly tag: string;
  readonly children: MarkupNode[];
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Turns inline tokens into markup. Raw HTML tags come as tokens of their own, and are paired here; of their
 * attributes only a link's destination survives.
 */
export function inlineMarkup(tokens: readonly Token[], words: Context): readonly MarkupNode[] {
  const root: MarkupNode[] = [];
  const open: OpenTag[] = [];
  for (const token of tokens) {
    const target = open.at(-1)?.children ?? root;
    if (token.type === 'html') readTag(token.raw, open, root, words);
    else target.push(...inlineNode(token as MarkedToken, words));
  }
  while (open.length > 0) closeTag(open, root);
  return joinText(root);
}

function inlineNode(token: MarkedToken, words: Context): readonly MarkupNode[] {
  switch (token.type) {
    case 'escape':
      return [token.text];
    case 'text':
      if (token.tokens !== undefined) return inlineMarkup(token.tokens, words);
      return plainNodes(decodeEntities(token.text), words);
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, inlineMarkup(token.tokens, words))];
    case 'codespan':
      return [codeSpan(token.text, words)];
    case 'br':
      return [element('br', [])];
    case 'link':
      return link(token, words);
    case 'image':
      return [image(token, words)];
    case 'checkbox':
      return [checkbox(token.checked, words)];
    default:
      return [mathMarkup(token) ?? token.raw];
  }
}

/** Math among the parser's tokens, which has no type for it; undefined for every other one. */
function mathMarkup(token: { readonly type: string }): MathMarkup | undefined {
  return token.type === 'math' ? { ...(token as unknown as MathSource), kind: 'math' } : undefined;
}

function plainNodes(text: string, { inLink }: Context): readonly MarkupNode[] {
  return inLink === true ? [text] : splitPaths(text);
}

function codeSpan(code: string, { inLink }: Context): ElementMarkup {
  if (inLink === true || !isFilePath(code)) return element('code', [code]);
  return element('code', [{ kind: 'file', path: code }]);
}

function link(token: Tokens.Link, words: Context): readonly MarkupNode[] {
  const children =
    token.autolink === true ? [token.text] : inlineMarkup(token.tokens, { ...words, inLink: true });
  const href = token.autolink === true ? token.href : decodeEntities(token.href);
  const attributes = linkAttributes(href, decodeEntities(token.title ?? ''));
  return attributes === undefined ? children : [element('a', children, attributes)];
}

/** An image is never fetched: what stands for it says what it shows and leads to it. */
function image(token: Tokens.Image, words: Context): ElementMarkup {
  const attributes = words.inLink === true ? undefined : linkAttributes(decodeEntities(token.href));
  return imageMarkup(plainText(token.tokens), attributes, words);
}

/** The text of inline tokens without their markup. */
function plainText(tokens: readonly Token[]): string {
  let text = '';
  for (const token of tokens) {
    const { tokens: inner, type, raw } = token as Tokens.Generic;
    if (inner !== undefined) text += plainText(inner);
    else if (type === 'codespan') text += (token as Tokens.Codespan).text;
    else if (type !== 'html') text += decodeEntities(type === 'text' ? raw : raw.slice(1));
  }
  return text;
}

function imageMarkup(
  text: string,
  attributes: ElementMarkup['attributes'] | undefined,
  words: MarkupWords,
): ElementMarkup {
  const label = imageLabel(text, words);
  return element(attributes === undefined ? 'span' : 'a', [label], {
    ...attributes,
    class: 'image',
  });
}

/** @param text what the image shows, as its author says; may be empty */
export function imageLabel(text: string, words: Pick<MarkupWords, 'imageNotShown'>): string {
  return fill(words.imageNotShown, text.trim()).replace(/(?<![\s:])[\s:]+$/, '');
}

/** A task's state, as an image with a name: it is no control, and nothing happens on a click. */
function checkbox(checked: boolean, words: MarkupWords): ElementMarkup {
  return element('span', [], {
    class: checked ? 'task codicon codicon-pass-filled' : 'task codicon codicon-circle-large',
    role: 'img',
    'aria-label': checked ? words.taskDone : words.taskOpen,
  });
}

function readTag(raw: string, open: OpenTag[], root: MarkupNode[], words: MarkupWords): void {
  const target = open.at(-1)?.children ?? root;
  if (/^<[!?]/.test(raw)) return;
  const match = /^<(\/?)([a-zA-Z][\w-]*)/.exec(raw);
  const name = match?.[2]?.toLowerCase();
  if (name === undefined || !isAllowedTag(name)) {
    target.push(raw);
    return;
  }
  if (match?.[1] === '/') {
    if (open.some(({ tag }) => tag === name)) while (closeTag(open, root) !== name);
  } else if (name === 'img') {
    target.push(rawImage(raw, words));
  } else if (emptyTags.has(name)) {
    target.push(element(name, []));
  } else if (open.length >= deepestTag) {
    target.push(raw);
  } else {
    open.push({
      tag: name,
      children: [],
      attributes: name === 'a' ? (linkAttributes(attribute(raw, 'href')) ?? {}) : {},
    });
  }
}

/** Closes the innermost open tag; returns its name. */
function closeTag(open: OpenTag[], root: MarkupNode[]): string | undefined {
  const closed = open.pop();
  if (closed === undefined) return undefined;
  const target = open.at(-1)?.children ?? root;
  target.push(element(closed.tag, closed.children, closed.attributes));
  return closed.tag;
}

function rawImage(raw: string, words: MarkupWords): ElementMarkup {
  return imageMarkup(attribute(raw, 'alt'), linkAttributes(attribute(raw, 'src')), words);
}

/** The value of an attribute in the source of a tag, or empty. */
function attribute(raw: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'=<>\`]+))`, 'i').exec(
    raw,
  );
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}
