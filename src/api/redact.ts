/** Maximum number of characters of a sentence from the service. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Parts of a value with fewer characters are not withheld: they occur in too many sentences. */
export const MIN_PART_CHARACTERS = 6;

/** Withholds a sentence that repeats a secret, and limits its length. */
export type Redact = (sentence: string) => string;

interface Withheld {
  /** Withheld as a whole only: the beginning of a key may be its label. */
  readonly keys?: readonly string[];
  /** Withheld as a whole, and truncated to {@link MIN_PART_CHARACTERS} or more characters. */
  readonly values: readonly string[];
  /** May be repeated, even if they contain a value or a part of one. */
  readonly names?: readonly string[];
}

/**
 * Makes a {@link Redact} for one request or one run.
 *
 * A service may quote what it refuses, and truncate the quotation at either end. The whole sentence is withheld, because
 * the gap that a short value leaves would reveal it.
 */
export function createRedactor({ keys = [], values, names = [] }: Withheld): Redact {
  const withheld = [
    ...keys.flatMap(writtenForms),
    ...values.flatMap(writtenForms).flatMap((form) => endsOf(form, names)),
  ].filter((text) => text !== '');
  return (sentence) =>
    withheld.some((text) => withoutNames(sentence, text, names).includes(text))
      ? '(withheld: it repeats what was sent)'
      : sentence.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** Returns a text as it is, in JSON, in ASCII-only JSON, and in a JSON string that holds such JSON. */
function writtenForms(text: string): readonly string[] {
  const json = insideJson(text);
  const ascii = json.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [text, json, ascii, insideJson(json), insideJson(ascii)];
}

function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the shortest beginning and end of a text, of {@link MIN_PART_CHARACTERS} or more, that no name contains. */
function endsOf(text: string, names: readonly string[]): readonly string[] {
  const cuts = [(length: number) => text.slice(0, length), (length: number) => text.slice(-length)];
  return cuts.map((cut) => {
    let length = MIN_PART_CHARACTERS;
    while (cut(length) !== text && names.some((name) => name.includes(cut(length)))) length += 1;
    return cut(length);
  });
}

function withoutNames(sentence: string, text: string, names: readonly string[]): string {
  const containing = names.filter((name) => name.includes(text));
  return containing.reduce((rest, name) => rest.replaceAll(name, '\n'), sentence);
}
