/** Math in a reply, as TeX. */
export interface MathSource {
  /** As it was written, with its marks. */
  readonly raw: string;
  readonly tex: string;
  /** On a line of its own. */
  readonly display: boolean;
}

/** Longest TeX of a line and of a block, in characters; a longer one is shown as it was written. */
const inDollars = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,500})\$(?![\w${(])/;
const inTwoDollars = /^\$\$((?:\\[^]|[^\\$]){1,2000})\$\$/;
const inParentheses = /^\\\(((?:\\[^\n)]|[^\\\n]){1,500})\\\)/;
/** Brackets are escaped in much that is no math: they stand on a line of their own, around what is. */
const inBrackets = /^ {0,3}\\\[((?:\\[^\n\]]|[^\\\n]){1,1000})\\\][ \t]*(?:\n|$)/;
const openedBlock = /^ {0,3}(\$\$|\\\[)[ \t]*\n/;
const lineOfBlock = /\n {0,3}(?:\$\$|\\\[)/g;
const blankLine = /\n[ \t]*(?:\n|$)/;
/** What makes TeX of what begins with a digit, which is a price else; and what is a sentence between two dollars. */
const reckoned = /[\\^_=*/<>{}]|^[\d.,]+$/;
const sentence = /[a-z]{2}[,;:]? [a-z]{2}/i;
/** What is hardly written but in math. */
const mathLike = /[\\^_=+<>]/;

/** The math that a text begins with; undefined where it begins with none, also where there is no end to it. */
export function mathAt(text: string): MathSource | undefined {
  const double = inTwoDollars.exec(text);
  const [raw, tex = ''] = double ?? inParentheses.exec(text) ?? inDollars.exec(text) ?? [];
  if (raw === undefined || tex.trim() === '') return undefined;
  const isDollars = double === null && raw.startsWith('$');
  if (isDollars && (/\s$/.test(tex) || (/^\d/.test(tex) && !reckoned.test(tex)))) return undefined;
  if (isDollars && !tex.includes('\\') && sentence.test(tex)) return undefined;
  return { raw, tex, display: double !== null };
}

/**
 * The math block that a text begins with. It ends at a blank line at the latest: one that is not closed before that, or
 * not yet, has no TeX, and is shown as the text that it is, whatever stands at the beginning of its lines.
 */
export function mathBlockAt(
  text: string,
): (Omit<MathSource, 'tex'> & { tex?: string }) | undefined {
  const [line, only] = inBrackets.exec(text) ?? [];
  if (line !== undefined && only !== undefined && mathLike.test(only))
    return { raw: line, tex: only, display: true };
  const [start, mark] = openedBlock.exec(text) ?? [];
  if (start === undefined || mark === undefined) return undefined;
  const close = text.indexOf(mark === '$$' ? mark : '\\]', start.length);
  const within = close < 0 ? text : text.slice(0, close + 1);
  const blank = blankLine.exec(within.slice(start.length - 1))?.index;
  if (blank !== undefined && (close < 0 || blank + start.length < close))
    return { raw: text.slice(0, start.length + blank), display: true };
  if (close < 0) return { raw: text, display: true };
  const raw = text.slice(0, close + 2) + (/^[ \t]*\n/.exec(text.slice(close + 2))?.[0] ?? '');
  return { raw, tex: text.slice(start.length, close), display: true };
}

/** Where a math block begins in a paragraph, at a line after its first; `rest` is the text from the paragraph on. */
export function mathLineIn(paragraph: string, rest: string): number | undefined {
  for (const { index } of paragraph.matchAll(lineOfBlock))
    if (mathBlockAt(rest.slice(index + 1)) !== undefined) return index + 1;
  return undefined;
}

/** Where the first math begins after the start of a text; -1 where there is none. */
export function mathIn(text: string, rest: string): number {
  let at = text.indexOf('$', 1);
  while (at > 0 && (/[\w$\\]/.test(text.charAt(at - 1)) || mathAt(rest.slice(at)) === undefined))
    at = text.indexOf('$', at + 1);
  return at;
}
