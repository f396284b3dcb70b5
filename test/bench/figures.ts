/** One promise, and whether this run kept it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly holds: boolean;
}

export function figure(name: string, value: number, limit: number): Figure {
  return { name, value, limit, holds: value <= limit };
}

/** The middle one, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

/** A line of a table: its title, and cells aligned at their right. */
export function row(title: string, ...cells: readonly string[]): string {
  return title.padEnd(42) + cells.map((cell) => cell.padStart(12)).join('');
}

/** The table of promises, below another one. */
export function figureRows(figures: readonly Figure[]): readonly string[] {
  return [
    '',
    row('Promise', 'value', 'at most', ''),
    ...figures.map(({ name, value, limit, holds }) =>
      row(name, value.toFixed(3), limit.toFixed(3), holds ? 'holds' : 'MISSED'),
    ),
  ];
}
