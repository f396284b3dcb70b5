import { parse } from 'dotenv';
import { checkSecretName, MAX_SECRET_NAME_CHARACTERS } from '../../api/index.ts';

/** One assignment of a .env file. */
export interface EnvEntry {
  readonly key: string;
  readonly value: string;
}

/** Reads the assignments of a .env file, in their order; of several to one key the last one counts, as everywhere. */
export function readEnv(text: string): EnvEntry[] {
  return Object.entries(parse(text.replace(/^\ufeff/, ''))).map(([key, value]) => ({ key, value }));
}

/** What comes before a key, the key, and what follows it, unless that is plainly an empty value. */
const ASSIGNMENT = /^(\s*(?:export\s+)?)([\w.-]+)((?:\s*=|:\s)\s*[^\s#].*)$/s;

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
  let alias = key;
  while (text.includes(alias)) alias += '_';
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

/** The names that more than one entry would be stored under. */
export function clashingNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
