import { mathBlockAt, mathLineIn } from '../parse/mathSource.ts';
import { closes, mayClose, readFence, type Fence } from '../parse/fence.ts';
import { mendInline, type Mended } from './mendInline.ts';

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
