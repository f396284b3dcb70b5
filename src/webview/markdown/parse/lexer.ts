import {
  getDefaults,
  Hooks,
  Lexer,
  Tokenizer,
  type Links,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import {
  isWithinParserLimits,
  boundContainer,
  boundTable,
  endOfBlankLine,
  isOversizedHtml,
  LIST_ITEM_MARK,
  MAX_BLOCK_CHARACTERS,
  QUOTE_MARK,
} from './bounds.ts';
import { hasCjk, maskCjk, opensBesideCjk } from './cjk.ts';
import { mathAt, mathBlockAt, mathIn, mathLineIn } from './mathSource.ts';

/** Deepest nesting of blocks and inline markup. Without it, a reply full of quotation marks would overflow the stack. */
const MAX_DEPTH = 40;
/** Maximum number of cells of the tables of one block. */
const MAX_CELLS = 8_000;
/** Maximum number of link definitions of one text. All are looked up for each pair of brackets. */
const MAX_DEFINITIONS = 1_000;
/** Characters in which the end of a paragraph is first looked for. */
const MAX_LOOKAHEAD_CHARACTERS = 1_024;
/** Longest link definition, in characters. */
const MAX_DEFINITION_CHARACTERS = 2_048;
/** An address too long to be a link. The parser would scan it again for each mark at its end. */
const LONG_ADDRESS = /^[^\s<]{2048}/;
/**
 * The start of raw HTML, and of an underlined heading. The parser has longer patterns for both. Compiling them takes a tenth
 * of the script's time until a conversation is shown, so they only run where they can match.
 */
const HTML_START = /^ {0,3}</;
const UNDERLINED = /^(?:[^\S\n]*\S[^\n]*\n)+? {0,3}(?:=+|-+) *(?:\n|$)/;

/** A lexer that turns a block with too much inline text into plain text. */
class BoundedLexer extends Lexer {
  readonly #tokenizer: StreamingTokenizer;

  constructor(chosen: typeof options) {
    super(chosen);
    this.#tokenizer = chosen.tokenizer;
    this.#tokenizer.rules.inline = inlineRules;
  }

  override lex(src: string): TokensList {
    this.#tokenizer.begin(Object.keys(this.tokens.links).length);
    this.blockTokens(src, this.tokens);
    const byBlock = Map.groupBy(this.inlineQueue, ({ block = 0 }: InlineText) => block);
    this.inlineQueue = [];
    for (const [block, texts] of byBlock) this.#readInline(block, texts);
    return this.tokens;
  }

  override inline(src: string, tokens: Token[] = []): Token[] {
    const text: InlineText = { src, tokens, block: this.tokens.length };
    this.inlineQueue.push(text);
    return tokens;
  }

  /** Shows inline markup that is nested too deep as text. */
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const nested = this.#tokenizer.deeper(() => super.inlineTokens(src, tokens));
    return nested ?? [{ type: 'text', raw: src, text: src }];
  }

  #readInline(block: number, texts: readonly InlineText[]): void {
    const token = this.tokens[block];
    if (token === undefined || token.type === 'plain') return;
    if (!isWithinParserLimits(texts.map(({ src }) => src))) {
      this.tokens[block] = plainToken(token.raw);
      return;
    }
    // An open raw link ends with its block, however the text is split into steps.
    this.state.inLink = false;
    for (const { src, tokens } of texts) this.inlineTokens(src, tokens);
  }
}

/** An inline text, with the index of its top-level block. */
type InlineText = Lexer['inlineQueue'][number] & { readonly block?: number };

/** A block that is shown as plain text, because parsing or drawing it could freeze the page. */
export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
}

export function plainToken(raw: string): PlainToken {
  return { type: 'plain', raw };
}

/**
 * Limits the parser's work, and adds math.
 *
 * A link definition ends at a blank line. Else a quotation mark much later could turn drawn text into its title.
 */
class StreamingTokenizer extends Tokenizer {
  #depth = 0;
  #definitions = 0;
  /** Table cells that the block may still have. */
  #cells = 0;
  /** Characters from a cut table to the end of the text. */
  #afterTable = -1;
  /** Characters from the cut of the last measured container to the end of the text. */
  #afterContainer = Infinity;

  /** @param definitions the number of known link definitions */
  begin(definitions: number): void {
    this.#definitions = definitions;
    this.#afterTable = -1;
    this.#afterContainer = Infinity;
  }

  /** Called before each block. */
  override space(src: string): Tokens.Space | undefined {
    if (this.#depth === 0) this.#cells = MAX_CELLS;
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

  /** Ends text where math begins. */
  override inlineText(src: string): Tokens.Text | undefined {
    const token = super.inlineText(src);
    const at = token === undefined ? -1 : mathIn(token.raw, src);
    if (token === undefined || at < 0) return token;
    const raw = src.slice(0, at);
    return { ...token, raw, text: raw };
  }

  /** Ends a paragraph where math begins. Reads only a part of the text at a time, because many paragraphs may follow. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    const { inlineQueue } = this.lexer;
    const queued = inlineQueue.length;
    for (let length = MAX_LOOKAHEAD_CHARACTERS; ; length *= 4) {
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

  /** Ends an underlined heading where math begins, as {@link paragraph} does. */
  override lheading(src: string): Tokens.Heading | undefined {
    if (!UNDERLINED.test(src)) return undefined;
    const end = mathLineIn(src.slice(0, MAX_LOOKAHEAD_CHARACTERS), src);
    return super.lheading(src.slice(0, end));
  }

  override url(src: string): Tokens.Link | undefined {
    return LONG_ADDRESS.test(src) ? undefined : super.url(src);
  }

  override html(src: string): Tokens.HTML | undefined {
    if (!HTML_START.test(src)) return undefined;
    const token = super.html(src);
    return token !== undefined && isOversizedHtml(token.raw)
      ? (plainToken(token.raw) as Token as Tokens.HTML)
      : token;
  }

  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(src) || this.#definitions >= MAX_DEFINITIONS) return undefined;
    const near = src.slice(0, MAX_DEFINITION_CHARACTERS);
    const blank = /\n[ \t]*\n/.exec(near);
    const token = super.def(blank === null ? near : near.slice(0, blank.index + 1));
    if (token !== undefined) this.#definitions++;
    return token;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#container(QUOTE_MARK, src, (text) => super.blockquote(text));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#container(LIST_ITEM_MARK, src, (text) => super.list(text));
  }

  /** Shows surplus rows as plain text. */
  override table(src: string): Tokens.Table | undefined {
    const end = boundTable(src, this.#cells);
    const token = end === undefined ? undefined : super.table(src.slice(0, end));
    if (token === undefined) return undefined;
    this.#cells -= (token.rows.length + 1) * token.header.length;
    if (token.raw.length === end && /^[ \t]*[^ \t\n]/.test(src.slice(end)))
      this.#afterTable = src.length - end;
    return token;
  }

  #mathBlock(src: string): Tokens.Space | undefined {
    const math = mathBlockAt(src);
    if (math === undefined) return undefined;
    const { raw, tex } = math;
    if (raw.length > MAX_BLOCK_CHARACTERS) return plainToken(raw) as Token as Tokens.Space;
    const text = { type: 'text', raw, text: raw, escaped: true };
    const token =
      tex === undefined
        ? { type: 'paragraph', raw, text: raw, tokens: [text] }
        : { type: 'math', raw, tex, display: true };
    return token as Token as Tokens.Space;
  }

  /** Splits a list or quotation that is too large: the rest is parsed as another one. */
  #container<T extends Token>(
    mark: RegExp,
    src: string,
    read: (text: string) => T | undefined,
  ): T | undefined {
    if (!mark.test(src)) return undefined;
    if (this.#depth > 0) return this.deeper(() => read(src));
    // One measurement covers adjacent containers, whose ends are not known before they are parsed.
    if (src.length <= this.#afterContainer) this.#afterContainer = src.length - boundContainer(src);
    const length = src.length - this.#afterContainer;
    return length === 0
      ? (plainToken(src.slice(0, endOfBlankLine(src, MAX_BLOCK_CHARACTERS))) as Token as T)
      : this.deeper(() => read(src.slice(0, length)));
  }

  /** Reads nested contents, unless the nesting is too deep. */
  deeper<T>(read: () => T | undefined): T | undefined {
    if (this.#depth >= MAX_DEPTH) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

/** Returns whether two complete lines follow `from`, which the parser needs to find the end of a paragraph. */
function hasTwoLines(text: string, from: number): boolean {
  const first = text.indexOf('\n', from + 1);
  return first >= 0 && text.includes('\n', first + 1);
}

/** Opens emphasis beside CJK characters where marked alone would not. */
class CjkTokenizer extends StreamingTokenizer {
  override emStrong(src: string, mask: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(src, mask, opensBesideCjk(src, before) ? '' : before);
  }

  override del(src: string, mask: string, before = ''): Tokens.Del | undefined {
    return super.del(src, mask, opensBesideCjk(src, before) ? '' : before);
  }
}

const options = { ...getDefaults(), gfm: true, tokenizer: new StreamingTokenizer() };
const cjkOptions = {
  ...options,
  tokenizer: new CjkTokenizer(),
  hooks: Object.assign(new Hooks(), { emStrongMask: maskCjk }),
};
const inlineRules = {
  ...Lexer.rules.inline.gfm,
  /** Unlike GitHub, nothing is struck out between single tildes, which mostly mean “about”. */
  delLDelim: /^~~(?:((?!~)[\p{P}\p{S}])|[^\s~])/u,
};

/**
 * Splits GitHub-flavored Markdown into blocks. The concatenated `raw` of the tokens equals the text.
 *
 * @param text without carriage returns
 * @param known earlier definitions, which take precedence
 */
export function lex(text: string, known: Links = {}): TokensList {
  const lexer = new BoundedLexer(hasCjk(text) ? cjkOptions : options);
  Object.assign(lexer.tokens.links, known);
  return lexer.lex(text);
}
