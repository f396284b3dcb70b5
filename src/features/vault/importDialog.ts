import { l10n, ThemeIcon } from 'vscode';
import type { Dialogs, InputOptions, PickRow, StepResult } from '../../platform/dialogs/dialogs.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { toSecretName, type EnvEntry } from './envFile.ts';
import {
  hostsChecks,
  joinHosts,
  readHosts,
  secretNameProblem,
  valueProblem,
} from './secretFieldChecks.ts';
import type { KnownSecret } from './secretModel.ts';
import { hostChangesMessage, hostsLabel, otherVaultMessage } from './secretMessages.ts';

/** An entry of a file with the name and the hosts to store it with. The dialog edits both in place. */
export interface PlannedSecret extends EnvEntry {
  name: string;
  hosts: readonly string[];
}

interface ImportPorts {
  readonly dialogs: Dialogs;
  readonly known: ReadonlyMap<string, KnownSecret>;
}

type Outcome = StepResult<unknown>['kind'];

/**
 * Asks which entries to store, then for a review. Both lists can edit the name and the hosts of a secret; those that
 * are missing are asked for in between. Shows the length of a value, never the value. Returns undefined if the user left.
 */
export async function askToImport(
  entries: readonly EnvEntry[],
  ports: ImportPorts,
): Promise<readonly PlannedSecret[] | undefined> {
  const names = new Set<string>();
  const all = entries.map((entry): PlannedSecret => {
    const name = toSecretName(entry.key) ?? '';
    // If the name is taken, the entry gets another one, so it must not get the known hosts of this one.
    const known = names.has(name) ? undefined : ports.known.get(name);
    names.add(name);
    return { ...entry, name, hosts: known?.hosts ?? [] };
  });
  let selected = all;
  for (;;) {
    const result = await select(all, selected, ports);
    const ticked = result.kind === 'value' ? result.value : (result.draft ?? selected);
    selected = all.filter((each) => ticked.includes(each));
    let outcome: Outcome = result.kind;
    const edited = result.kind === 'left' ? all[Number(result.button)] : undefined;
    if (edited !== undefined)
      outcome = (await edit(edited, all, ports)) === 'left' ? 'left' : 'back';
    if (outcome === 'value') outcome = await complete(selected, ports);
    if (outcome === 'value') outcome = await review(selected, ports);
    if (outcome === 'left') return undefined;
    if (outcome === 'value') return selected;
  }
}

function select(
  all: readonly PlannedSecret[],
  selected: readonly PlannedSecret[],
  ports: ImportPorts,
): Promise<StepResult<readonly PlannedSecret[]>> {
  return ports.dialogs.pickMany({
    title: l10n.t('Import Vault Secrets'),
    position: { step: 1, totalSteps: 2, canGoBack: false },
    placeholder: l10n.t('Select the entries to store'),
    matchAll: true,
    selected,
    rows: all.map((secret, index) => entryRow(secret, String(index), ports)),
    validate: (picked) => {
      if (picked.length === 0) return l10n.t('Select at least one entry.');
      const bad = picked.find(({ value }) => valueProblem(value) !== undefined);
      return bad && l10n.t('The value of {0} is too long for a secret.', bad.key);
    },
  });
}

/** @param id of the button that edits the entry */
function entryRow(
  secret: PlannedSecret,
  id: string,
  { known }: ImportPorts,
): PickRow<PlannedSecret> {
  const { key, name, value, hosts } = secret;
  const parts = [
    hosts.length === 0 ? l10n.t('No hosts yet') : hostsLabel(hosts),
    l10n.t('•••••••• {0} characters', formatNumber(Array.from(value).length)),
    known.get(name)?.isInVault === true && l10n.t('replaces a known secret'),
  ];
  return {
    label: plainLine(key),
    description: name === '' ? l10n.t('needs a name') : l10n.t('as {0}', name),
    detail: parts.filter(Boolean).join(' · '),
    button: { id, label: l10n.t('Edit Name and Hosts'), icon: 'edit' },
    value: secret,
  };
}

/** Shows what will be stored and replaced. Selecting a secret edits it. */
async function review(selected: readonly PlannedSecret[], ports: ImportPorts): Promise<Outcome> {
  const store =
    selected.length === 1
      ? l10n.t('Store 1 secret')
      : l10n.t('Store {0} secrets', formatNumber(selected.length));
  const result = await ports.dialogs.pick<PlannedSecret | 'store'>({
    title: l10n.t('Import Vault Secrets'),
    position: { step: 2, totalSteps: 2, canGoBack: true },
    placeholder: l10n.t(
      'A secret with the same name in the vault is replaced. Select one to edit it.',
    ),
    matchAll: true,
    rows: [
      { label: store, icon: new ThemeIcon('cloud-upload'), value: 'store' },
      { separator: '' },
      ...selected.map((secret) => reviewRow(secret, ports)),
    ],
  });
  if (result.kind !== 'value' || result.value === 'store') return result.kind;
  return (await edit(result.value, selected, ports)) === 'left' ? 'left' : review(selected, ports);
}

function reviewRow(secret: PlannedSecret, { known }: ImportPorts): PickRow<PlannedSecret> {
  const { key, name, hosts } = secret;
  const before = known.get(name);
  const isHeld = before?.isInVault === true;
  const replaced = isHeld
    ? [l10n.t('Replaces a known secret.'), hostChangesMessage(before.hosts, hosts)]
    : [before && otherVaultMessage()];
  return {
    label: name,
    description: hostsLabel(hosts),
    detail: [l10n.t('From {0}.', plainLine(key)), ...replaced].filter(Boolean).join(' '),
    icon: new ThemeIcon(isHeld ? 'replace' : 'key'),
    value: secret,
  };
}

/** Asks for the names that are missing or taken, then once for the hosts of all entries that have none. */
async function complete(selected: readonly PlannedSecret[], ports: ImportPorts): Promise<Outcome> {
  for (const [index, secret] of selected.entries()) {
    const isTaken = selected.slice(0, index).some(({ name }) => name === secret.name);
    if (secret.name !== '' && !isTaken) continue;
    const named = await askName(secret, selected, ports);
    if (named !== 'value') return named;
  }
  const without = selected.filter(({ hosts }) => hosts.length === 0);
  return without.length === 0 ? 'value' : askHosts(without, ports);
}

async function edit(
  secret: PlannedSecret,
  others: readonly PlannedSecret[],
  ports: ImportPorts,
): Promise<Outcome> {
  const named = await askName(secret, others, ports);
  return named === 'value' ? askHosts([secret], ports) : named;
}

function askName(
  secret: PlannedSecret,
  others: readonly PlannedSecret[],
  ports: ImportPorts,
): Promise<Outcome> {
  const options = {
    title: l10n.t('Name of {0}', plainLine(secret.key)),
    prompt: l10n.t('Enter a unique name: lowercase letters, digits and single underscores.'),
    value: secret.name,
    validate: (name: string) => {
      const other = others.find((each) => each !== secret && each.name === name);
      return other === undefined
        ? secretNameProblem(name)
        : l10n.t('{0} is already stored under this name.', other.key);
    },
  };
  return ask(options, ports, (name) => (secret.name = name));
}

function askHosts(secrets: readonly PlannedSecret[], ports: ImportPorts): Promise<Outcome> {
  const [{ key, hosts } = { key: '', hosts: [] }] = secrets;
  const options = {
    ...hostsChecks,
    title:
      secrets.length === 1
        ? l10n.t('Hosts of {0}', plainLine(key))
        : l10n.t('Hosts of {0} Secrets', formatNumber(secrets.length)),
    prompt: l10n.t('Exact hosts that may receive the value, separated by commas or spaces'),
    value: joinHosts(hosts),
  };
  return ask(options, ports, (typed) => {
    for (const secret of secrets) secret.hosts = readHosts(typed);
  });
}

async function ask(
  options: InputOptions,
  { dialogs }: ImportPorts,
  take: (value: string) => void,
): Promise<Outcome> {
  const position = { step: 1, totalSteps: 2, canGoBack: true };
  const result = await dialogs.input({ ...options, position });
  if (result.kind === 'value') take(result.value);
  return result.kind;
}
