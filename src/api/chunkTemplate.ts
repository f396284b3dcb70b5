/** What is added to a text while its surroundings are tried. */
const PROBE = 'probe';

/**
 * What surrounds the text in the chunks of one response.
 *
 * Its id, its model and all else repeat from chunk to chunk, and parsing them anew takes most of the time that reading a
 * stream takes. Once a chunk has been parsed in full, another with the same surroundings is JSON of the same shape exactly
 * if what it has in the place of the text is the inside of a JSON string: reading that alone gives the same.
 */
export class ChunkTemplate {
  readonly #before: string;
  readonly #after: string;

  private constructor(before: string, after: string) {
    this.#before = before;
    this.#after = after;
  }

  /**
   * Learns the surroundings of a text from the JSON that it was read from; null where its place is not certain, because
   * it is written with other escapes than here, or because the same words stand elsewhere as well.
   *
   * @param read reads such JSON in full, and answers with its text; null where it has none or is no JSON
   */
  static learn(
    text: string,
    json: string,
    read: (json: string) => string | null,
  ): ChunkTemplate | null {
    const written = JSON.stringify(text);
    const start = json.lastIndexOf(written) + 1;
    const end = start + written.length - 2;
    const longer = json.slice(0, end) + PROBE + json.slice(end);
    // Were the place outside of the string that was read, the longer JSON would be none, or read as before.
    const found = start > 0 && read(longer) === text + PROBE;
    return found ? new ChunkTemplate(json.slice(0, start), json.slice(end)) : null;
  }

  /** The text of a chunk with these surroundings; null where it has others, or is no JSON. */
  textOf(json: string): string | null {
    const start = this.#before.length;
    const end = json.length - this.#after.length;
    // Slices are compared because `startsWith` and `endsWith` go character by character: ten times as slow.
    const same =
      start <= end && json.slice(0, start) === this.#before && json.slice(end) === this.#after;
    if (!same) return null;
    return parseString(json.slice(start - 1, end + 1));
  }
}

/** Parsing makes a string of its own, too: a slice would keep the whole network chunk in memory. */
function parseString(json: string): string | null {
  try {
    return JSON.parse(json) as string;
  } catch {
    return null;
  }
}
