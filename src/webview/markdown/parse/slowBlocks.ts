/** How long one block may take to be read and drawn, in milliseconds, before it is shown as plain text. */
export const longestBlock = 1_000;
/** Characters of its first line that a block is known by: the rest of it may still be written, and where it ends is not known. */
const knownBy = 256;
const lineFeed = 10;

/**
 * The blocks of this conversation that took too long to draw. The host keeps them with it, so that whoever opens it
 * again is shown their text at once.
 */
export class SlowBlocks {
  /** Whether all is shown as plain text: the page hung on a block before it could tell on which. */
  all = false;
  readonly #tell: (hash: string) => void;
  readonly #hashes = new Set<string>();

  /** @param tell called with the hash of each block that is new among them */
  constructor(tell: (hash: string) => void) {
    this.#tell = tell;
  }

  /** Takes what the host has kept. */
  set(hashes: readonly string[]): void {
    this.#hashes.clear();
    for (const hash of hashes) this.#hashes.add(hash);
  }

  /** @param source Markdown from the start of a block on */
  has(source: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashOf(source));
  }

  add(source: string): void {
    const hash = hashOf(source);
    if (this.#hashes.has(hash)) return;
    this.#hashes.add(hash);
    this.#tell(hash);
  }
}

/** Two times 32 bits, in hexadecimal digits: no secret, and enough to tell the blocks of a conversation apart. */
function hashOf(source: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < Math.min(knownBy, source.length); at++) {
    const code = source.charCodeAt(at);
    if (code === lineFeed) break;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
