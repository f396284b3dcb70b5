import type { Links, Token } from 'marked';
import { endOfBlankLine, MAX_BLOCK_CHARACTERS } from './bounds.ts';
import { growCode, growPlain, isClosed, readFence, type Grow } from './fence.ts';
import { lex, plainToken } from './lexer.ts';
import { mend, type Mended } from './mend.ts';

/** Characters after which text is settled at any start of a block, so that it is not parsed again. */
const SETTLE_AFTER_CHARACTERS = 16_384;

export type Advance =
  | {
      readonly kind: 'blocks';
      /** Blocks that later text cannot change, except by defining a link. */
      readonly settled: readonly Token[];
      /** Blocks after the settled ones. They replace the previous tail. Code or plain text may be `open`. */
      readonly tail: readonly Token[];
    }
  /** The open block of code or plain text at the end grew by `text`. */
  | { readonly kind: 'code'; readonly text: string };

/**
 * Parses a document that grows at its end. Blocks that can no longer change are settled; each step only parses the text
 * after them.
 */
export class BlockStream {
  /** The links that the settled blocks define. Another object after each change. */
  definitions: Links = {};
  /** The text after the settled blocks. */
  #pending = '';
  #endsInReturn = false;
  /** Reads the open block of code or plain text, if that is the whole pending text. */
  #grow: Grow | undefined;
  /** The start of the last line when open plain text began. A blank line can only come after it. */
  #plainFrom: number | undefined;

  /** Adds text, parses it, and mends its end. */
  advance(text: string): Advance {
    const fresh = this.#take(text);
    const grown = this.#grow?.(fresh);
    if (grown !== undefined) return { kind: 'code', text: grown };
    const plain = this.#endOpen();
    const mended = mend(this.#pending);
    const tokens = lex(mended.text, this.definitions);
    const settled = tokens.slice(0, settledCount(tokens, mended));
    this.#settle(settled);
    const tail = this.#tail(tokens.slice(settled.length));
    return { kind: 'blocks', settled: [...plain, ...settled], tail };
  }

  /** Adds the last text, and parses the rest of the document. */
  finish(text: string): Advance {
    this.#take(text);
    const plain = this.#endOpen();
    const tokens = lex(this.#pending, this.definitions);
    this.#settle(tokens);
    return { kind: 'blocks', settled: [...plain, ...tokens], tail: [] };
  }

  /**
   * Removes settled blocks from the pending text, and adds the links that they define. They are parsed alone for that,
   * because the blocks after them may still change, and so may the links that those define.
   */
  #settle(settled: readonly Token[]): void {
    const source = settled.map(({ raw }) => raw).join('');
    this.#pending = this.#pending.slice(source.length);
    if (!settled.some(({ type, raw }) => type !== 'code' && raw.includes(']:'))) return;
    const { links } = lex(source, this.definitions);
    if (Object.keys(links).length > Object.keys(this.definitions).length) this.definitions = links;
  }

  /** Ends the open block. Removes it from the pending text if it is plain text. */
  #endOpen(): Token[] {
    const from = this.#plainFrom;
    this.#grow = undefined;
    this.#plainFrom = undefined;
    if (from === undefined) return [];
    const end = endOfBlankLine(this.#pending, from) ?? this.#pending.length;
    const token = plainToken(this.#pending.slice(0, end));
    this.#pending = this.#pending.slice(end);
    return [token];
  }

  /** Adds text to the pending text, and returns it with line feeds in place of carriage returns. */
  #take(text: string): string {
    const rest = this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endsInReturn = text.endsWith('\r');
    const fresh = rest.replace(/\r\n?/g, '\n');
    this.#pending += fresh;
    return fresh;
  }

  /** Returns the blocks of the tail. If it is one open block of code or plain text, later steps only grow that. */
  #tail(tokens: readonly Token[]): readonly Token[] {
    const [token] = tokens;
    const isAll = tokens.length === 1;
    const fence = isAll && token?.type === 'code' ? readFence(token.raw) : undefined;
    if (token !== undefined && fence !== undefined && !isClosed(token.raw, fence)) {
      const grow = growCode(fence);
      const text = grow(this.#pending.slice(this.#pending.indexOf('\n') + 1));
      if (text !== undefined) {
        this.#grow = grow;
        return [{ ...token, text, open: true }];
      }
    }
    if ((isAll && token?.type === 'plain') || this.#pending.length > MAX_BLOCK_CHARACTERS) {
      this.#grow = growPlain(this.#pending);
      this.#plainFrom = Math.max(0, this.#pending.lastIndexOf('\n'));
      return [{ ...plainToken(this.#pending), open: true }];
    }
    return tokens;
  }
}

/**
 * Returns the number of leading tokens that later text cannot change.
 *
 * The tokens before a token are settled if the previous one ends itself, or if the token's first line is complete and it
 * follows a blank line or interrupts any block.
 */
function settledCount(tokens: readonly Token[], { text, original }: Mended): number {
  let settled = 0;
  let start = 0;
  let previous: Token | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'space') {
      if (previous !== undefined && isBoundary(previous, token, text, { start, original }))
        settled = index;
      previous = token;
    }
    start += token.raw.length;
  }
  const isWhole = start === text.length && original === start && text.endsWith('\n');
  const isOver =
    endsItself(previous) || (previous?.type === 'plain' && endsInBlankLine(text, text.length));
  return isWhole && isOver ? tokens.length : settled;
}

function isBoundary(
  previous: Token,
  token: Token,
  text: string,
  { start, original }: { readonly start: number; readonly original: number },
): boolean {
  if (start > original) return false;
  if (endsItself(previous)) return true;
  const lineEnd = text.indexOf('\n', start);
  const isFirstLineThere = lineEnd >= 0 && lineEnd < original;
  if (!isFirstLineThere) return false;
  return text.length > SETTLE_AFTER_CHARACTERS || endsInBlankLine(text, start) || interrupts(token);
}

function endsInBlankLine(text: string, at: number): boolean {
  return /\n[ \t]*\n$/.test(text.slice(Math.max(0, at - 64), at));
}

function endsItself(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.type === 'hr') return true;
  if (token.type === 'heading') return /^ {0,3}#/.test(token.raw);
  const fence = token.type === 'code' ? readFence(token.raw) : undefined;
  return fence !== undefined && isClosed(token.raw, fence);
}

function interrupts(token: Token): boolean {
  if (token.type === 'plain') return true;
  if (token.type === 'heading') return /^ {0,3}#/.test(token.raw);
  return token.type === 'code' && readFence(token.raw) !== undefined;
}
