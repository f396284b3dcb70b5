/**
 * How files are found by a few letters of their path: an order in which the obvious match always comes first, rather
 * than a sum of weights that can only be understood by trying.
 */

/** How well a path answers a query; compared item by item, less is better. */
type Rank = readonly [tier: number, spread: number, length: number];

/**
 * The candidates that match a query, best first, equal ones in the order given.
 *
 * Letters match in any case. In order: the name is the query, starts with it, has a word that starts with it, contains
 * it; the path contains it; the query's letters stand in the name in order, in the path in order. Among equals the
 * closer together the letters stand the better, then the shorter path. An empty query matches all, as they come.
 *
 * @param pathOf The path of a candidate, with `/`.
 */
export function rankFiles<T>(
  candidates: readonly T[],
  query: string,
  pathOf: (candidate: T) => string,
): readonly T[] {
  const wanted = query.trim().replaceAll('\\', '/').toLowerCase();
  if (wanted === '') return candidates;
  return candidates
    .flatMap((candidate) => {
      const rank = rankOf(pathOf(candidate), wanted);
      return rank === undefined ? [] : [{ candidate, rank }];
    })
    .sort((a, b) => compare(a.rank, b.rank))
    .map(({ candidate }) => candidate);
}

function rankOf(original: string, wanted: string): Rank | undefined {
  const path = original.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { length } = path;
  if (name === wanted) return [0, 0, length];
  if (name.startsWith(wanted)) return [1, 0, length];
  if (hasWord(original.slice(-name.length), name, wanted)) return [2, 0, length];
  if (name.includes(wanted)) return [3, 0, length];
  if (path.includes(wanted)) return [4, 0, length];
  const inName = spreadOf(name, wanted);
  if (inName !== undefined) return [5, inName, length];
  const inPath = spreadOf(path, wanted);
  return inPath === undefined ? undefined : [6, inPath, length];
}

/** Whether a word of the name starts with the query: after a separator, or at a capital. */
function hasWord(original: string, name: string, wanted: string): boolean {
  for (let at = name.indexOf(wanted); at !== -1; at = name.indexOf(wanted, at + 1)) {
    if (/[\s._-]/u.test(name.charAt(at - 1)) || /\p{Lu}/u.test(original.charAt(at))) return true;
  }
  return false;
}

/** How many foreign letters stand among those of the query, where it can be found in order; undefined where not. */
function spreadOf(text: string, wanted: string): number | undefined {
  let end = -1;
  for (const letter of wanted) {
    end = text.indexOf(letter, end + 1);
    if (end === -1) return undefined;
  }
  // From the end back, the letters stand as close together as they can.
  let start = end + 1;
  for (const letter of Array.from(wanted).reverse()) start = text.lastIndexOf(letter, start - 1);
  return end + 1 - start - wanted.length;
}

function compare(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
