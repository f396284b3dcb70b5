import {
  getDefaults,
  Lexer,
  Tokenizer,
  type Links,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import { BlockBudget, containerBlock, isOversizedHtml, isTangled } from './budget.ts';
import { mathAt, mathBlockAt, mathIn, mathLineIn } from './mathSource.ts';
import type { PlainReason } from '../markup/nodes.ts';
import { longestBlock, type SlowBlocks } from './slowBlocks.ts';

/** How deep blocks and inline markup may lie in each other: deeper than anybody writes, and far from any stack's end. */
const deepest = 40;
/** Most pieces of markup in a block: the blocks and cells in it, and links, marked words and what stands between them. */
const mostPieces = 8_000;
/** Most formulas in a block. */
const mostFormulas = 500;
/** Most characters of a block's text that are looked through again after its formulas. */
const mostAfterFormulas = 2_000_000;
/** Pieces that are read before the clock is looked at. */
const piecesPerLook = 64;
/** Longer than any definition of a link, in characters. */
const longestDefinition = 2_048;
/** A web address that is no link: the parser would look through it again for each mark at its end. */
const longAddress = /^[^\s<]{2048}/;

/** Thrown out of a block that holds more markup than is read. */
class TooMuch extends Error {}
/** Thrown out of a block that takes too long to read, which nobody thought of. */
class TooSlow extends TooMuch {}

/** Reads a text block by block; a block that holds too much becomes plain text, whatever of it was read. */
class BoundedLexer extends Lexer {
  /** The top-level block that an inline text belongs to, by the tokens that it is read into. */
  readonly #blocks = new Map<Token[], number>();
  readonly #slow: SlowBlocks | undefined;

  constructor(slow: SlowBlocks | undefined) {
    super(options);
    this.#slow = slow;
  }

  override lex(src: string): TokensList {
    tokenizer.begin(this.#slow);
    this.blockTokens(src, this.tokens);
    let current = -1;
    for (const { src: text, tokens } of this.inlineQueue) {
      const block = this.#blocks.get(tokens) ?? 0;
      if (block !== current) {
        tokenizer.beginBlock();
        // A raw link that is left open ends with its block: how much is read at a time must not show.
        this.state.inLink = false;
      }
      current = block;
      this.#readInline(text, tokens, block);
    }
    this.inlineQueue = [];
    return this.tokens;
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    this.#blocks.set(tokens, this.tokens.length);
    return super.inline(src, tokens);
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (isTangled(src)) throw new TooMuch();
    return super.inlineTokens(src, tokens);
  }

  #readInline(text: string, tokens: Token[], block: number): void {
    const token = this.tokens[block];
    if (token === undefined || token.type === 'plain') return;
    try {
      this.inlineTokens(text, tokens);
    } catch (failure) {
      if (!(failure instanceof TooMuch)) throw failure;
      this.tokens[block] = tokenizer.giveUp(failure, token.raw, token.raw);
    }
  }
}

/** A block that is shown as plain text, because to draw it could freeze the page. */
export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
  readonly reason: PlainReason;
}

function plain(raw: string, reason: PlainReason): PlainToken {
  return { type: 'plain', raw, reason };
}

/**
 * Reads markup that lies deeper than that as text: a reply of nothing but quotation marks would else overflow the stack
 * whenever its conversation is drawn.
 *
 * A link reference definition ends at a blank line. Without this, the end of one would depend on text that comes any
 * time later: a quotation mark at the end of a long reply could reach back and turn what is drawn into a title.
 */
class StreamingTokenizer extends Tokenizer {
  #depth = 0;
  /** Pieces of the block that is read. */
  #pieces = 0;
  #formulas = 0;
  #afterFormulas = 0;
  #until = 0;
  #slow: SlowBlocks | undefined;
  #budget = new BlockBudget();

  begin(slow: SlowBlocks | undefined): void {
    this.#slow = slow;
    this.#budget = new BlockBudget();
    this.beginBlock();
  }

  beginBlock(): void {
    this.#pieces = 0;
    this.#formulas = 0;
    this.#afterFormulas = 0;
    this.#until = performance.now() + longestBlock;
  }

  /** The token in place of a block that `source` begins with and `failure` was thrown out of. */
  giveUp(failure: TooMuch, source: string, raw: string): PlainToken {
    const isSlow = failure instanceof TooSlow;
    if (isSlow) this.#slow?.add(source);
    return plain(raw, isSlow ? 'too slow' : 'too much');
  }

  /** Called before each block. */
  override space(src: string): Tokens.Space | undefined {
    if (this.#depth === 0) {
      this.beginBlock();
      if (this.#slow?.has(src))
        return plain(containerBlock(src), 'too slow') as Token as Tokens.Space;
      const oversized = this.#budget.oversized(src);
      if (oversized !== undefined) return plain(oversized, 'too much') as Token as Tokens.Space;
    }
    this.#count();
    return this.#mathBlock(src) ?? super.space(src);
  }

  /** Called before each piece of inline markup. */
  override escape(src: string): Tokens.Escape | undefined {
    this.#count();
    const math = this.#formulas < mostFormulas ? mathAt(src) : undefined;
    if (math === undefined) return super.escape(src);
    this.#formulas++;
    return { type: 'math', ...math } as Token as Tokens.Escape;
  }

  /** Text ends where math begins. */
  override inlineText(src: string): Tokens.Text | undefined {
    const token = super.inlineText(src);
    const at = token === undefined ? -1 : mathIn(token.raw, src);
    if (token === undefined || at < 0) return token;
    this.#afterFormulas += token.raw.length;
    if (this.#afterFormulas > mostAfterFormulas) throw new TooMuch();
    const raw = src.slice(0, at);
    return { ...token, raw, text: raw };
  }

  /** And so does a paragraph. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    const { inlineQueue } = this.lexer;
    const queued = inlineQueue.length;
    const token = super.paragraph(src);
    const end = token && mathLineIn(token.raw, src);
    if (end === undefined) return token;
    inlineQueue.length = queued;
    return super.paragraph(src.slice(0, end));
  }

  override url(src: string): Tokens.Link | undefined {
    return longAddress.test(src) ? undefined : super.url(src);
  }

  override html(src: string): Tokens.HTML | undefined {
    const token = super.html(src);
    return token !== undefined && isOversizedHtml(token.raw)
      ? (plain(token.raw, 'too much') as Token as Tokens.HTML)
      : token;
  }

  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(src)) return undefined;
    const near = src.slice(0, longestDefinition);
    const blank = /\n[ \t]*\n/.exec(near);
    return super.def(blank === null ? near : near.slice(0, blank.index + 1));
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#container(src, () => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#container(src, () => super.list(src));
  }

  override link(...source: Parameters<Tokenizer['link']>): ReturnType<Tokenizer['link']> {
    return this.#deeper(() => super.link(...source));
  }

  override reflink(...source: Parameters<Tokenizer['reflink']>): ReturnType<Tokenizer['reflink']> {
    return this.#deeper(() => super.reflink(...source));
  }

  override emStrong(
    ...source: Parameters<Tokenizer['emStrong']>
  ): ReturnType<Tokenizer['emStrong']> {
    return this.#deeper(() => super.emStrong(...source));
  }

  override del(...source: Parameters<Tokenizer['del']>): ReturnType<Tokenizer['del']> {
    return this.#deeper(() => super.del(...source));
  }

  #mathBlock(src: string): Tokens.Space | undefined {
    const math = mathBlockAt(src);
    if (math === undefined) return undefined;
    const { raw, tex } = math;
    const text = { type: 'text', raw, text: raw, escaped: true };
    const token =
      tex === undefined
        ? { type: 'paragraph', raw, text: raw, tokens: [text] }
        : { type: 'math', ...math };
    return token as Token as Tokens.Space;
  }

  #count(): void {
    this.#pieces++;
    if (this.#pieces > mostPieces) throw new TooMuch();
    if (this.#pieces % piecesPerLook === 0 && performance.now() > this.#until) throw new TooSlow();
  }

  #container<T extends Token>(src: string, read: () => T | undefined): T | undefined {
    if (this.#depth > 0) return this.#deeper(read);
    const { inlineQueue, state } = this.lexer;
    const queued = inlineQueue.length;
    try {
      return this.#deeper(read);
    } catch (failure) {
      if (!(failure instanceof TooMuch)) throw failure;
      inlineQueue.length = queued;
      state.top = true;
      return this.giveUp(failure, src, containerBlock(src)) as Token as T;
    }
  }

  /** What a tokenizer reads that reads what lies in its token as well; undefined where that would lie too deep. */
  #deeper<T>(read: () => T | undefined): T | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

const tokenizer = new StreamingTokenizer();
const options = { ...getDefaults(), gfm: true, tokenizer };

/** Link reference definitions by their normalised label. */
export type Definitions = Links;

export function noDefinitions(): Definitions {
  return Object.create(null) as Definitions;
}

/**
 * Splits GitHub-flavoured Markdown into blocks. The `raw` of the tokens, put together, is the text.
 *
 * @param text with line feeds only; a carriage return would make the tokens' raw text shorter than the text
 * @param known definitions from before the text; where a label is defined twice, the first counts
 * @param slow blocks that are plain text because they took too long before; those that do now are added
 */
export function lex(
  text: string,
  known: Definitions,
  slow?: SlowBlocks,
): { readonly tokens: readonly Token[]; readonly definitions: Definitions } {
  const lexer = new BoundedLexer(slow);
  Object.assign(lexer.tokens.links, known);
  const tokens = lexer.lex(text);
  return { tokens, definitions: tokens.links };
}
