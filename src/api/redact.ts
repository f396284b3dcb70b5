/** Most characters that are kept of a sentence from the service. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Fewest characters of a value that count as a part of it. Shorter parts are in too many sentences. */
export const MIN_PART_CHARACTERS = 6;

/** Takes texts that must not be repeated out of a sentence, and bounds its length. */
export type Redact = (sentence: string) => string;

/** The texts that a sentence must not repeat. */
interface Withheld {
  /** Withheld as a whole only: the beginning of a key may serve as its label. */
  readonly keys?: readonly string[];
  /** Withheld as a whole, and from {@link MIN_PART_CHARACTERS} characters on also if truncated. */
  readonly values: readonly string[];
  /** May be repeated, even if they contain a value or a part of one. */
  readonly names?: readonly string[];
}

/**
 * Makes a {@link Redact} for one request or one run.
 *
 * A service may quote what it refuses, and cut a long quotation at either end. A sentence that repeats a value is
 * withheld as a whole: cutting the value out would show a short one by its absence.
 */
export function redactor({ keys = [], values, names = [] }: Withheld): Redact {
  const withheld = [
    ...keys.flatMap(writtenForms),
    ...values.flatMap(writtenForms).flatMap((form) => endsOf(form, names)),
  ].filter((text) => text !== '');
  return (sentence) =>
    withheld.some((text) => withoutNames(sentence, text, names).includes(text))
      ? '(withheld: it repeats what was sent)'
      : sentence.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** A text as it is, in JSON, in JSON that is ASCII only, and in a JSON string that holds such JSON. */
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

/** The beginning and the ending of a text that prove its repetition. */
function endsOf(text: string, names: readonly string[]): readonly string[] {
  return [
    shortestPart(text, names, (length) => text.slice(0, length)),
    shortestPart(text, names, (length) => text.slice(-length)),
  ];
}

/** The shortest part that no name contains; the whole text if a name contains that. */
function shortestPart(
  text: string,
  names: readonly string[],
  cut: (length: number) => string,
): string {
  let length = MIN_PART_CHARACTERS;
  while (cut(length) !== text && names.some((name) => name.includes(cut(length)))) length += 1;
  return cut(length);
}

/** A sentence without the names that contain a text. */
function withoutNames(sentence: string, text: string, names: readonly string[]): string {
  const containing = names.filter((name) => name.includes(text));
  return containing.reduce((rest, name) => rest.replaceAll(name, '\n'), sentence);
}
