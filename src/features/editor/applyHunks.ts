import { type Hunk, sideOf } from './unifiedDiff.ts';

/** The most lines that are compared for one diff: some tenths of a second. */
const mostComparisons = 5_000_000;

/** The comparisons that are left for a diff, over all of its files. */
export interface SearchBudget {
  comparisons: number;
}

export function searchBudget(): SearchBudget {
  return { comparisons: mostComparisons };
}

/** A change of a text, from one place to another; lines and characters count from 0. */
export interface TextChange {
  readonly start: TextPosition;
  readonly end: TextPosition;
  /** Its line breaks are line feeds. */
  readonly text: string;
}

interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Why a hunk has no place: its old lines are nowhere, or not found in time; or at several places without a line number. */
export type HunkConflict = 'nowhere' | 'several';

/** Applies all hunks to a text, and keeps its line breaks. Returns undefined if a hunk does not fit. */
export function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  budget: SearchBudget,
): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = linesOf(text);
  const places = placeHunks(lines, hunks, budget);
  const changed: string[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = places[index];
    if (typeof start !== 'number') return undefined;
    const next = newLines(lines, start, hunk.lines);
    for (; done < start; done++) changed.push(lines[done] ?? '');
    for (const line of next) changed.push(line);
    done += sideOf(hunk, 'old').length;
  }
  return [...changed, ...lines.slice(done)].join(eol);
}

/** Returns the change of each hunk, from its first changed line to its last, or why it does not fit. */
export function changesOf(
  text: string,
  hunks: readonly Hunk[],
  budget: SearchBudget,
): readonly (TextChange | HunkConflict)[] {
  const lines = linesOf(text);
  return placeHunks(lines, hunks, budget).map((place, index) => {
    const all = hunks[index]?.lines ?? [];
    if (typeof place !== 'number') return place;
    const first = all.findIndex(({ kind }) => kind !== 'same');
    const last = all.findLastIndex(({ kind }) => kind !== 'same');
    const changed = all.slice(first, last + 1);
    const from = place + first;
    const until = from + changed.filter(({ kind }) => kind !== 'added').length;
    return changeOfLines(lines, from, until, newLines(lines, from, changed));
  });
}

/** Puts lines in place of those from one to before another. */
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
  // No line follows that could keep the last line break.
  const end = endOf(lines.length - 1);
  if (from === 0) return { start: startOf(0), end, text: text.join('\n') };
  return { start: endOf(from - 1), end, text: text.map((line) => `\n${line}`).join('') };
}

/** The new side of a hunk's lines whose old ones begin at a line; what stays is taken from the text, with its own blanks. */
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
 * Returns the line at which each hunk begins: where its old lines are, after the hunk before, nearest to the line that it
 * names; without a line, the only such place. Blanks at the ends of lines do not count.
 */
function placeHunks(
  lines: readonly string[],
  hunks: readonly Hunk[],
  budget: SearchBudget,
): readonly (number | HunkConflict)[] {
  const search = new LineSearch(lines, budget);
  const repeated = placeRepeated(search, hunks);
  const ends = endsBefore(repeated, lines.length);
  let done = 0;
  return hunks.map((hunk, index) => {
    const old = sideOf(hunk, 'old');
    const place = repeated[index] ?? search.find(old, done, ends[index] ?? 0, hunk.oldStart);
    if (typeof place !== 'number') return place;
    if (place < done) return 'nowhere';
    done = place + old.length;
    return place;
  });
}

/** Returns the line before which each hunk must end: the next known place, else the end of the text. */
function endsBefore(
  places: readonly (number | HunkConflict | undefined)[],
  end: number,
): readonly number[] {
  let next = end;
  const ends = places.toReversed().map((place) => {
    const own = next;
    if (typeof place === 'number') next = Math.min(next, place);
    return own;
  });
  return ends.toReversed();
}

/**
 * Places hunks with the same old lines together: alone, each might take the place of another. Other hunks, and hunks for
 * which the time does not suffice, stay undefined.
 */
function placeRepeated(
  search: LineSearch,
  hunks: readonly Hunk[],
): readonly (number | HunkConflict | undefined)[] {
  const places: (number | HunkConflict | undefined)[] = hunks.map(() => undefined);
  const groups = new Map<string, { readonly index: number; readonly oldStart: number }[]>();
  for (const [index, hunk] of hunks.entries()) {
    const { oldStart } = hunk;
    const text = sideOf(hunk, 'old')
      .map((line) => line.trimEnd())
      .join('\n');
    if (oldStart === undefined || text === '') continue;
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [{ index, oldStart }]);
    else group.push({ index, oldStart });
  }
  for (const [text, group] of groups) {
    if (group.length < 2) continue;
    const found = search.placeAll(
      text.split('\n'),
      group.map(({ oldStart }) => oldStart - 1),
    );
    group.forEach(({ index }, at) => {
      places[index] = found?.[at];
    });
  }
  return places;
}

/** Finds runs of lines in a text. */
class LineSearch {
  readonly #lines: readonly string[];
  readonly #budget: SearchBudget;

  constructor(lines: readonly string[], budget: SearchBudget) {
    this.#budget = budget;
    this.#lines = lines.map((line) => line.trimEnd());
  }

  /**
   * Returns where the wanted lines are in [from, end), nearest to the line that the hunk names. A hunk that only adds goes
   * after the line that it names.
   */
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
   * Places several hunks with the same lines in their order, each as near to its line as possible. Returns undefined if
   * the search would take too long.
   *
   * @param wanted The lines that the hunks name, from 0.
   */
  placeAll(
    lines: readonly string[],
    wanted: readonly number[],
  ): readonly (number | HunkConflict)[] | undefined {
    const last = this.#lines.length - lines.length;
    const isExact = wanted.every((at, index) => {
      const before = wanted[index - 1] ?? -lines.length;
      return at >= before + lines.length && this.#isAt(at, lines);
    });
    if (isExact) return wanted;
    const places: number[] = [];
    for (let at = 0; at <= last && this.#budget.comparisons >= 0; at++)
      if (this.#isAt(at, lines)) places.push(at);
    this.#budget.comparisons -= places.length * wanted.length;
    if (this.#budget.comparisons < 0) return undefined;
    const named = wanted.map((at) => Math.min(at, this.#lines.length));
    return matchInOrder(named, places, lines.length).map((place) => place ?? 'nowhere');
  }

  #findOnly(wanted: readonly string[], from: number, last: number): number | HunkConflict {
    let found: number | undefined;
    for (let at = from; at <= last; at++) {
      // Another place may be in what is not looked at any more.
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
 * Assigns places to wanted lines: as many as possible, in order, without overlap, with the smallest sum of distances.
 *
 * @param wanted Lines, in the order of their places.
 * @param places Lines, ascending.
 * @param length How many lines each place takes.
 * @returns The place of each wanted line; undefined for one that has none.
 */
function matchInOrder(
  wanted: readonly number[],
  places: readonly number[],
  length: number,
): readonly (number | undefined)[] {
  const farthest = Math.max(0, ...wanted, places.at(-1) ?? 0);
  /** More than all distances together. */
  const missing = (farthest + 1) * (wanted.length + 1);
  const next = placesAfter(places, length);
  /** The least that the wanted lines from one on cost, with the places from one on. */
  const costs: Float64Array[] = [];
  const costOf = (line: number, place: number): number => costs[line]?.[place] ?? 0;
  const costAt = (line: number, place: number): number =>
    Math.abs((places[place] ?? 0) - (wanted[line] ?? 0)) + costOf(line + 1, next[place] ?? 0);
  for (let line = wanted.length - 1; line >= 0; line--) {
    const row = new Float64Array(places.length + 1);
    costs[line] = row;
    row[places.length] = missing * (wanted.length - line);
    for (let place = places.length - 1; place >= 0; place--)
      row[place] = Math.min(
        costAt(line, place),
        row[place + 1] ?? 0,
        missing + costOf(line + 1, place),
      );
  }
  let place = 0;
  return wanted.map((_, line) => {
    const least = costOf(line, place);
    while (place < places.length && costOf(line, place + 1) === least) place++;
    if (place === places.length || costAt(line, place) !== least) return undefined;
    const found = places[place];
    place = next[place] ?? places.length;
    return found;
  });
}

/** For each place the index of the first one that does not overlap it. */
function placesAfter(places: readonly number[], length: number): readonly number[] {
  let after = 0;
  return places.map((place) => {
    while (after < places.length && (places[after] ?? 0) < place + length) after++;
    return after;
  });
}
