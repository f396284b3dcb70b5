import { type Hunk, sideOf } from './unifiedDiff.ts';

/** Maximum number of comparisons of lines for a diff, which take some tenths of a second. */
const MAX_LINE_COMPARISONS = 5_000_000;

/** Limits the search for hunks over all files of a diff. */
export interface SearchBudget {
  comparisons: number;
}

export function searchBudget(): SearchBudget {
  return { comparisons: MAX_LINE_COMPARISONS };
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
 * undefined for all other hunks, and when the budget is used up.
 */
function findRepeated(
  search: LineSearch,
  hunks: readonly Hunk[],
): readonly (number | HunkConflict | undefined)[] {
  const starts: (number | HunkConflict | undefined)[] = hunks.map(() => undefined);
  const groups = new Map<string, { readonly index: number; readonly oldStart: number }[]>();
  for (const [index, hunk] of hunks.entries()) {
    const { oldStart } = hunk;
    const old = sideOf(hunk, 'old').map((line) => line.trimEnd());
    const key = old.join('\n');
    if (oldStart === undefined || key === '') continue;
    const group = groups.get(key) ?? [];
    group.push({ index, oldStart });
    groups.set(key, group);
  }
  for (const [key, group] of groups) {
    if (group.length < 2) continue;
    const wanted = group.map(({ oldStart }) => oldStart - 1);
    const found = search.findAll(key.split('\n'), wanted);
    for (const [at, { index }] of group.entries()) starts[index] = found?.[at];
  }
  return starts;
}

class LineSearch {
  readonly #lines: readonly string[];
  readonly #budget: SearchBudget;

  constructor(lines: readonly string[], budget: SearchBudget) {
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
    for (let away = 0; away <= farthest && this.#budget.comparisons >= 0; away++) {
      if (near - away >= from && this.#isAt(near - away, wanted)) return near - away;
      if (near + away <= last && this.#isAt(near + away, wanted)) return near + away;
    }
    return 'nowhere';
  }

  /**
   * Finds several hunks with the same lines in order, each as near to its line number as possible. Returns undefined if
   * the budget is used up.
   *
   * @param wanted The line numbers of the hunks, from 0.
   */
  findAll(
    lines: readonly string[],
    wanted: readonly number[],
  ): readonly (number | HunkConflict)[] | undefined {
    const last = this.#lines.length - lines.length;
    const isExact = wanted.every((at, index) => {
      const before = wanted[index - 1] ?? -lines.length;
      return at >= before + lines.length && this.#isAt(at, lines);
    });
    if (isExact) return wanted;
    const positions: number[] = [];
    for (let at = 0; at <= last && this.#budget.comparisons >= 0; at++)
      if (this.#isAt(at, lines)) positions.push(at);
    this.#budget.comparisons -= positions.length * wanted.length;
    if (this.#budget.comparisons < 0) return undefined;
    const named = wanted.map((at) => Math.min(at, this.#lines.length));
    return matchInOrder(named, positions, lines.length).map((position) => position ?? 'nowhere');
  }

  #findOnly(wanted: readonly string[], from: number, last: number): number | HunkConflict {
    let found: number | undefined;
    for (let at = from; at <= last; at++) {
      // There may be a second match beyond the budget.
      if (this.#budget.comparisons < 0) return 'nowhere';
      if (!this.#isAt(at, wanted)) continue;
      if (found !== undefined) return 'several';
      found = at;
    }
    return found ?? 'nowhere';
  }

  #isAt(at: number, wanted: readonly string[]): boolean {
    const differs = wanted.findIndex((line, index) => line !== this.#lines[at + index]);
    this.#budget.comparisons -= differs === -1 ? wanted.length : differs + 1;
    return differs === -1;
  }
}

/**
 * Assigns positions to wanted lines in order and without overlap: as many as possible, with the least sum of distances.
 *
 * @param positions Lines, ascending.
 * @param length The number of lines that a position takes.
 */
function matchInOrder(
  wanted: readonly number[],
  positions: readonly number[],
  length: number,
): readonly (number | undefined)[] {
  const farthest = Math.max(0, ...wanted, positions.at(-1) ?? 0);
  /** The cost of a line without a position: more than all distances together. */
  const missing = (farthest + 1) * (wanted.length + 1);
  /** For each position the index of the first one that does not overlap it. */
  let after = 0;
  const next = positions.map((position) => {
    while (after < positions.length && (positions[after] ?? 0) < position + length) after++;
    return after;
  });
  /** The least cost of the wanted lines from an index on, with the positions from an index on. */
  const costs: Float64Array[] = [];
  const costOf = (line: number, position: number): number => costs[line]?.[position] ?? 0;
  const costAt = (line: number, position: number): number =>
    Math.abs((positions[position] ?? 0) - (wanted[line] ?? 0)) +
    costOf(line + 1, next[position] ?? 0);
  for (let line = wanted.length - 1; line >= 0; line--) {
    const row = new Float64Array(positions.length + 1);
    costs[line] = row;
    row[positions.length] = missing * (wanted.length - line);
    for (let position = positions.length - 1; position >= 0; position--)
      row[position] = Math.min(
        costAt(line, position),
        row[position + 1] ?? 0,
        missing + costOf(line + 1, position),
      );
  }
  let position = 0;
  return wanted.map((_, line) => {
    const least = costOf(line, position);
    while (position < positions.length && costOf(line, position + 1) === least) position++;
    if (position === positions.length || costAt(line, position) !== least) return undefined;
    const found = positions[position];
    position = next[position] ?? positions.length;
    return found;
  });
}
