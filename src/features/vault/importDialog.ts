import { l10n } from 'vscode';
import { ApiError, countCharacters } from '../../api/index.ts';
import type { Dialogs, PickRow, Refusal, StepResult } from '../../platform/dialogs/dialogs.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import { toSecretName, type EnvEntry } from './envFile.ts';
import type { KnownSecret, StoredSecret } from './secrets.ts';
import {
  hostChangesMessage,
  hostsChecks,
  hostsLabel,
  joinHosts,
  otherVaultMessage,
  readHosts,
  secretNameProblem,
  secretRefusal,
  storedMessage,
  valueProblem,
} from './secretMessages.ts';

/** An entry of a file with the name and the hosts to store it with. The dialog edits both in place. */
export interface PlannedSecret extends EnvEntry {
  name: string;
  hosts: readonly string[];
}

interface ImportPorts {
  readonly dialogs: Dialogs;
  readonly known: ReadonlyMap<string, KnownSecret>;
  /** True if there is only one entry, which needs no selection. */
  readonly isOnly: boolean;
}

type ResultKind = StepResult<unknown>['kind'];

export type StoreOutcomes = ReadonlyMap<PlannedSecret, StoredSecret | ApiError>;

/**
 * Asks which entries to store, unless there is only one, then for a review. Both lists can edit the name and the hosts
 * of a secret; those that are missing are asked for in between. Shows the length of a value, never the value. Returns
 * none if the user left.
 *
 * @throws UserError if the value of the only entry is too long
 */
export async function askToImport(
  entries: readonly EnvEntry[],
  ports: ImportPorts,
): Promise<readonly PlannedSecret[]> {
  const names = new Set<string>();
  const all = entries.map((entry): PlannedSecret => {
    const name = entry.name ?? toSecretName(entry.key) ?? '';
    // If the name is taken, the entry gets another one, so it must not get the known hosts of this one.
    const known = names.has(name) ? undefined : ports.known.get(name);
    names.add(name);
    return { ...entry, name, hosts: known?.hosts ?? [] };
  });
  const problem = ports.isOnly ? valuesProblem(all) : undefined;
  if (problem !== undefined) throw new UserError(problem);
  let selected = all;
  for (;;) {
    if (!ports.isOnly) {
      const result = await select(all, selected, ports);
      const ticked = result.kind === 'value' ? result.value : (result.draft ?? selected);
      selected = all.filter((each) => ticked.includes(each));
      const edited = result.kind === 'left' ? all[Number(result.button)] : undefined;
      if (edited !== undefined && (await edit(edited, all, ports)) !== 'left') continue;
      if (result.kind !== 'value') return [];
    }
    const outcome = await complete(selected, ports);
    if (outcome === 'left') return [];
    const reviewed = outcome === 'value' ? await review(selected, ports) : 'back';
    if (reviewed !== 'back') return reviewed;
  }
}

function valuesProblem(picked: readonly PlannedSecret[]): string | undefined {
  const bad = picked.find(({ value }) => valueProblem(value) !== undefined);
  return bad && l10n.t('The value of {0} is too long for a secret.', bad.key);
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
    selected,
    rows: all.map((secret, index) => ({
      ...rowOf(secret, ports),
      button: { id: String(index), label: l10n.t('Edit Name and Hosts'), icon: 'edit' },
    })),
    validate: (picked) =>
      picked.length === 0 ? l10n.t('Select at least one entry.') : valuesProblem(picked),
  });
}

/** Describes a secret, with the outcome if it was sent. One that is stored cannot be edited anymore. */
function rowOf(
  secret: PlannedSecret,
  { known }: ImportPorts,
  outcomes?: StoreOutcomes,
): PickRow<PlannedSecret> {
  const { key, name, value, hosts } = secret;
  const label = plainLine(key);
  const outcome = outcomes?.get(secret);
  if (isStored(outcome)) {
    const description = plainLine(storedMessage(outcome), 400);
    return { note: label, description, icon: 'pass' };
  }
  if (outcomes) {
    const notTried: Refusal = { message: l10n.t('Not attempted') };
    const { message, detail = '' } = outcome ? secretRefusal(outcome) : notTried;
    // The user may have changed the name since.
    const details = [outcome && l10n.t('as {0}', name), plainLine(detail, 400)];
    const words = { description: plainLine(message), detail: details.filter(Boolean).join(' · ') };
    return { label, ...words, icon: outcome ? 'error' : 'circle-slash', value: secret };
  }
  const before = known.get(name);
  const isReplacement = before?.isInVault === true;
  const details = [
    hosts.length === 0 ? l10n.t('No hosts yet') : hostsLabel(hosts),
    l10n.t('•••••••• Length: {0}', formatNumber(countCharacters(value))),
    isReplacement &&
      `${l10n.t('Replaces a secret in this list.')} ${hostChangesMessage(before.hosts, hosts)}`,
    before && !isReplacement && otherVaultMessage(),
  ];
  return {
    label,
    description: name === '' ? l10n.t('needs a name') : l10n.t('as {0}', name),
    detail: details.filter(Boolean).join(' · '),
    icon: isReplacement ? 'replace' : 'key',
    value: secret,
  };
}

/**
 * Shows what will be stored and replaced, or the outcomes. Selecting a secret edits it. Returns the secrets to store;
 * none if the user is done or left.
 */
export async function review(
  secrets: readonly PlannedSecret[],
  ports: ImportPorts,
  outcomes?: StoreOutcomes,
): Promise<readonly PlannedSecret[] | 'back'> {
  const unstored = secrets.filter((secret) => !isStored(outcomes?.get(secret)));
  const [count, all] = [formatNumber(unstored.length), formatNumber(secrets.length)];
  const store = secrets.length === 1 ? l10n.t('Store 1 secret') : l10n.t('Store {0} secrets', all);
  const send = {
    label: outcomes ? l10n.t('Retry secrets that weren’t stored ({0})', count) : store,
    icon: outcomes ? 'refresh' : 'cloud-upload',
    value: unstored,
  };
  const done = { label: l10n.t('Done'), icon: 'check', value: [] };
  const result = await ports.dialogs.pick<readonly PlannedSecret[] | PlannedSecret>({
    title: l10n.t('Import Vault Secrets'),
    position: outcomes || ports.isOnly ? undefined : { step: 2, totalSteps: 2, canGoBack: true },
    placeholder: outcomes
      ? l10n.t('{0} of {1} stored.', formatNumber(secrets.length - unstored.length), all)
      : l10n.t('A secret with the same name in the vault is replaced. Select one to edit it.'),
    rows: [
      ...(unstored.length > 0 ? [send] : []),
      ...(outcomes ? [done] : []),
      { separator: '' },
      ...secrets.map((secret) => rowOf(secret, ports, outcomes)),
    ],
  });
  if (result.kind !== 'value') return result.kind === 'back' ? 'back' : [];
  if (!('key' in result.value)) return result.value;
  const edited = await edit(result.value, secrets, ports);
  return edited === 'left' ? [] : review(secrets, ports, outcomes);
}

function isStored(outcome: StoredSecret | ApiError | undefined): outcome is StoredSecret {
  return outcome !== undefined && !(outcome instanceof ApiError);
}

/** Asks for the names that are missing or taken, then once for the hosts of all entries that have none. */
function complete(selected: readonly PlannedSecret[], ports: ImportPorts): Promise<ResultKind> {
  const names = selected.map(({ name }) => name);
  const unnamed = selected.filter(({ name }, at) => name === '' || names.indexOf(name) < at);
  const unbound = selected.filter(({ hosts }) => hosts.length === 0);
  return ask(unnamed, unbound, selected, ports, !ports.isOnly);
}

function edit(
  secret: PlannedSecret,
  others: readonly PlannedSecret[],
  ports: ImportPorts,
): Promise<ResultKind> {
  return ask([secret], [secret], others, ports, true);
}

/** Asks for the name of each secret of the first list, then once for the hosts of all of the second. */
async function ask(
  toName: readonly PlannedSecret[],
  toBind: readonly PlannedSecret[],
  others: readonly PlannedSecret[],
  { dialogs }: ImportPorts,
  canGoBack: boolean,
): Promise<ResultKind> {
  const position = canGoBack ? { step: 1, totalSteps: 2, canGoBack } : undefined;
  for (const secret of toName) {
    const named = await dialogs.input({
      position,
      title: l10n.t('Name for {0}', plainLine(secret.key)),
      prompt: l10n.t('Enter a unique name: lowercase letters, digits and single underscores.'),
      value: secret.name,
      validate: (name) => {
        const other = others.find((each) => each !== secret && each.name === name);
        return other === undefined
          ? secretNameProblem(name)
          : l10n.t('{0} already uses this name.', other.key);
      },
    });
    if (named.kind !== 'value') return named.kind;
    secret.name = named.value;
  }
  const [first] = toBind;
  if (first === undefined) return 'value';
  const bound = await dialogs.input({
    ...hostsChecks,
    position,
    title:
      toBind.length === 1
        ? l10n.t('Hosts for {0}', plainLine(first.key))
        : l10n.t('Hosts for {0} Secrets', formatNumber(toBind.length)),
    prompt: l10n.t('Exact hosts that may receive the value, separated by commas or spaces'),
    value: joinHosts(first.hosts),
  });
  if (bound.kind === 'value') for (const secret of toBind) secret.hosts = readHosts(bound.value);
  return bound.kind;
}
