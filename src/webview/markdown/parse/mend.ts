import { isClosingFence, mayClose, readFence, type Fence } from './fence.ts';
import { mathAt, mathBlockAt, mathLineIn } from './mathSource.ts';

/** Quotation marks, bullets and numbers at the start of a line. */
const CONTAINER_MARKS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** The start of a line that may become a heading, rule, list, task, fence or underline. */
const UNDECIDED_START =
  /^(?:(?:#{1,6}|[-*+=_]+|\d{1,9}[.)]?|`{1,2}|~{1,2}|\||\[[ xX]?\]?)?[ \t]*|`{3,}[^`]*|~{3,}.*)$/;
/** A link definition is never shown. */
const DEFINITION_LABEL = /^\[[^\]]+\]:/;
const OPENING_FENCE = /^(?:`{3,}[^`]*|~{3,}.*)$/;
const BLOCK_START = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** Characters of unfinished markup that are held back. Longer ones are shown. */
const MAX_UNCLOSED_CHARACTERS = { label: 300, destination: 2000, tag: 300, emphasis: 600 } as const;

/**
 * Prepares the end of a growing text for display, so that no raw markup shows and nothing flickers: removes markup that is
 * undecided (half a link, half a fence, the first row of a table), and closes open emphasis and code. Complete text must not
 * be passed.
 *
 * @param text the end of a document, from the start of a block
 */
export function mend(text: string): Mended {
  const lineStart = text.lastIndexOf('\n') + 1;
  const start = startOfBlock(text, lineStart);
  const fence = openFence(text);
  if (fence !== undefined) {
    const line = text.slice(lineStart).replace(CONTAINER_MARKS, '');
    return mayClose(line, fence) ? cut(text, lineStart) : whole(text);
  }
  if (isInMath(text.slice(start))) return whole(text);
  const table = undecidedTable(text, start, lineStart);
  if (table !== undefined) return cut(text, table);
  const contents = text.slice(lineStart).replace(CONTAINER_MARKS, '');
  if (UNDECIDED_START.test(contents) || DEFINITION_LABEL.test(contents))
    return cut(text, lineStart);
  return mendInline(text, startOfInline(text, start, lineStart));
}

/** Returns whether a text without blank lines ends inside a math block. */
function isInMath(stretch: string): boolean {
  const lines = `\n${stretch}`;
  const start = mathLineIn(lines, lines);
  const math = start === undefined ? undefined : mathBlockAt(stretch.slice(start - 1));
  return math !== undefined && math.tex === undefined;
}

function whole(text: string): Mended {
  return { text, original: text.length };
}

function cut(text: string, at: number): Mended {
  return { text: text.slice(0, at), original: at };
}

/** Returns the start of the text after the last blank line. */
function startOfBlock(text: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (text.slice(previous, start).trim() === '') break;
    start = previous;
  }
  return start;
}

/** Returns the fence that is open at the end of the text, at any nesting. */
function openFence(text: string): Fence | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined;
  let fence: Fence | undefined;
  const lines = text.split('\n');
  lines.pop();
  for (const line of lines) {
    const contents = line.replace(CONTAINER_MARKS, '');
    if (fence === undefined)
      fence = OPENING_FENCE.test(contents) ? readFence(`${contents}\n`) : undefined;
    else if (isClosingFence(contents, fence)) fence = undefined;
  }
  return fence;
}

/** Returns the start of a possible table whose second row is not complete. */
function undecidedTable(text: string, start: number, lineStart: number): number | undefined {
  const line = text.slice(lineStart);
  const before = text.slice(start, lineStart);
  if (hasDelimiterRow(before)) return undefined;
  const header = text.lastIndexOf('\n', lineStart - 2) + 1;
  const follows = lineStart > start && isRow(text.slice(header, lineStart));
  if (follows && /^[ \t|:-]*$/.test(line)) return header;
  return isRow(line) ? lineStart : undefined;
}

function isRow(line: string): boolean {
  return /^ {0,3}\|/.test(line);
}

function hasDelimiterRow(block: string): boolean {
  return block.split('\n').some((line) => line.includes('|') && DELIMITER_ROW.test(line));
}

/** Returns the start of the inline text at the end, beyond which emphasis cannot reach. */
function startOfInline(text: string, from: number, lineStart: number): number {
  const line = text.slice(lineStart);
  if (hasDelimiterRow(text.slice(from, lineStart))) return lineStart + line.lastIndexOf('|') + 1;
  let start = lineStart;
  while (start > from && !BLOCK_START.test(text.slice(start)))
    start = text.lastIndexOf('\n', start - 2) + 1;
  return start + (CONTAINER_MARKS.exec(text.slice(start))?.[0].length ?? 0);
}

interface Mended {
  readonly text: string;
  /** Length of the unchanged start of the text. */
  readonly original: number;
}

interface Opener {
  readonly at: number;
  readonly mark: string;
  length: number;
}

/** Open marks of emphasis, outermost first. Counting them keeps the time linear. */
class Openers {
  readonly #stack: Opener[] = [];
  readonly #counts = new Map<string, number>();

  get all(): readonly Opener[] {
    return this.#stack;
  }

  push(opener: Opener): void {
    this.#stack.push(opener);
    this.#count(opener, 1);
  }

  pop(): Opener | undefined {
    const opener = this.#stack.pop();
    if (opener !== undefined) this.#count(opener, -1);
    return opener;
  }

  /** Returns the innermost opener of a mark, if any, and drops those inside it. */
  closeTo(mark: string): Opener | undefined {
    if ((this.#counts.get(mark) ?? 0) === 0) return undefined;
    while (this.#stack.at(-1)?.mark !== mark) this.pop();
    return this.#stack.at(-1);
  }

  #count({ mark }: Opener, step: 1 | -1): void {
    this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + step);
  }
}

interface Scan {
  readonly text: string;
  readonly start: number;
  readonly openers: Openers;
  readonly closings: () => ReadonlyMap<number, number>;
}

type Step =
  | { readonly kind: 'go'; readonly to: number }
  /** Hides the text from here on. */
  | { readonly kind: 'hold'; readonly from: number }
  /** Ends in a code span. Hides the text from `end` on, and closes the span. */
  | { readonly kind: 'code'; readonly closer: string; readonly end: number };

/** @param start the start of the inline text at the end */
function mendInline(text: string, start: number): Mended {
  const openers = new Openers();
  let closings: ReadonlyMap<number, number> | undefined;
  const scanned: Scan = {
    ...{ text, start, openers },
    closings: () => (closings ??= matchBrackets(text, start)),
  };
  let end = text.length;
  let closer = '';
  for (let at = start; at < text.length;) {
    const step = scan(scanned, at);
    if (step.kind === 'go') {
      at = step.to;
      continue;
    }
    if (step.kind === 'code') ({ closer, end } = step);
    else end = step.from;
    break;
  }
  return close(text.slice(0, end), closer, openers, text.length - start);
}

/** Closes open markup, innermost first. Removes an opener without text after it. */
function close(text: string, code: string, openers: Openers, length: number): Mended {
  let body = text;
  if (code === '') {
    for (let last = openers.pop(); last !== undefined; last = openers.pop()) {
      const bare = body.trimEnd();
      if (last.at + last.length < bare.length) {
        openers.push(last);
        break;
      }
      body = body.slice(0, last.at);
    }
  }
  const tooLong = length > MAX_UNCLOSED_CHARACTERS.emphasis;
  const emphasis = tooLong ? [] : openers.all.map(({ mark, length: marks }) => mark.repeat(marks));
  const closers = code + emphasis.reverse().join('');
  if (closers === '') return { text: body, original: body.length };
  const closed = body.trimEnd();
  return { text: closed + closers, original: closed.length };
}

function scan(scanned: Scan, at: number): Step {
  const { text, openers } = scanned;
  const math = /[$\\]/.test(text.charAt(at)) ? mathAt(text.slice(at)) : undefined;
  if (math !== undefined) return { kind: 'go', to: at + math.raw.length };
  switch (text.charAt(at)) {
    case '\\':
      return at + 1 === text.length ? { kind: 'hold', from: at } : { kind: 'go', to: at + 2 };
    case '`':
      return scanCode(text, at);
    case '!':
      return at + 1 === text.length ? { kind: 'hold', from: at } : { kind: 'go', to: at + 1 };
    case '[':
      return scanLink(scanned, at);
    case '<':
      return scanTag(text, at);
    case '*':
    case '_':
    case '~':
      return scanEmphasis(text, at, openers);
    default:
      return { kind: 'go', to: at + 1 };
  }
}

function runLength(text: string, at: number): number {
  const mark = text.charAt(at);
  let end = at;
  while (text.charAt(end) === mark) end++;
  return end - at;
}

function scanCode(text: string, at: number): Step {
  const length = runLength(text, at);
  const after = at + length;
  for (let next = text.indexOf('`', after); next >= 0; next = text.indexOf('`', next)) {
    const other = runLength(text, next);
    if (other === length) return { kind: 'go', to: next + other };
    next += other;
  }
  if (text.slice(after).trim() === '') return { kind: 'hold', from: at };
  // Marks at the end may begin the closing ones.
  const end = length > 1 ? endBeforeMarks(text) : text.length;
  return { kind: 'code', closer: '`'.repeat(length), end };
}

/** Returns the start of the backticks at the end of a text. */
function endBeforeMarks(text: string): number {
  let end = text.trimEnd().length;
  while (text.charAt(end - 1) === '`') end--;
  return end;
}

function scanLink({ text, start, closings }: Scan, at: number): Step {
  const from = at > start && text.charAt(at - 1) === '!' ? at - 1 : at;
  const go: Step = { kind: 'go', to: at + 1 };
  const hold: Step = { kind: 'hold', from };
  const label = closings().get(at);
  if (label === undefined) return text.length - at > MAX_UNCLOSED_CHARACTERS.label ? go : hold;
  const next = text.charAt(label + 1);
  if (next === '') return hold;
  if (next !== '(' && next !== '[') return go;
  const end = closings().get(label + 1);
  if (end !== undefined) return { kind: 'go', to: end + 1 };
  return text.length - label > MAX_UNCLOSED_CHARACTERS.destination ? go : hold;
}

function scanTag(text: string, at: number): Step {
  const rest = text.slice(at, at + MAX_UNCLOSED_CHARACTERS.tag);
  const complete = /^<[^<>]*>/.exec(rest);
  if (complete !== null) return { kind: 'go', to: at + complete[0].length };
  const unfinished =
    /^<(?:[a-zA-Z/!?][^<>]*)?$/.test(rest) && rest.length < MAX_UNCLOSED_CHARACTERS.tag;
  return unfinished ? { kind: 'hold', from: at } : { kind: 'go', to: at + 1 };
}

function scanEmphasis(text: string, at: number, openers: Openers): Step {
  const mark = text.charAt(at);
  let length = runLength(text, at);
  const to = at + length;
  if (to === text.length) return { kind: 'hold', from: at };
  const before = text.charAt(at - 1);
  const after = text.charAt(to);
  const inWord = mark === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  if (inWord || (mark === '~' && length > 2)) return { kind: 'go', to };
  if (/\S/.test(before)) length = closeOpeners(openers, mark, length);
  if (length > 0 && /\S/.test(after)) openers.push({ at: to - length, mark, length });
  return { kind: 'go', to };
}

/** Closes as many openers as a run of marks can. Returns the number of marks left. */
function closeOpeners(openers: Openers, mark: string, length: number): number {
  let left = length;
  while (left > 0) {
    const opener = openers.closeTo(mark);
    if (opener === undefined) break;
    const used = Math.min(left, opener.length);
    left -= used;
    opener.length -= used;
    if (opener.length === 0) openers.pop();
  }
  return left;
}

/** Matches each unescaped `[` and `(` after `start` with its end, in one pass, so that many brackets do not freeze the page. */
export function matchBrackets(text: string, start: number): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const labels: number[] = [];
  const destinations: number[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '[') labels.push(at);
    else if (character === '(') destinations.push(at);
    const opened =
      character === ']' ? labels.pop() : character === ')' ? destinations.pop() : undefined;
    if (opened !== undefined) closings.set(opened, at);
  }
  return closings;
}
