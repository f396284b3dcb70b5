import { closes, mayClose, readFence, type Fence } from './fence.ts';
import { mathAt, mathBlockAt, mathLineIn } from './mathSource.ts';

/** What stands before the contents of a line: quote marks, bullets, numbers. */
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** The beginning of a line that may become anything: a heading, a rule, a list, a task, a fence, an underline. */
const undecided =
  /^(?:(?:#{1,6}|[-*+=_]+|\d{1,9}[.)]?|`{1,2}|~{1,2}|\||\[[ xX]?\]?)?[ \t]*|`{3,}[^`]*|~{3,}.*)$/;
/** What defines a link is never shown. */
const definition = /^\[[^\]]+\]:/;
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/**
 * Makes the end of a growing text fit to be shown: holds back what cannot be judged yet (half a link, half a fence,
 * a table's first row, a lone bullet that would turn the line above into a heading), and closes what is open (bold
 * text, code), so that no raw markup is seen and nothing flickers. Text that is complete is never passed through.
 *
 * @param text the end of a document, from the start of a block
 */
export function mend(text: string): Mended {
  const lineStart = text.lastIndexOf('\n') + 1;
  const blockStart = startOfBlock(text, lineStart);
  const fence = openFence(text);
  if (fence !== undefined) {
    const line = text.slice(lineStart).replace(containers, '');
    return mayClose(line, fence) ? cut(text, lineStart) : whole(text);
  }
  if (isInMath(text.slice(blockStart))) return whole(text);
  const table = undecidedTable(text, blockStart, lineStart);
  if (table !== undefined) return cut(text, table);
  const contents = text.slice(lineStart).replace(containers, '');
  if (undecided.test(contents) || definition.test(contents)) return cut(text, lineStart);
  return mendInline(text, startOfInline(text, blockStart, lineStart));
}

/** Whether a stretch without a blank line ends within a math block. */
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

/** Where the last stretch without a blank line begins. */
function startOfBlock(text: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    if (text.slice(previous, start).trim() === '') break;
    start = previous;
  }
  return start;
}

/** The fence that is open at the end of the text, wherever it is nested. */
function openFence(text: string): Fence | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined;
  let fence: Fence | undefined;
  const lines = text.split('\n');
  lines.pop();
  for (const line of lines) {
    const contents = line.replace(containers, '');
    if (fence === undefined) fence = isOpening(contents) ? readFence(`${contents}\n`) : undefined;
    else if (closes(contents, fence)) fence = undefined;
  }
  return fence;
}

function isOpening(line: string): boolean {
  return /^(?:`{3,}[^`]*|~{3,}.*)$/.test(line);
}

/** Where a table begins of which it is not certain yet that it is one: its first row, and half of its second. */
function undecidedTable(text: string, blockStart: number, lineStart: number): number | undefined {
  const line = text.slice(lineStart);
  const before = text.slice(blockStart, lineStart);
  if (hasDelimiterRow(before)) return undefined;
  const header = text.lastIndexOf('\n', lineStart - 2) + 1;
  const follows = lineStart > blockStart && isRow(text.slice(header, lineStart));
  if (follows && /^[ \t|:-]*$/.test(line)) return header;
  return isRow(line) ? lineStart : undefined;
}

function isRow(line: string): boolean {
  return /^ {0,3}\|/.test(line);
}

function hasDelimiterRow(block: string): boolean {
  return block.split('\n').some((line) => line.includes('|') && delimiterRow.test(line));
}

/** Where the run of inline text begins that the end of the text belongs to: emphasis does not reach over it. */
function startOfInline(text: string, blockStart: number, lineStart: number): number {
  const line = text.slice(lineStart);
  if (hasDelimiterRow(text.slice(blockStart, lineStart)))
    return lineStart + line.lastIndexOf('|') + 1;
  let start = lineStart;
  while (start > blockStart && !startsBlock(text.slice(start)))
    start = text.lastIndexOf('\n', start - 2) + 1;
  return start + (containers.exec(text.slice(start))?.[0].length ?? 0);
}

function startsBlock(line: string): boolean {
  return /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/.test(line);
}

/** A text that still grows, made fit to be shown. */
interface Mended {
  readonly text: string;
  /** How much of `text`, from its start, is the original. */
  readonly original: number;
}

/** How far back, in characters, something unfinished is held; beyond it is shown as it stands. */
const patience = { label: 300, destination: 2000, tag: 300, emphasis: 600 } as const;

interface Opener {
  readonly at: number;
  readonly mark: string;
  length: number;
}

/** Marks of emphasis that are open, outermost first. Each is pushed and popped once, however many closers are tried. */
class Openers {
  readonly #stack: Opener[] = [];
  /** How many are open of each mark. */
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

  /** Drops those inside the innermost one of a mark, and returns that; undefined, and nothing is dropped, where there is none. */
  closeTo(mark: string): Opener | undefined {
    if ((this.#counts.get(mark) ?? 0) === 0) return undefined;
    while (this.#stack.at(-1)?.mark !== mark) this.pop();
    return this.#stack.at(-1);
  }

  #count({ mark }: Opener, step: 1 | -1): void {
    this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + step);
  }
}

/** What is scanned, and what is known of it. */
interface Scan {
  readonly text: string;
  readonly start: number;
  readonly openers: Openers;
  /** Gives what closes each bracket. */
  readonly closings: () => ReadonlyMap<number, number>;
}

/** What the scan has found where it stopped. */
type Step =
  | { readonly kind: 'go'; readonly to: number }
  /** Show nothing from here on. */
  | { readonly kind: 'hold'; readonly from: number }
  /** Inside a code span that this would close; show nothing of it from `end` on. */
  | { readonly kind: 'code'; readonly closer: string; readonly end: number };

/**
 * Mends inline markup at the end of a growing text.
 *
 * @param start where the run of inline text begins that reaches to the end
 */
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

/** Closes what is open, innermost first; an opener with nothing behind it is taken off instead. */
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
  const tooLong = length > patience.emphasis;
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
  // Marks at the end may be the first of those that close it.
  const end = length > 1 ? endBeforeMarks(text) : text.length;
  return { kind: 'code', closer: '`'.repeat(length), end };
}

/** Where the code marks begin that end a text, blanks after them aside. */
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
  if (label === undefined) return text.length - at > patience.label ? go : hold;
  const next = text.charAt(label + 1);
  if (next === '') return hold;
  if (next !== '(' && next !== '[') return go;
  const end = closings().get(label + 1);
  if (end !== undefined) return { kind: 'go', to: end + 1 };
  return text.length - label > patience.destination ? go : hold;
}

function scanTag(text: string, at: number): Step {
  const rest = text.slice(at, at + patience.tag);
  const complete = /^<[^<>]*>/.exec(rest);
  if (complete !== null) return { kind: 'go', to: at + complete[0].length };
  const unfinished = /^<(?:[a-zA-Z/!?][^<>]*)?$/.test(rest) && rest.length < patience.tag;
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

/** Closes what a run of marks can close; returns how many marks are left of it. */
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

/**
 * Matches each `[` and `(` with what closes it, as far as backslashes let them. All are matched in one pass: to look for
 * the end of each bracket by itself would let a text full of them freeze the page.
 *
 * @param start where the text begins that is looked at
 */
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
