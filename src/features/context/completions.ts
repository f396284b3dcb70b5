import type { Clock } from '../../base/clock.ts';

/** How well a path answers a query; compared item by item, less is better. An order is easier to follow than weights. */
type Rank = readonly [tier: number, spread: number, length: number];

/**
 * Returns the candidates that match a query, best first, equal ones in the order given.
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

/** Counts the foreign letters among those of the query; undefined if the letters are not there in order. */
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

/** How long a list is used, in ms: about as long as somebody types a name. */
const LIST_MS = 10_000;
/** How many things stay on offer, the latest: those of some answers. */
const MAX_OFFERED = 500;

/** What can be completed. A page is told only ids, so that it can ask for nothing else. */
export class Completions<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #read: () => Promise<readonly T[]>;
  #last: { readonly things: Promise<readonly T[]>; readonly until: number } | undefined;
  readonly #offered = new Map<string, T>();
  #lastId = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, read: () => Promise<readonly T[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  /** Lists everything, and reads it again if the last list is too old. */
  list(): Promise<readonly T[]> {
    const now = this.#clock.monotonic();
    if (this.#last === undefined || now >= this.#last.until)
      this.#last = { things: this.#read(), until: now + LIST_MS };
    return this.#last.things;
  }

  /** Returns the id that {@link get} takes. */
  issue(thing: T): string {
    const id = String(++this.#lastId);
    this.#offered.set(id, thing);
    for (const oldest of this.#offered.keys()) {
      if (this.#offered.size <= MAX_OFFERED) break;
      this.#offered.delete(oldest);
    }
    return id;
  }

  /** Returns a thing by its id; undefined if it was not offered lately. */
  get(id: string): T | undefined {
    return this.#offered.get(id);
  }
}
