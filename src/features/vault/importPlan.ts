import type { SecretRecord } from '../accounts/records.ts';
import { toSecretName, type EnvEntry } from './envFile.ts';
import { hostsText, readHosts } from './hostList.ts';

/** What the import dialog gathers, by the key of an entry. The values of entries stay out of it. */
export interface ImportChoices {
  /** Keys of the entries that were picked. */
  readonly keys: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  /** Whether all entries get the same hosts; undefined until it was chosen. */
  readonly sameHosts: boolean | undefined;
  /** As typed, for all. */
  readonly hosts: string;
  /** As typed, for each. */
  readonly hostsOf: Readonly<Record<string, string>>;
}

/** A secret that an import stores. */
export interface PlannedSecret {
  readonly key: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly value: string;
}

/** The entries that can be stored; an empty value cannot. */
export function storable(entries: readonly EnvEntry[]): EnvEntry[] {
  return entries.filter(({ value }) => value !== '');
}

/** The choices to begin with: every entry, under the name made of its key, with the hosts that it is known to have. */
export function initialChoices(
  entries: readonly EnvEntry[],
  known: ReadonlyMap<string, SecretRecord>,
): ImportChoices {
  const names = Object.fromEntries(entries.map(({ key }) => [key, toSecretName(key) ?? '']));
  const hostsOf = entries.map(({ key }) => {
    const record = known.get(names[key] ?? '');
    return [key, hostsText(record?.metadata.hosts ?? null)] as const;
  });
  return {
    keys: entries.map(({ key }) => key),
    names,
    sameHosts: undefined,
    hosts: '',
    hostsOf: Object.fromEntries(hostsOf),
  };
}

/**
 * Whether the name of an entry must be asked for: none could be made of its key, or another entry's key gives the same.
 * The first entry of those that clash keeps the name. A name that was typed is asked for again whatever else is picked
 * by now, since it may have become that of another entry.
 */
export function needsName(key: string, { keys, names }: ImportChoices): boolean {
  if (!keys.includes(key)) return false;
  const name = toSecretName(key);
  if (name === undefined || names[key] !== name) return true;
  return keys.find((other) => toSecretName(other) === name) !== key;
}

/** The picked entry, other than `key`, that has a name already; undefined where the name is free. */
export function takenBy(name: string, key: string, choices: ImportChoices): string | undefined {
  return choices.keys.find((other) => other !== key && choices.names[other] === name);
}

/** What the choices come down to, in the entries' order. */
export function planImport(
  entries: readonly EnvEntry[],
  { keys, names, sameHosts, hosts, hostsOf }: ImportChoices,
): PlannedSecret[] {
  return entries
    .filter(({ key }) => keys.includes(key))
    .map(({ key, value }) => ({
      key,
      name: names[key] ?? '',
      hosts: readHosts(sameHosts === true ? hosts : (hostsOf[key] ?? '')),
      value,
    }));
}
