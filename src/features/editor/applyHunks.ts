import { type Hunk, sideOf } from './unifiedDiff.ts';

/** Maximum number of comparisons of lines for a diff, which take some tenths of a second. */
const MAX_LINE_COMPARISONS = 5_000_000;

/** Limits the search for hunks over all files of a diff. */
export interface SearchBudget {
  comparisonsLeft: number;
}

export function searchBudget(): SearchBudget {
  return { comparisonsLeft: MAX_LINE_COMPARISONS };
}

/** A replacement of a range. Lines and characters count from 0. */
export interface TextChange {
  readonly start: TextPosition;
  readonly end: TextPosition;
  /** With `\n` as line break. */
  readonly text: string;
}

interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Why a hunk does not fit: its old lines were not found, or were found several times and it has no line number. */
export type HunkConflict = 'nowhere' | 'several';

/** Applies all hunks to a text, and keeps its line breaks. Returns undefined if a hunk does not fit. */
export function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  budget: SearchBudget,
): string | undefined {
  const lines = linesOf(text);
  const starts = findHunks(lines, hunks, budget);
  if (!starts.every((start) => typeof start === 'number')) return undefined;
  let done = 0;
  const changed = hunks.flatMap((hunk, index) => {
    const start = starts[index] ?? 0;
    const kept = lines.slice(done, start);
    done = start + sideOf(hunk, 'old').length;
    return [...kept, ...newLines(lines, start, hunk.lines)];
  });
  return [...changed, ...lines.slice(done)].join(text.includes('\r\n') ? '\r\n' : '\n');
}

/** Returns the change of each hunk, from its first changed line to its last, or why it does not fit. */
export function findChanges(
  text: string,
  hunks: readonly Hunk[],
  budget: SearchBudget,
): readonly (TextChange | HunkConflict)[] {
  const lines = linesOf(text);
  return findHunks(lines, hunks, budget).map((position, index) => {
    const all = hunks[index]?.lines ?? [];
    if (typeof position !== 'number') return position;
    const first = all.findIndex(({ kind }) => kind !== 'same');
    const last = all.findLastIndex(({ kind }) => kind !== 'same');
    const changed = all.slice(first, last + 1);
    const from = position + first;
    const until = from + changed.filter(({ kind }) => kind !== 'added').length;
    return changeOfLines(lines, from, until, newLines(lines, from, changed));
  });
}

/** Replaces the lines in [from, until). */
function changeOfLines(
  lines: readonly string[],
  from: number,
  until: number,
  text: readonly string[],
): TextChange {
  const endOf = (line: number) => ({ line, character: lines[line]?.length ?? 0 });
  const startOf = (line: number) => ({ line, character: 0 });
  if (from < until && text.length > 0)
    return { start: startOf(from), end: endOf(until - 1), text: text.join('\n') };
  if (until < lines.length) {
    const whole = text.map((line) => `${line}\n`).join('');
    return { start: startOf(from), end: startOf(until), text: whole };
  }
  // No line follows, so the line break before the lines goes with them.
  const end = endOf(lines.length - 1);
  if (from === 0) return { start: startOf(0), end, text: text.join('\n') };
  return { start: endOf(from - 1), end, text: text.map((line) => `\n${line}`).join('') };
}

/** Returns the new side of a hunk that begins at `start`. Unchanged lines keep the text's own whitespace. */
function newLines(
  lines: readonly string[],
  start: number,
  hunkLines: Hunk['lines'],
): readonly string[] {
  let at = start;
  return hunkLines.flatMap(({ kind, text }) => {
    if (kind === 'added') return [text];
    const own = lines[at++] ?? text;
    return kind === 'same' ? [own] : [];
  });
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/u);
}

/**
 * Finds the first line of each hunk, after the previous hunk. Of several matches the nearest to the hunk's line number
 * wins; without a number there must be only one. Whitespace at the ends of lines is ignored.
 */
function findHunks(
  lines: readonly string[],
  hunks: readonly Hunk[],
  budget: SearchBudget,
): readonly (number | HunkConflict)[] {
  const search = new LineSearch(lines, budget);
  const repeated = findRepeated(search, hunks);
  /** The line before which each hunk must end: the next known start, else the end of the text. */
  const ends: number[] = [];
  let end = lines.length;
  for (const [index, start] of [...repeated.entries()].reverse()) {
    ends[index] = end;
    if (typeof start === 'number') end = Math.min(end, start);
  }
  let done = 0;
  return hunks.map((hunk, index) => {
    const old = sideOf(hunk, 'old');
    const start = repeated[index] ?? search.find(old, done, ends[index] ?? 0, hunk.oldStart);
    if (typeof start !== 'number') return start;
    if (start < done) return 'nowhere';
    done = start + old.length;
    return start;
  });
}

/**
 * Finds hunks that have the same old lines together, because alone each might take the place of another. The result is
 * undefined for all other hunks, for those that moved differently, and when the budget is used up.
 */
function findRepeated(search: LineSearch, hunks: readonly Hunk[]): readonly (number | undefined)[] {
  const starts: (number | undefined)[] = hunks.map(() => undefined);
  const groups = new Map<string, { readonly index: number; readonly wanted: number }[]>();
  for (const [index, hunk] of hunks.entries()) {
    const { oldStart } = hunk;
    const old = sideOf(hunk, 'old').map((line) => line.trimEnd());
    const key = old.join('\n');
    if (oldStart === undefined || key === '') continue;
    const group = groups.get(key) ?? [];
    const wanted = Math.min(oldStart - 1, search.lineCount);
    // Interns may write the same line number for all of them. Two hunks can't move to the same lines.
    if (wanted < (group.at(-1)?.wanted ?? -Infinity) + old.length) continue;
    group.push({ index, wanted });
    groups.set(key, group);
  }
  for (const [key, group] of groups) {
    if (group.length < 2) continue;
    const found = search.findMoved(
      key.split('\n'),
      group.map(({ wanted }) => wanted),
    );
    for (const [at, { index }] of group.entries()) starts[index] = found[at];
  }
  return starts;
}

class LineSearch {
  readonly lineCount: number;
  readonly #lines: readonly string[];
  readonly #budget: SearchBudget;

  constructor(lines: readonly string[], budget: SearchBudget) {
    this.lineCount = lines.length;
    this.#budget = budget;
    this.#lines = lines.map((line) => line.trimEnd());
  }

  /** Finds lines in [from, end), nearest to the hunk's line number. A hunk that only adds starts after that line. */
  find(
    lines: readonly string[],
    from: number,
    end: number,
    oldStart: number | undefined,
  ): number | HunkConflict {
    const last = end - lines.length;
    if (lines.length === 0) {
      const isInside = oldStart !== undefined && oldStart >= from && oldStart <= last;
      return isInside ? oldStart : 'nowhere';
    }
    if (last < from) return 'nowhere';
    const wanted = lines.map((line) => line.trimEnd());
    if (oldStart === undefined) return this.#findOnly(wanted, from, last);
    const near = Math.min(Math.max(from, oldStart - 1), last);
    const farthest = Math.max(near - from, last - near);
    for (let away = 0; away <= farthest && this.#budget.comparisonsLeft >= 0; away++) {
      if (near - away >= from && this.#isAt(near - away, wanted)) return near - away;
      if (near + away <= last && this.#isAt(near + away, wanted)) return near + away;
    }
    return 'nowhere';
  }

  /**
   * Finds the same lines for several hunks that moved by the same number of lines: the move that most hunks fit, or the
   * smallest of several. Returns undefined for the other hunks, and for all if the budget is used up.
   *
   * @param wanted the line numbers of the hunks, from 0 to the end of the text
   */
  findMoved(lines: readonly string[], wanted: readonly number[]): readonly (number | undefined)[] {
    if (wanted.every((at) => this.#isAt(at, lines))) return wanted;
    const positions: number[] = [];
    const last = this.lineCount - lines.length;
    for (let at = 0; at <= last && this.#budget.comparisonsLeft >= 0; at++)
      if (this.#isAt(at, lines)) positions.push(at);
    this.#budget.comparisonsLeft -= positions.length * wanted.length;
    if (this.#budget.comparisonsLeft < 0) return [];
    /** The number of hunks that fit, by their move from `-lineCount` on. */
    const fitting = new Uint32Array(2 * this.lineCount + 1);
    for (const position of positions)
      for (const at of wanted) {
        const index = position - at + this.lineCount;
        fitting[index] = (fitting[index] ?? 0) + 1;
      }
    let [best, most] = [0, 0];
    for (const [index, count] of fitting.entries()) {
      const move = index - this.lineCount;
      if (count > most || (count === most && Math.abs(move) < Math.abs(best)))
        [best, most] = [move, count];
    }
    return wanted.map((at) => (this.#isAt(at + best, lines) ? at + best : undefined));
  }

  #findOnly(wanted: readonly string[], from: number, last: number): number | HunkConflict {
    let found: number | undefined;
    for (let at = from; at <= last; at++) {
      // There may be a second match beyond the budget.
      if (this.#budget.comparisonsLeft < 0) return 'nowhere';
      if (!this.#isAt(at, wanted)) continue;
      if (found !== undefined) return 'several';
      found = at;
    }
    return found ?? 'nowhere';
  }

  #isAt(at: number, wanted: readonly string[]): boolean {
    const differs = wanted.findIndex((line, index) => line !== this.#lines[at + index]);
    this.#budget.comparisonsLeft -= differs === -1 ? wanted.length : differs + 1;
    return differs === -1;
  }
}
