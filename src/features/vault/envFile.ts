import { randomUUID } from 'node:crypto';
import { parse } from 'dotenv';
import { checkSecretName, MAX_SECRET_NAME_CHARACTERS } from '../../api/index.ts';

/** One assignment of a .env file. */
export interface EnvEntry {
  readonly key: string;
  readonly value: string;
}

/** Line separators of dotenv that are none in an editor, and noncharacters that stand in for them. */
const separators = [
  ['\u2028', '\ufdd0'],
  ['\u2029', '\ufdd1'],
] as const;

/**
 * Reads the assignments of a .env file in their order; the last one to a key counts. Takes linear time: dotenv's
 * `fast` scanner does, unlike its regular expression.
 */
export function readEnv(text: string): EnvEntry[] {
  let plain = text.replace(/^\ufeff/, '');
  for (const [separator, free] of separators) plain = plain.replaceAll(separator, free);
  return Object.entries(parse(plain, { fast: true })).map(([key, kept]) => {
    let value = kept;
    for (const [separator, free] of separators) value = value.replaceAll(free, separator);
    return { key, value };
  });
}

/** The text before a key, the key, and the text after it, unless that is clearly an empty value. */
const ASSIGNMENT = /^(\s*(?:export\s+)?)([\w.-]+)((?:\s*=|:\s)\s*[^\s#].*)$/s;

/** Whether a line reads like the assignment of a value. Within a value of several lines it may be none. */
export function looksLikeAssignment(line: string): boolean {
  return ASSIGNMENT.test(line);
}

/**
 * Returns the assignment that begins on a line, 0 for the first; its value may span lines. Undefined for a line inside
 * another value and for an empty value.
 */
export function entryOnLine(text: string, line: number): EnvEntry | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const [, start, key, rest] = ASSIGNMENT.exec(lines[line] ?? '') ?? [];
  if (start === undefined || key === undefined || rest === undefined) return undefined;
  // The parser itself decides whether the assignment begins here: it is read under a key that no other line has.
  const alias = randomUUID();
  lines[line] = start + alias + rest;
  const entry = readEnv(lines.join('\n')).find((each) => each.key === alias);
  return entry === undefined || entry.value === '' ? undefined : { key, value: entry.value };
}

/** Makes a secret name of a key: `API_KEY` becomes `api_key`. Undefined if nothing of the key can be kept. */
export function toSecretName(key: string): string | undefined {
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[0-9_]+/, '')
    .slice(0, MAX_SECRET_NAME_CHARACTERS)
    .replace(/_+$/, '');
  return checkSecretName(name) === null ? name : undefined;
}
