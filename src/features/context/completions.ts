import type { Clock } from '../../base/clock.ts';

/** How well a path matches a query, compared item by item. Smaller is better. */
type Rank = readonly [tier: number, spread: number, length: number];

/**
 * Returns the candidates that match a query, best first; all of them for an empty query. Ignores upper and lower case.
 *
 * From best to worst: the name equals the query, starts with it, has a word that starts with it, contains it; the path
 * contains it; the name has its letters in order; the path has them in order. Ties go to the candidate whose letters are
 * closest together, then to the shorter path, then to the earlier candidate.
 *
 * @param pathOf returns the path of a candidate, with `/`
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
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
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

/** Returns whether a word of the name starts with the query. Words start after a separator or at a capital. */
function hasWord(original: string, name: string, wanted: string): boolean {
  for (let at = name.indexOf(wanted); at !== -1; at = name.indexOf(wanted, at + 1)) {
    if (/[\s._-]/u.test(name.charAt(at - 1)) || /\p{Lu}/u.test(original.charAt(at))) return true;
  }
  return false;
}

/** Counts the letters between those of the query; undefined if the text does not have them in order. */
function spreadOf(text: string, wanted: string): number | undefined {
  let end = -1;
  for (const letter of wanted) {
    end = text.indexOf(letter, end + 1);
    if (end === -1) return undefined;
  }
  // Searching backwards from the end finds the shortest span.
  let start = end + 1;
  for (const letter of Array.from(wanted).reverse()) start = text.lastIndexOf(letter, start - 1);
  return end + 1 - start - wanted.length;
}

/** How long a list is reused, in ms: about as long as it takes to type a name. */
const LIST_CACHE_MS = 10_000;
/** The number of IDs that are valid at a time. */
const MAX_ISSUED_IDS = 500;

/** Lists completions and issues IDs for them. A page gets only IDs, so that it can ask for nothing else. */
export class Completions<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #read: () => Promise<readonly T[]>;
  #cache: { readonly items: Promise<readonly T[]>; readonly until: number } | undefined;
  readonly #issued = new Map<string, T>();
  #lastId = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, read: () => Promise<readonly T[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  /** Lists all items, from the cache if it is fresh. A failure is not cached. */
  list(): Promise<readonly T[]> {
    const now = this.#clock.monotonic();
    if (this.#cache !== undefined && now < this.#cache.until) return this.#cache.items;
    const cache = { items: this.#read(), until: now + LIST_CACHE_MS };
    this.#cache = cache;
    cache.items.catch(() => {
      if (this.#cache === cache) this.#cache = undefined;
    });
    return cache.items;
  }

  /** Returns an ID for {@link get}. The oldest IDs expire. */
  issue(item: T): string {
    const id = String(++this.#lastId);
    this.#issued.set(id, item);
    const [oldest = id] = this.#issued.keys();
    if (this.#issued.size > MAX_ISSUED_IDS) this.#issued.delete(oldest);
    return id;
  }

  get(id: string): T | undefined {
    return this.#issued.get(id);
  }
}
