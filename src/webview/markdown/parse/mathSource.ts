export interface MathSource {
  /** The source with its marks. */
  readonly raw: string;
  readonly tex: string;
  /** True if it has its own line. */
  readonly display: boolean;
}

/** These limit the length of TeX. Longer math is shown as source. */
const IN_DOLLARS = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,500})\$(?![\w${(])/;
const IN_TWO_DOLLARS = /^\$\$((?:\\[^]|[^\\$]){1,2000})\$\$/;
const IN_PARENTHESES = /^\\\(((?:\\[^\n)]|[^\\\n]){1,500})\\\)/;
/** Math in brackets must have its own line, because other text also contains escaped brackets. */
const IN_BRACKETS = /^ {0,3}\\\[((?:\\[^\n\]]|[^\\\n]){1,1000})\\\][ \t]*(?:\n|$)/;
const OPEN_MATH_BLOCK = /^ {0,3}(\$\$|\\\[)[ \t]*\n/;
const MATH_BLOCK_LINE = /\n {0,3}(?:\$\$|\\\[)/g;
const BLANK_LINE = /\n[ \t]*(?:\n|$)/;
/** Text that begins with a digit is a price unless it matches this. */
const FORMULA_CHARACTER = /[\\^_=*/<>{}]|^[\d.,]+$/;
/** Matches a sentence between two dollar signs. */
const SENTENCE = /[a-z]{2}[,;:]? [a-z]{2}/i;
/** Characters that are rare outside math. */
const OPERATOR = /[\\^_=+<>]/;

/** Returns the complete math at the start of a text, if any. */
export function mathAt(text: string): MathSource | undefined {
  const double = IN_TWO_DOLLARS.exec(text);
  const [raw, tex = ''] = double ?? IN_PARENTHESES.exec(text) ?? IN_DOLLARS.exec(text) ?? [];
  if (raw === undefined || tex.trim() === '') return undefined;
  const isDollars = double === null && raw.startsWith('$');
  if (isDollars && (/\s$/.test(tex) || (/^\d/.test(tex) && !FORMULA_CHARACTER.test(tex))))
    return undefined;
  if (isDollars && !tex.includes('\\') && SENTENCE.test(tex)) return undefined;
  return { raw, tex, display: double !== null };
}

/**
 * Returns the math block at the start of a text, if any. It ends at a blank line at the latest. If it is not closed before
 * that, it has no `tex` and is shown as text.
 */
export function mathBlockAt(text: string): { raw: string; tex?: string } | undefined {
  const [line, only] = IN_BRACKETS.exec(text) ?? [];
  if (line !== undefined && only !== undefined && OPERATOR.test(only))
    return { raw: line, tex: only };
  const [start, mark] = OPEN_MATH_BLOCK.exec(text) ?? [];
  if (start === undefined || mark === undefined) return undefined;
  const close = text.indexOf(mark === '$$' ? mark : '\\]', start.length);
  const within = close < 0 ? text : text.slice(0, close + 1);
  const blank = BLANK_LINE.exec(within.slice(start.length - 1))?.index;
  if (blank !== undefined && (close < 0 || blank + start.length < close))
    return { raw: text.slice(0, start.length - 1 + blank) };
  if (close < 0) return { raw: text };
  const raw = text.slice(0, close + 2) + (/^[ \t]*\n/.exec(text.slice(close + 2))?.[0] ?? '');
  return { raw, tex: text.slice(start.length, close) };
}

/** Returns where a math block begins after the first line of a paragraph. `rest` is the text from the paragraph on. */
export function mathLineIn(paragraph: string, rest: string): number | undefined {
  for (const { index } of paragraph.matchAll(MATH_BLOCK_LINE))
    if (mathBlockAt(rest.slice(index + 1)) !== undefined) return index + 1;
  return undefined;
}

/** Returns where math begins after the start of a text, or -1. */
export function mathIn(text: string, rest: string): number {
  let at = text.indexOf('$', 1);
  while (at > 0 && (/[\w$\\]/.test(text.charAt(at - 1)) || mathAt(rest.slice(at)) === undefined))
    at = text.indexOf('$', at + 1);
  return at;
}
