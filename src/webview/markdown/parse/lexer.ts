import {
  getDefaults,
  Lexer,
  Tokenizer,
  type Links,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import {
  areReadable,
  boundContainer,
  boundTable,
  endOfBlankLine,
  isOversizedHtml,
  itemMark,
  longestBlock,
  quotationMark,
} from './bounds.ts';
import { mathAt, mathBlockAt, mathIn, mathLineIn } from './mathSource.ts';

/** How deep blocks and inline markup may lie in each other: deeper than anybody writes, and far from any stack's end. */
const deepest = 40;
/** Most cells of the tables of one block. */
const mostCells = 8_000;
/** Most links that one text defines: each of them is looked up wherever brackets stand. */
const mostDefinitions = 1_000;
/** How far a paragraph is looked for at first, in characters. */
const nearby = 1_024;
/** Longer than any definition of a link, in characters. */
const longestDefinition = 2_048;
/** A web address that is no link: the parser would look through it again for each mark at its end. */
const longAddress = /^[^\s<]{2048}/;

/** Reads a text block by block; a block whose inline texts are too long becomes plain text. */
class BoundedLexer extends Lexer {
  /** The top-level block that an inline text belongs to, by the tokens that it is read into. */
  readonly #blocks = new Map<Token[], number>();

  constructor() {
    super(options);
  }

  override lex(src: string): TokensList {
    tokenizer.begin(Object.keys(this.tokens.links).length);
    this.blockTokens(src, this.tokens);
    const byBlock = new Map<number, InlineText[]>();
    for (const text of this.inlineQueue) {
      const block = this.#blocks.get(text.tokens) ?? 0;
      const texts = byBlock.get(block);
      if (texts === undefined) byBlock.set(block, [text]);
      else texts.push(text);
    }
    this.inlineQueue = [];
    for (const [block, texts] of byBlock) this.#readInline(block, texts);
    return this.tokens;
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    this.#blocks.set(tokens, this.tokens.length);
    return super.inline(src, tokens);
  }

  #readInline(block: number, texts: readonly InlineText[]): void {
    const token = this.tokens[block];
    if (token === undefined || token.type === 'plain') return;
    if (!areReadable(texts.map(({ src }) => src))) {
      this.tokens[block] = plainToken(token.raw);
      return;
    }
    // A raw link that is left open ends with its block: how much is read at a time must not show.
    this.state.inLink = false;
    for (const { src, tokens } of texts) this.inlineTokens(src, tokens);
  }
}

type InlineText = Lexer['inlineQueue'][number];

/** A block that is shown as plain text, because to read or draw it could freeze the page. */
export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
}

export function plainToken(raw: string): PlainToken {
  return { type: 'plain', raw };
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
  #definitions = 0;
  /** Cells that the tables of the block may still have. */
  #cells = 0;
  /** Characters from a cut table to the end of the text. */
  #afterTable = -1;
  /** Characters from where the containers that were measured last are cut to the end of the text. */
  #afterContainer = Infinity;

  /** @param definitions how many links are defined */
  begin(definitions: number): void {
    this.#definitions = definitions;
    this.#afterTable = -1;
    this.#afterContainer = Infinity;
  }

  /** Called before each block. */
  override space(src: string): Tokens.Space | undefined {
    if (this.#depth === 0) this.#cells = mostCells;
    if (src.length === this.#afterTable)
      return plainToken(src.slice(0, endOfBlankLine(src))) as Token as Tokens.Space;
    return this.#mathBlock(src) ?? super.space(src);
  }

  /** Called before each piece of inline markup. */
  override escape(src: string): Tokens.Escape | undefined {
    const math = mathAt(src);
    return math === undefined
      ? super.escape(src)
      : ({ type: 'math', ...math } as Token as Tokens.Escape);
  }

  /** Text ends where math begins. */
  override inlineText(src: string): Tokens.Text | undefined {
    const token = super.inlineText(src);
    const at = token === undefined ? -1 : mathIn(token.raw, src);
    if (token === undefined || at < 0) return token;
    const raw = src.slice(0, at);
    return { ...token, raw, text: raw };
  }

  /** And so does a paragraph. The text is read up to there, not to its end: many paragraphs with math may follow. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    const { inlineQueue } = this.lexer;
    const queued = inlineQueue.length;
    for (let length = nearby; ; length *= 4) {
      const near = src.slice(0, length);
      const token = super.paragraph(near);
      if (token === undefined) return undefined;
      const end = mathLineIn(token.raw, src);
      if (end === undefined && (length >= src.length || hasTwoLines(near, token.raw.length)))
        return token;
      inlineQueue.length = queued;
      if (end !== undefined) return super.paragraph(src.slice(0, end));
    }
  }

  override url(src: string): Tokens.Link | undefined {
    return longAddress.test(src) ? undefined : super.url(src);
  }

  override html(src: string): Tokens.HTML | undefined {
    const token = super.html(src);
    return token !== undefined && isOversizedHtml(token.raw)
      ? (plainToken(token.raw) as Token as Tokens.HTML)
      : token;
  }

  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(src) || this.#definitions >= mostDefinitions) return undefined;
    const near = src.slice(0, longestDefinition);
    const blank = /\n[ \t]*\n/.exec(near);
    const token = super.def(blank === null ? near : near.slice(0, blank.index + 1));
    if (token !== undefined) this.#definitions++;
    return token;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#container(quotationMark, src, (text) => super.blockquote(text));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#container(itemMark, src, (text) => super.list(text));
  }

  /** Rows that are too many are plain text. */
  override table(src: string): Tokens.Table | undefined {
    const end = boundTable(src, this.#cells);
    const token = super.table(src.slice(0, end));
    if (token === undefined) return undefined;
    this.#cells -= (token.rows.length + 1) * token.header.length;
    if (token.raw.length === end && /^[ \t]*[^ \t\n]/.test(src.slice(end)))
      this.#afterTable = src.length - end;
    return token;
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
    if (raw.length > longestBlock) return plainToken(raw) as Token as Tokens.Space;
    const text = { type: 'text', raw, text: raw, escaped: true };
    const token =
      tex === undefined
        ? { type: 'paragraph', raw, text: raw, tokens: [text] }
        : { type: 'math', ...math };
    return token as Token as Tokens.Space;
  }

  /** Reads a list up to an item, and a quotation up to a line, from which the rest of it is read as another one. */
  #container<T extends Token>(
    mark: RegExp,
    src: string,
    read: (text: string) => T | undefined,
  ): T | undefined {
    if (this.#depth > 0 || !mark.test(src)) return this.#deeper(() => read(src));
    // The end of a container is known only once it is read, so each would be measured with all that follow.
    if (src.length <= this.#afterContainer) this.#afterContainer = src.length - boundContainer(src);
    const length = src.length - this.#afterContainer;
    return length === 0
      ? (plainToken(src.slice(0, endOfBlankLine(src, longestBlock))) as Token as T)
      : this.#deeper(() => read(src.slice(0, length)));
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

/** Returns whether two whole lines follow `from`: so much the parser looks ahead to find that a paragraph ends. */
function hasTwoLines(text: string, from: number): boolean {
  const first = text.indexOf('\n', from + 1);
  return first >= 0 && text.includes('\n', first + 1);
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
 */
export function lex(
  text: string,
  known: Definitions,
): { readonly tokens: readonly Token[]; readonly definitions: Definitions } {
  const lexer = new BoundedLexer();
  Object.assign(lexer.tokens.links, known);
  const tokens = lexer.lex(text);
  return { tokens, definitions: tokens.links };
}
