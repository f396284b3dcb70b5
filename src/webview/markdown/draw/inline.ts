import type { MarkedToken, Token, Tokens } from 'marked';
import type { PageStrings } from '../../../protocol/strings.ts';
import { h } from '../../dom.ts';
import { isFilePath, splitPaths, type FileLinks } from '../../fileLinks.ts';
import type { MathSource } from '../parse/mathSource.ts';
import { imageLabel, isAllowedTag, linkAttributes } from './allowed.ts';
import type { DomCursor } from './cursor.ts';
import type { MathBudget } from './formula.ts';

export interface InlineContext {
  readonly strings: PageStrings;
  readonly files: FileLinks;
  readonly budget: MathBudget;
  /** True if the text is inside a link, which cannot contain another one. */
  readonly inLink?: boolean;
}

/** Deepest nesting of raw elements. A deeper one is shown as text. */
const MAX_TAG_DEPTH = 100;
const VOID_TAGS = new Set(['br', 'hr', 'img']);

type InlineToken = MarkedToken | ({ readonly type: 'math' } & MathSource);

interface OpenTag {
  readonly tag: string;
  readonly inside: DomCursor;
}

/**
 * Draws inline tokens. Raw HTML tags are separate tokens, which are paired here. Only the destination of a link is kept of
 * their attributes.
 */
export function drawInline(
  cursor: DomCursor,
  tokens: readonly Token[],
  context: InlineContext,
): void {
  const open: OpenTag[] = [];
  for (const token of tokens) {
    const inside = open.at(-1)?.inside ?? cursor;
    const here = open.some(({ tag }) => tag === 'a') ? { ...context, inLink: true } : context;
    if (token.type === 'html') drawTag(inside, token.raw, open, here);
    else drawToken(inside, token as InlineToken, here);
  }
  while (open.length > 0) closeTag(open);
}

function drawToken(cursor: DomCursor, token: InlineToken, context: InlineContext): void {
  switch (token.type) {
    case 'escape':
      cursor.text(token.text);
      break;
    case 'text':
      if (token.tokens !== undefined) drawInline(cursor, token.tokens, context);
      else drawText(cursor, splitPaths(decodeEntities(token.text)), context);
      break;
    case 'strong':
    case 'em':
    case 'del':
      cursor.element(token.type, {}, (inside) => drawInline(inside, token.tokens, context));
      break;
    case 'codespan':
      cursor.element('code', {}, (inside) =>
        drawText(inside, [isFilePath(token.text) ? { path: token.text } : token.text], context),
      );
      break;
    case 'br':
      cursor.element('br', {});
      break;
    case 'link':
      drawLink(cursor, token, context);
      break;
    case 'image':
      drawImage(cursor, plainText(token.tokens), decodeEntities(token.href), context);
      break;
    case 'checkbox':
      drawCheckbox(cursor, token.checked, context.strings);
      break;
    case 'math':
      cursor.special(token.raw, () => createMath(token, context.budget));
      break;
    default:
      cursor.text(token.raw);
  }
}

/** Draws text. Its paths become links, except in another link. */
function drawText(
  cursor: DomCursor,
  pieces: ReturnType<typeof splitPaths>,
  { files, inLink }: InlineContext,
): void {
  for (const piece of pieces)
    if (typeof piece === 'string') cursor.text(piece);
    else if (inLink === true) cursor.text(piece.path);
    else cursor.special(piece.path, () => files.create(piece.path));
}

function drawLink(cursor: DomCursor, token: Tokens.Link, context: InlineContext): void {
  const isAuto = token.autolink === true;
  const draw = (inside: DomCursor): void => {
    if (isAuto) inside.text(token.text);
    else drawInline(inside, token.tokens, { ...context, inLink: true });
  };
  const href = isAuto ? token.href : decodeEntities(token.href);
  const attributes = linkAttributes(href, decodeEntities(token.title ?? ''));
  if (attributes === undefined) draw(cursor);
  else cursor.element('a', attributes, draw);
}

/** Returns the text of inline tokens without markup. */
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

/** Draws a link with the alternative text. Images are never fetched. */
function drawImage(
  cursor: DomCursor,
  text: string,
  address: string,
  { strings, inLink }: InlineContext,
): void {
  const link = inLink === true ? undefined : linkAttributes(address);
  const attributes = { ...link, class: 'image' };
  cursor.element(link === undefined ? 'span' : 'a', attributes, (inside) =>
    inside.text(imageLabel(text, strings)),
  );
}

/** Draws the state of a task as an image, because it is not a control. */
function drawCheckbox(cursor: DomCursor, checked: boolean, strings: PageStrings): void {
  cursor.element('span', {
    class: checked ? 'task codicon codicon-pass-filled' : 'task codicon codicon-circle-large',
    role: 'img',
    'aria-label': checked ? strings.taskDone : strings.taskOpen,
  });
}

function drawTag(cursor: DomCursor, raw: string, open: OpenTag[], context: InlineContext): void {
  if (/^<[!?]/.test(raw)) return;
  const match = /^<(\/?)([a-zA-Z][\w-]*)/.exec(raw);
  const tag = match?.[2]?.toLowerCase();
  if (tag === undefined || !isAllowedTag(tag)) {
    cursor.text(raw);
  } else if (match?.[1] === '/') {
    if (open.some((each) => each.tag === tag)) while (closeTag(open) !== tag);
  } else if (tag === 'img') {
    drawImage(cursor, attribute(raw, 'alt'), attribute(raw, 'src'), context);
  } else if (VOID_TAGS.has(tag)) {
    cursor.element(tag, {});
  } else if (open.length >= MAX_TAG_DEPTH) {
    cursor.text(raw);
  } else {
    const isLink = tag === 'a' && context.inLink !== true;
    const attributes = isLink ? linkAttributes(attribute(raw, 'href')) : undefined;
    open.push({ tag, inside: cursor.enter(tag, attributes ?? {}) });
  }
}

/** Closes the innermost open tag, and returns its name. */
function closeTag(open: OpenTag[]): string | undefined {
  const closed = open.pop();
  closed?.inside.end();
  return closed?.tag;
}

/** Returns the value of an attribute in the source of a tag, or an empty string. */
function attribute(raw: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'=<>\`]+))`, 'i').exec(
    raw,
  );
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}

const CHARACTER_REFERENCE = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/g;
const decoder = document.createElement('textarea');
const decoded = new Map<string, string>();

/**
 * Resolves HTML character references (`&amp;`, `&#8212;`). The browser parses each once in a text area, where nothing else is
 * markup.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(CHARACTER_REFERENCE, (entity) => {
    const known = decoded.get(entity);
    if (known !== undefined) return known;
    decoder.innerHTML = entity;
    decoded.set(entity, decoder.value);
    return decoder.value;
  });
}

/** Maximum number of characters of TeX that are drawn as math in one text. */
export const MAX_MATH_CHARACTERS = 20_000;

/**
 * Creates the element of a formula with its source, which is searched and copied. A separate bundle, loaded for the first
 * formula, draws the formula beside it.
 */
function createMath({ raw, tex, display }: MathSource, budget: MathBudget): HTMLElement {
  const element = h('span', { class: display ? 'math display' : 'math' }, h('span', {}, raw));
  void import('./formula.ts').then(
    ({ drawFormula }) => drawFormula(element, tex, budget),
    () => undefined, // The source stays; the next formula tries again.
  );
  return element;
}
