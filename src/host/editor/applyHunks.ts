import { sideOf, type Hunk } from './unifiedDiff.ts';

/** Most lines that are compared for one diff: what takes more was not written to be found. Some tenths of a second. */
const mostComparisons = 5_000_000;

/**
 * Makes the changes of a diff to a text. Each hunk goes where its old lines stand, after the one before, and nearest to
 * the line that it names; blanks at the ends of lines do not count.
 *
 * @returns The changed text with the line breaks of the given one; undefined where a hunk's old lines are not there, or
 * not to be found in good time.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/u);
  const search = new LineSearch(lines);
  const changed: string[] = [];
  let done = 0;
  for (const hunk of hunks) {
    const start = search.find(sideOf(hunk, 'old'), done, hunk.oldStart);
    if (start === undefined) return undefined;
    for (; done < start; done++) changed.push(lines[done] ?? '');
    for (const { kind, text: own } of hunk.lines) {
      if (kind === 'added') changed.push(own);
      // What stays is taken from the file, with its own blanks.
      else if (kind === 'same') changed.push(lines[done++] ?? own);
      else done++;
    }
  }
  return [...changed, ...lines.slice(done)].join(eol);
}

/** Finds runs of lines in a text. */
class LineSearch {
  readonly #lines: readonly string[];
  #comparisons = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines.map((line) => line.trimEnd());
  }

  /**
   * Where the wanted lines stand at or after `from`, nearest to the line that the hunk names. With no line wanted, what
   * it names is the line before; with none named either, anywhere would be a guess.
   */
  find(lines: readonly string[], from: number, oldStart: number | undefined): number | undefined {
    const last = this.#lines.length - lines.length;
    if (lines.length === 0) {
      const isInside = oldStart !== undefined && oldStart >= from && oldStart <= last;
      return isInside ? oldStart : undefined;
    }
    const wanted = lines.map((line) => line.trimEnd());
    const near = Math.min(Math.max(from, (oldStart ?? 1) - 1), last);
    for (let away = 0; away <= last && this.#comparisons <= mostComparisons; away++) {
      if (near - away >= from && this.#isAt(near - away, wanted)) return near - away;
      if (near + away <= last && near + away >= from && this.#isAt(near + away, wanted))
        return near + away;
    }
    return undefined;
  }

  #isAt(at: number, wanted: readonly string[]): boolean {
    const differs = wanted.findIndex((line, index) => line !== this.#lines[at + index]);
    this.#comparisons += differs === -1 ? wanted.length : differs + 1;
    return differs === -1;
  }
}
