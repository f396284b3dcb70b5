import { randomUUID } from 'node:crypto';
import { parse } from 'dotenv';
import { checkSecretName, MAX_SECRET_NAME_CHARACTERS } from '../../api/index.ts';

/** One assignment of a .env file. */
export interface EnvEntry {
  readonly key: string;
  readonly value: string;
}

/** What dotenv takes for ends of lines though no editor does, and characters that Unicode keeps free of any meaning. */
const separators = [
  ['\u2028', '\ufdd0'],
  ['\u2029', '\ufdd1'],
] as const;

/**
 * Reads the assignments of a .env file, in their order; of several to one key the last one counts, as everywhere.
 * Takes time in proportion to the text: dotenv's scanner does so where its regular expression does not, and needs
 * Unicode's separators out of its way for it.
 */
export function readEnv(text: string): EnvEntry[] {
  const plain = separators.reduce(
    (before, [separator, free]) => before.replaceAll(separator, free),
    text.replace(/^\ufeff/, ''),
  );
  return Object.entries(parse(plain, { fast: true })).map(([key, value]) => ({
    key,
    value: separators.reduce(
      (before, [separator, free]) => before.replaceAll(free, separator),
      value,
    ),
  }));
}

/** What comes before a key, the key, and what follows it, unless that is plainly an empty value. */
const ASSIGNMENT = /^(\s*(?:export\s+)?)([\w.-]+)((?:\s*=|:\s)\s*[^\s#].*)$/s;

/** Whether a line reads like the assignment of a value. Within a value of several lines it may be none. */
export function looksLikeAssignment(line: string): boolean {
  return ASSIGNMENT.test(line);
}

/**
 * The assignment that begins on a line, 0 for the first; its value may go on over the next lines. None begins on a line
 * that is a piece of another's value, whatever it looks like. Other assignments to the same key do not count, nor does
 * an empty value such as `''`, which the vault does not take.
 */
export function entryOnLine(text: string, line: number): EnvEntry | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const [, start, key, rest] = ASSIGNMENT.exec(lines[line] ?? '') ?? [];
  if (start === undefined || key === undefined || rest === undefined) return undefined;
  // Under a name that no other has, the parser itself tells whether it begins here, and what belongs to it.
  const alias = randomUUID();
  lines[line] = start + alias + rest;
  const entry = readEnv(lines.join('\n')).find((each) => each.key === alias);
  return entry === undefined || entry.value === '' ? undefined : { key, value: entry.value };
}

/**
 * A name for a secret that the vault allows, made of a key: `API_KEY` becomes `api_key`. Undefined where nothing of the
 * key could be kept.
 */
export function toSecretName(key: string): string | undefined {
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[0-9_]+/, '')
    .slice(0, MAX_SECRET_NAME_CHARACTERS)
    .replace(/_+$/, '');
  return checkSecretName(name) === null ? name : undefined;
}
