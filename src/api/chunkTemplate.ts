import { parseJson } from '../base/json.ts';

/** Appended to a text, to test whether its place in the JSON was found. */
const PROBE = 'probe';

/** Returns the text of a chunk; undefined if the chunk does not fit. */
export type ChunkTemplate = (json: string) => string | undefined;

/**
 * Creates a template of the chunks of one response, from a text and the JSON that it was read from.
 *
 * The ID, model and all else repeat from chunk to chunk, and parsing them takes most of the time of reading a stream. Once
 * one chunk was parsed in full, a chunk with the same JSON before and after its text has the same shape if the part
 * between is the inside of a JSON string. So only that part is parsed.
 *
 * @param read reads the text of such JSON; null if it has none or is invalid
 * @returns null if the text's place is uncertain, because its escapes differ from those of `JSON.stringify`, or because
 *   the same text follows elsewhere
 */
export function createTemplate(
  text: string,
  json: string,
  read: (json: string) => string | null,
): ChunkTemplate | null {
  const written = JSON.stringify(text);
  const start = json.lastIndexOf(written) + 1;
  const end = start + written.length - 2;
  const longer = json.slice(0, end) + PROBE + json.slice(end);
  const isFound = start > 0 && read(longer) === text + PROBE;
  return isFound ? templateOf(json.slice(0, start), json.slice(end)) : null;
}

function templateOf(before: string, after: string): ChunkTemplate {
  return (json) => {
    const start = before.length;
    const end = json.length - after.length;
    // Comparing slices is ten times as fast as `startsWith` and `endsWith`, which go character by character.
    const fits = start <= end && json.slice(0, start) === before && json.slice(end) === after;
    // Parsing also copies the text: a slice would keep the whole network chunk in memory.
    return fits ? (parseJson(json.slice(start - 1, end + 1)) as string | undefined) : undefined;
  };
}
