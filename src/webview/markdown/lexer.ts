import { getDefaults, Lexer, Tokenizer } from 'marked';
import type { Links, Token, Tokens } from 'marked';

/** How deep blocks and inline markup may lie in each other: deeper than anybody writes, and far from any stack's end. */
const deepest = 100;

/** Characters that may begin or end inline markup; a text with more of them than this is read as it stands. */
const mostDelimiters = 1_000;
/** The longest name before an `@` that may be an address's, in characters; the standard allows 64. */
const longestName = 256;
/** Longer than any definition of a link, in characters. */
const longestDefinition = 8_192;

/**
 * Whether reading the inline markup of a text could take time that grows with the square of its length: marked looks
 * for the other end of each mark, and for the `@` after each word. Nobody writes such a paragraph for its markup.
 */
function isTangled(text: string): boolean {
  if (text.length <= longestName) return false;
  let delimiters = 0;
  for (let at = 0; at < text.length; at++)
    if ('*_~<'.includes(text.charAt(at)) && ++delimiters > mostDelimiters) return true;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1))
    if (at >= longestName && !/[\s"(),:;<>@[\\\]]/.test(text.slice(at - longestName, at)))
      return true;
  return false;
}

/** Reads inline markup where that can be done in good time, else the text as it stands. */
class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (!isTangled(src)) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    return tokens;
  }
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

  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(src)) return undefined;
    const near = src.slice(0, longestDefinition);
    const blank = /\n[ \t]*\n/.exec(near);
    return super.def(blank === null ? near : near.slice(0, blank.index + 1));
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#deeper(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#deeper(() => super.list(src));
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

const options = { ...getDefaults(), gfm: true, tokenizer: new StreamingTokenizer() };

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
  const lexer = new BoundedLexer(options);
  Object.assign(lexer.tokens.links, known);
  const tokens = lexer.lex(text);
  return { tokens, definitions: tokens.links };
}
