import type { MarkedToken, Token, Tokens } from 'marked';
import { hasAllowedTag } from './allowedTags.ts';
import { inlineMarkup, type MarkupWords } from './inlineMarkup.ts';
import {
  element,
  joinText,
  type CodeMarkup,
  type ElementMarkup,
  type MarkupNode,
} from './nodes.ts';
import type { PlainToken } from '../parse/lexer.ts';

/** Where in the outline of a reply its next block stands. */
export interface Outline {
  /** The level of the heading before; 1 is the page's own, 2 its message's. */
  level: number;
}

/** Text of an intern runs from right to left where it begins so, each block by itself. */
const ownDirection = { dir: 'auto' } as const;

/** The markup of one block; undefined where it shows nothing (blank lines, link definitions, comments). */
export function blockMarkup(
  token: Token,
  words: MarkupWords,
  outline: Outline,
): MarkupNode | undefined {
  const markup = block(token as MarkedToken | PlainToken, words, outline);
  if (typeof markup !== 'object' || markup.kind !== 'element') return markup;
  return { ...markup, attributes: { ...markup.attributes, ...ownDirection } };
}

function block(
  token: MarkedToken | PlainToken,
  words: MarkupWords,
  outline: Outline,
): MarkupNode | undefined {
  switch (token.type) {
    case 'plain':
      return plainMarkup(token);
    case 'space':
    case 'def':
      return undefined;
    case 'hr':
      return element('hr', []);
    case 'heading':
      return heading(token, words, outline);
    case 'paragraph':
      return element('p', inlineMarkup(token.tokens, words));
    case 'code':
      return codeMarkup(token);
    case 'blockquote':
      return element('blockquote', blocks(token.tokens, words, outline));
    case 'list':
      return list(token, words, outline);
    case 'table':
      return table(token, words);
    case 'html':
      return htmlMarkup(token.raw);
    default:
      return element('p', inlineMarkup([token], words));
  }
}

/**
 * A heading looks as deep as its author made it, but is announced at most one level below the one before: whoever
 * moves by headings finds no gaps.
 */
function heading(token: Tokens.Heading, words: MarkupWords, outline: Outline): ElementMarkup {
  outline.level = Math.min(token.depth + 2, outline.level + 1, 6);
  const level = { 'aria-level': String(outline.level) };
  return element(`h${token.depth}`, inlineMarkup(token.tokens, words), level);
}

/** The markup of blocks inside another block. */
function blocks(
  tokens: readonly Token[],
  words: MarkupWords,
  outline: Outline,
): readonly MarkupNode[] {
  const nodes: MarkupNode[] = [];
  for (const token of tokens) {
    if (token.type === 'text' || token.type === 'checkbox') {
      nodes.push(...inlineMarkup([token], words));
      continue;
    }
    const node = block(token as MarkedToken | PlainToken, words, outline);
    if (node !== undefined) nodes.push(node);
  }
  return joinText(nodes);
}

function plainMarkup({ raw }: PlainToken): CodeMarkup {
  return { kind: 'code', code: raw.trimEnd(), language: '', open: false, isPlain: true };
}

function codeMarkup(token: Tokens.Code): MarkupNode {
  const language = /^\S*/.exec(token.lang ?? '')?.[0] ?? '';
  return { kind: 'code', code: token.text.replace(/\n$/, ''), language, open: false };
}

function list(token: Tokens.List, words: MarkupWords, outline: Outline): ElementMarkup {
  const items = token.items.map((item) =>
    element('li', blocks(item.tokens, words, outline), {
      ...ownDirection,
      ...(item.task && { class: 'task-item' }),
    }),
  );
  if (!token.ordered) return element('ul', items);
  return element('ol', items, token.start === 1 ? {} : { start: String(token.start) });
}

/**
 * A table is wrapped, because a wide or a long one scrolls by itself; by keyboard too, so it takes the focus. Its
 * buttons are carried out in draw/copyTable.ts, which finds its Markdown in `data-source`.
 */
function table(token: Tokens.Table, words: MarkupWords): ElementMarkup {
  const row = (cells: readonly Tokens.TableCell[]): ElementMarkup =>
    element(
      'tr',
      cells.map((cell) => tableCell(cell, words)),
    );
  const parts = [element('thead', [row(token.header)])];
  if (token.rows.length > 0) parts.push(element('tbody', token.rows.map(row)));
  const buttons = [
    tableButton('csv', 'table', words.copyCsv),
    tableButton('md', 'markdown', words.copyMarkdown),
  ];
  const scroller = { class: 'table', role: 'group', 'aria-label': words.table, tabindex: '0' };
  return element(
    'div',
    [
      element('div', buttons, { class: 'table-actions', role: 'toolbar' }),
      element('div', [element('table', parts)], scroller),
    ],
    { class: 'table-block', 'data-source': token.raw.trim() },
  );
}

/** @param format as `data-format`, which says what the button copies */
function tableButton(format: 'csv' | 'md', symbol: string, label: string): ElementMarkup {
  return element('button', [element('span', [], { class: `codicon codicon-${symbol}` })], {
    class: 'icon-button',
    type: 'button',
    tabindex: format === 'csv' ? '0' : '-1',
    'data-command': 'table',
    'data-format': format,
    'aria-label': label,
    title: label,
  });
}

function tableCell(cell: Tokens.TableCell, words: MarkupWords): ElementMarkup {
  return element(cell.header ? 'th' : 'td', inlineMarkup(cell.tokens, words), {
    ...ownDirection,
    ...(cell.align !== null && { class: `align-${cell.align}` }),
  });
}

/** Raw HTML of which nothing would be drawn is shown as the text that the intern wrote. */
export function htmlMarkup(raw: string): MarkupNode | undefined {
  const source = raw.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim();
  if (source === '') return undefined;
  if (hasAllowedTag(source)) return { kind: 'html', html: source };
  return element('p', [source], { class: 'raw', ...ownDirection });
}
