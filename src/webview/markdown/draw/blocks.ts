import type { MarkedToken, Token, Tokens } from 'marked';
import { h } from '../../dom.ts';
import type { PlainToken } from '../parse/lexer.ts';
import { hasAllowedTag } from './allowed.ts';
import {
  CodeBlock,
  codeBlockOf,
  commandButton,
  type CodeToken,
  type CodeHighlighter,
} from './codeBlock.ts';
import type { Attributes, DomCursor } from './cursor.ts';
import { drawInline, type InlineContext } from './inline.ts';
import { fillWithHtml } from './rawHtml.ts';

export interface BlockContext extends InlineContext {
  readonly highlighter: CodeHighlighter;
  readonly outline: {
    /** The level of the previous heading. Level 1 is the page, 2 the message. */
    level: number;
  };
}

/** Matches text whose first letter is written from right to left. */
const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Each block has its own text direction, by its first characters. */
const AUTO_DIRECTION = { dir: 'auto' } as const;

/** Returns whether a block shows anything, unlike blank lines, link definitions and comments. */
export function isVisibleBlock({ type, raw }: Token): boolean {
  return type !== 'space' && type !== 'def' && (type !== 'html' || withoutComments(raw) !== '');
}

/**
 * Draws a block for which `isVisibleBlock` is true, as one node.
 *
 * @param own attributes of the block's element
 */
export function drawBlock(
  cursor: DomCursor,
  block: Token,
  context: BlockContext,
  own: Attributes = AUTO_DIRECTION,
): void {
  const token = block as MarkedToken | PlainToken;
  switch (token.type) {
    case 'code':
    case 'plain':
      drawCode(cursor, token, context);
      break;
    case 'space':
    case 'def':
      break;
    case 'hr':
      cursor.element('hr', own);
      break;
    case 'heading': {
      const attributes = { ...own, 'aria-level': String(nextLevel(token.depth, context)) };
      cursor.element(`h${token.depth}`, attributes, (inside) =>
        drawInline(inside, token.tokens, context),
      );
      break;
    }
    case 'blockquote':
      cursor.element('blockquote', own, (inside) => drawBlocks(inside, token.tokens, context));
      break;
    case 'list':
      drawList(cursor, token, context, own);
      break;
    case 'table':
      drawTable(cursor, token, context);
      break;
    case 'html':
      drawHtml(cursor, token.raw, context);
      break;
    case 'paragraph':
      cursor.element('p', own, (inside) => drawInline(inside, token.tokens, context));
      break;
    default:
      cursor.element('p', own, (inside) => drawInline(inside, [token], context));
  }
}

/**
 * Returns the announced level of a heading: at most one below the previous one, so that navigation by headings has no gaps.
 * Its look keeps the author's level.
 */
function nextLevel(depth: number, { outline }: BlockContext): number {
  outline.level = Math.min(depth + 2, outline.level + 1, 6);
  return outline.level;
}

function drawBlocks(cursor: DomCursor, tokens: readonly Token[], context: BlockContext): void {
  for (const token of tokens)
    if (token.type === 'text' || token.type === 'checkbox') drawInline(cursor, [token], context);
    else drawBlock(cursor, token, context, {});
}

function drawCode(cursor: DomCursor, token: CodeToken, context: BlockContext): void {
  const create = (): HTMLElement => new CodeBlock(context.strings, context.highlighter).element;
  codeBlockOf(cursor.special('code', create))?.update(token);
}

function drawList(
  cursor: DomCursor,
  { items, ordered, start }: Tokens.List,
  context: BlockContext,
  own: Attributes,
): void {
  const attributes = ordered && start !== 1 ? { ...own, start: String(start) } : own;
  cursor.element(ordered ? 'ol' : 'ul', attributes, (list) => {
    for (const item of items)
      list.element(
        'li',
        item.task ? { ...AUTO_DIRECTION, class: 'task-item' } : AUTO_DIRECTION,
        (inside) => drawBlocks(inside, item.tokens, context),
      );
  });
}

/**
 * Draws a table in an element that scrolls and can have the focus, for scrolling by keyboard. clicks.ts handles the buttons,
 * and copies the Markdown from `data-source`.
 */
function drawTable(
  cursor: DomCursor,
  { raw, header, rows }: Tokens.Table,
  context: BlockContext,
): void {
  const { strings } = context;
  const drawRow = (part: DomCursor, cells: readonly Tokens.TableCell[]): void =>
    part.element('tr', {}, (row) => {
      for (const { header: isHeader, align, tokens } of cells)
        row.element(
          isHeader ? 'th' : 'td',
          align === null ? AUTO_DIRECTION : { ...AUTO_DIRECTION, align },
          (cell) => drawInline(cell, tokens, context),
        );
    });
  const drawTableParts = (table: DomCursor): void => {
    table.element('thead', {}, (part) => drawRow(part, header));
    if (rows.length === 0) return;
    table.element('tbody', {}, (part) => {
      for (const row of rows) drawRow(part, row);
    });
  };
  const scroller = { class: 'table', role: 'group', 'aria-label': strings.table, tabindex: '0' };
  // The cells have their own directions, so `auto` would ignore their text.
  const dir = RIGHT_TO_LEFT.test(raw) ? 'rtl' : 'ltr';
  const attributes = { dir, class: 'table-block', 'data-source': raw.trim() };
  cursor.element('div', attributes, (block) => {
    block.special('table', () =>
      h(
        'div',
        { class: 'table-actions', role: 'toolbar', 'aria-label': strings.tableActions },
        commandButton('copy-csv', 'table', strings.copyCsv, 'tabStop'),
        commandButton('copy-markdown', 'markdown', strings.copyMarkdown),
      ),
    );
    block.element('div', scroller, (inside) => inside.element('table', {}, drawTableParts));
  });
}

/** Shows raw HTML without allowed elements as text. */
function drawHtml(cursor: DomCursor, raw: string, { strings }: BlockContext): void {
  const html = withoutComments(raw);
  const create = (): HTMLElement =>
    fillWithHtml(h('div', { class: 'html', ...AUTO_DIRECTION }), html, strings);
  if (hasAllowedTag(html)) cursor.special(html, create);
  else if (html !== '')
    cursor.element('p', { class: 'raw', ...AUTO_DIRECTION }, (inside) => inside.text(html));
}

function withoutComments(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim();
}
