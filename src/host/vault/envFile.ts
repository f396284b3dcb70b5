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

const ASSIGNMENT = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/;

/** The key that a line assigns to; undefined for a line that assigns nothing, or plainly an empty value. */
export function keyOnLine(line: string): string | undefined {
  const match = ASSIGNMENT.exec(line);
  if (match === null) return undefined;
  const rest = line.slice(match[0].length).trim();
  return rest === '' || rest.startsWith('#') ? undefined : match[1];
}

/**
 * The assignment that begins on a line, 0 for the first; its value may go on over the next lines. Other assignments to
 * the same key do not count, nor does an empty value such as `''`, which the vault does not take.
 */
export function entryOnLine(text: string, line: number): EnvEntry | undefined {
  const [first = '', ...rest] = text.split(/\r\n|\r|\n/).slice(line);
  const key = keyOnLine(first);
  if (key === undefined) return undefined;
  const again = rest.findIndex((other) => keyOnLine(other) === key);
  const tail = [first, ...(again === -1 ? rest : rest.slice(0, again))].join('\n');
  const entry = readEnv(tail).find((each) => each.key === key);
  return entry?.value === '' ? undefined : entry;
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
