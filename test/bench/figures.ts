/** A promised limit, and whether this run kept it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly holds: boolean;
}

export function figure(name: string, value: number, limit: number): Figure {
  return { name, value, limit, holds: value <= limit };
}

/** Returns the middle value, or the mean of the two in the middle; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** Returns the median of each number, but the least `longestScriptMs`: other load on the machine only adds to it. */
export function medians<T extends object>(runs: readonly T[]): T {
  const [first] = runs;
  if (first === undefined) throw new RangeError('no runs to take the median of');
  const entries = Object.entries(first).map(([name, value]: [string, unknown]) => {
    const values = runs.map((run) => (run as Record<string, unknown>)[name]);
    if (!values.every((each) => typeof each === 'number')) return [name, value];
    return [name, name === 'longestScriptMs' ? Math.min(...values) : median(values)];
  });
  return Object.fromEntries(entries) as T;
}

/** Returns the value below which `share` of the values are; 0 if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** A line of a table: a title and right-aligned cells. A number comes with its count of decimals. */
export function row(title: string, ...cells: readonly (string | [number, number])[]): string {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell : cell[0].toFixed(cell[1])));
  return title.padEnd(42) + texts.map((cell) => cell.padStart(12)).join('');
}

/** The table of promises, below another one. */
export function figureRows(figures: readonly Figure[]): readonly string[] {
  return [
    '',
    row('Promise', 'value', 'at most', ''),
    ...figures.map(({ name, value, limit, holds }) =>
      row(name, [value, 3], [limit, 3], holds ? 'holds' : 'MISSED'),
    ),
  ];
}

/** The result of a part of the bench: a text for people, and data. */
export interface PartResult {
  readonly text: string;
  readonly data: object;
}

/** Prints progress to stderr, so that the tables can be piped. */
export function report(line: string): void {
  console.error(`  ${line}`);
}
