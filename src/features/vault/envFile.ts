import { randomUUID } from 'node:crypto';
import { parse } from 'dotenv';
import { checkSecretName, MAX_SECRET_NAME_CHARACTERS } from '../../api/index.ts';

/** One assignment of a .env file. */
export interface EnvEntry {
  readonly key: string;
  readonly value: string;
  /** The name of its secret, if that is not made from the key. Empty if the user has to enter one. */
  readonly name?: string;
}

/** Characters that dotenv, unlike editors, takes for line breaks, each with the mark that replaces it while dotenv reads. */
const FALSE_LINE_BREAKS = [
  ['\u2028', '\ufdd0'],
  ['\u2029', '\ufdd1'],
] as const;

const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Reads the assignments of a .env file in order; the last one of a key counts. Takes linear time, with dotenv's `fast`
 * scanner.
 */
export function readEnv(text: string): EnvEntry[] {
  let plain = text.replace(/^\ufeff/, '');
  for (const [separator, mark] of FALSE_LINE_BREAKS) plain = plain.replaceAll(separator, mark);
  return Object.entries(parse(plain, { fast: true })).map(([key, parsed]) => {
    let value = parsed;
    for (const [separator, mark] of FALSE_LINE_BREAKS) value = value.replaceAll(mark, separator);
    return { key, value };
  });
}

/** A line that is blank, a comment, or the beginning of an assignment. */
const READABLE = /^\s*(?:$|#|(?:export\s+)?[\w.-]+(?:\s*=|:(?:\s|$)))/;

/** Returns the numbers of the lines, from 1, that {@link readEnv} skips because they assign nothing. */
export function skippedLines(text: string): number[] {
  // Each unreadable line assigns to a key of its own. Inside a value of several lines, that has no effect.
  const prefix = `${randomUUID()}.`;
  const marked = text
    .split(LINE_BREAK)
    .map((line, index) => (READABLE.test(line) ? line : `${prefix}${index + 1}=x${line}`));
  return readEnv(marked.join('\n'))
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key }) => Number(key.slice(prefix.length)));
}

/** The text before a key, the key, and the text after it, unless that is clearly an empty value. */
const ASSIGNMENT = /^(\s*(?:export\s+)?)([\w.-]+)((?:\s*=|:\s)\s*[^\s#].*)$/s;

/** Returns whether a line looks like an assignment. It may be part of a value of several lines. */
export function looksLikeAssignment(line: string): boolean {
  return ASSIGNMENT.test(line);
}

/** Returns the assignment that begins on a line, from 0; undefined inside another value and for an empty value. */
export function entryOnLine(text: string, line: number): EnvEntry | undefined {
  const lines = text.split(LINE_BREAK);
  const [, start, key, rest] = ASSIGNMENT.exec(lines[line] ?? '') ?? [];
  if (start === undefined || key === undefined || rest === undefined) return undefined;
  // Parses with a unique key on this line. If the key is found, the assignment begins here.
  const alias = randomUUID();
  lines[line] = start + alias + rest;
  const entry = readEnv(lines.join('\n')).find((each) => each.key === alias);
  return entry === undefined || entry.value === '' ? undefined : { key, value: entry.value };
}

/** Makes a secret name from a key: `API_KEY` becomes `api_key`. Undefined if no character can be used. */
export function toSecretName(key: string): string | undefined {
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[0-9_]+/, '')
    .slice(0, MAX_SECRET_NAME_CHARACTERS)
    .replace(/_+$/, '');
  return checkSecretName(name) === null ? name : undefined;
}
