import { getDefaults, Lexer, Tokenizer } from 'marked';
import type { Links, Token, Tokens } from 'marked';

/**
 * A link reference definition ends at a blank line. Without this, the end of one would depend on text that comes any
 * time later: a quotation mark at the end of a long reply could reach back and turn what is drawn into a title.
 */
class StreamingTokenizer extends Tokenizer {
  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[/.test(src)) return undefined;
    const blank = /\n[ \t]*\n/.exec(src);
    return super.def(blank === null ? src : src.slice(0, blank.index + 1));
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
  const lexer = new Lexer(options);
  Object.assign(lexer.tokens.links, known);
  const tokens = lexer.lex(text);
  return { tokens, definitions: tokens.links };
}
