import { isClosingFence, mayClose, readFence, type Fence } from './fence.ts';
import { mathAt, mathBlockAt, mathLineIn } from './mathSource.ts';

/** Quotation marks, bullets and numbers at the start of a line. */
const CONTAINER_MARKS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** The start of a line that may become a heading, rule, list, task, fence or underline. */
const UNDECIDED_START =
  /^(?:(?:#{1,6}|[-*+=_]+|\d{1,9}[.)]?|`{1,2}|~{1,2}|\||\[[ xX]?\]?)?[ \t]*|`{3,}[^`]*|~{3,}.*)$/;
/** A link definition is never shown. */
const DEFINITION_LABEL = /^\[[^\]]+\]:/;
const BLOCK_START = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A half-open interval such as `[0, 1)`, which is not a link. */
const INTERVAL = /^\[[^()[\]]*\)/;
/** Characters of unfinished markup that are held back. Longer ones are shown. */
const MAX_UNCLOSED_CHARACTERS = { label: 150, destination: 2000, tag: 300, emphasis: 600 } as const;

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
    return mayClose(line, fence) ? cut(text, lineStart) : cut(text);
  }
  if (isInMath(text.slice(start))) return cut(text);
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

function cut(text: string, at = text.length): Mended {
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
    if (fence === undefined) fence = readFence(`${contents}\n`);
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
  while (start > from && !BLOCK_START.test(text.slice(start))) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (readFence(text.slice(previous, start).replace(CONTAINER_MARKS, '')) !== undefined) break;
    start = previous;
  }
  return start + (CONTAINER_MARKS.exec(text.slice(start))?.[0].length ?? 0);
}

export interface Mended {
  readonly text: string;
  /** Length of the unchanged start of the text. */
  readonly original: number;
}

interface Opener {
  readonly at: number;
  readonly mark: string;
  length: number;
}

/** Open marks of emphasis, outermost first. One stack for each mark keeps the time linear. */
type Openers = Readonly<Record<'*' | '_' | '~', Opener[]>>;

interface Scan {
  readonly text: string;
  readonly start: number;
  readonly openers: Openers;
  readonly closings: ReadonlyMap<number, number>;
}

/** The next index to scan, or the end of the visible text with the mark that closes an open code span. */
type Step = number | { readonly end: number; readonly code: string };

function hold(end: number): Step {
  return { end, code: '' };
}

/** @param start the start of the inline text at the end */
function mendInline(text: string, start: number): Mended {
  const openers: Openers = { '*': [], _: [], '~': [] };
  const scanned: Scan = { text, start, openers, closings: matchBrackets(text, start) };
  let step: Step = start;
  while (typeof step === 'number' && step < text.length) step = scan(scanned, step);
  const { end, code } = typeof step === 'number' ? { end: text.length, code: '' } : step;
  const open = Object.values(openers)
    .flat()
    .sort((one, other) => one.at - other.at);
  return close(text.slice(0, end), code, open, text.length - start);
}

/** Closes open markup, innermost first. Removes an opener without text after it. */
function close(text: string, code: string, openers: Opener[], length: number): Mended {
  let body = text;
  const isBare = ({ at, length: marks }: Opener): boolean => at + marks >= body.trimEnd().length;
  for (let last = openers.at(-1); code === '' && last && isBare(last); last = openers.at(-1)) {
    body = body.slice(0, last.at);
    openers.pop();
  }
  const tooLong = length > MAX_UNCLOSED_CHARACTERS.emphasis;
  const emphasis = tooLong ? [] : openers.map(({ mark, length: marks }) => mark.repeat(marks));
  const closers = code + emphasis.reverse().join('');
  if (closers === '') return { text: body, original: body.length };
  const closed = body.trimEnd();
  return { text: closed + closers, original: closed.length };
}

function scan(scanned: Scan, at: number): Step {
  const character = scanned.text.charAt(at);
  const math = /[$\\]/.test(character) ? mathAt(scanned.text.slice(at)) : undefined;
  if (math !== undefined) return at + math.raw.length;
  return scanners[character]?.(scanned, at) ?? at + 1;
}

const scanners: Readonly<Record<string, (scanned: Scan, at: number) => Step>> = {
  '\\': ({ text }, at) => (at + 1 === text.length ? hold(at) : at + 2),
  '!': ({ text }, at) => (at + 1 === text.length ? hold(at) : at + 1),
  '`': scanCode,
  '[': scanLink,
  '<': scanTag,
  '*': scanEmphasis,
  _: scanEmphasis,
  '~': scanEmphasis,
};

function runLength(text: string, at: number): number {
  const mark = text.charAt(at);
  let end = at;
  while (text.charAt(end) === mark) end++;
  return end - at;
}

function scanCode({ text }: Scan, at: number): Step {
  const length = runLength(text, at);
  const after = at + length;
  for (let next = text.indexOf('`', after); next >= 0; next = text.indexOf('`', next)) {
    const other = runLength(text, next);
    if (other === length) return next + other;
    next += other;
  }
  if (text.slice(after).trim() === '') return hold(at);
  // Marks at the end may begin the closing ones.
  const end = length > 1 ? endBeforeMarks(text) : text.length;
  return { end, code: '`'.repeat(length) };
}

/** Returns the start of the backticks at the end of a text. */
function endBeforeMarks(text: string): number {
  let end = text.trimEnd().length;
  while (text.charAt(end - 1) === '`') end--;
  return end;
}

function scanLink({ text, start, closings }: Scan, at: number): Step {
  const held = hold(at > start && text.charAt(at - 1) === '!' ? at - 1 : at);
  const label = closings.get(at);
  if (label === undefined) {
    const isTooLong = text.length - at > MAX_UNCLOSED_CHARACTERS.label;
    return isTooLong || INTERVAL.test(text.slice(at)) ? at + 1 : held;
  }
  const next = text.charAt(label + 1);
  if (next === '') return held;
  if (next !== '(' && next !== '[') return at + 1;
  const end = closings.get(label + 1);
  if (end !== undefined) return end + 1;
  return text.length - label > MAX_UNCLOSED_CHARACTERS.destination ? at + 1 : held;
}

function scanTag({ text }: Scan, at: number): Step {
  const rest = text.slice(at, at + MAX_UNCLOSED_CHARACTERS.tag);
  const [complete] = /^<[^<>]*>/.exec(rest) ?? [];
  if (complete !== undefined) return at + complete.length;
  const unfinished =
    /^<(?:[a-zA-Z/!?][^<>]*)?$/.test(rest) && rest.length < MAX_UNCLOSED_CHARACTERS.tag;
  return unfinished ? hold(at) : at + 1;
}

function scanEmphasis({ text, openers }: Scan, at: number): Step {
  const mark = text.charAt(at) as keyof Openers;
  let length = runLength(text, at);
  const to = at + length;
  if (to === text.length) return hold(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(to);
  const inWord = mark === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  // A single tilde mostly means “about”.
  if (inWord || (mark === '~' && length !== 2)) return to;
  if (/\S/.test(before)) length = closeOpeners(openers, mark, length);
  if (length > 0 && /\S/.test(after)) openers[mark].push({ at: to - length, mark, length });
  return to;
}

/** Closes as many openers as a run of marks can, and drops those inside them. Returns the number of marks left. */
function closeOpeners(openers: Openers, mark: keyof Openers, length: number): number {
  let left = length;
  for (let opener = openers[mark].at(-1); left > 0 && opener; opener = openers[mark].at(-1)) {
    for (const stack of Object.values(openers))
      while ((stack.at(-1)?.at ?? 0) > opener.at) stack.pop();
    const used = Math.min(left, opener.length);
    left -= used;
    opener.length -= used;
    if (opener.length === 0) openers[mark].pop();
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
