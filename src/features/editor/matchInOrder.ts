/**
 * Gives each wanted line a place of its own, so that as many as possible have one and the sum of their distances is the
 * smallest. The places keep the order of the wanted lines and do not overlap.
 *
 * @param wanted Lines, in the order of their places.
 * @param places Lines, ascending.
 * @param length How many lines each place takes.
 * @returns The place of each wanted line; undefined for one that has none.
 */
export function matchInOrder(
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
