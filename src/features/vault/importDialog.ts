import * as vscode from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { InputOptions, PickRow, Dialogs, StepResult } from '../../platform/dialogs/dialogs.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { SecretRecord } from '../accounts/records.ts';
import { toSecretName, type EnvEntry } from './envFile.ts';
import {
  hostsChecks,
  hostsText,
  readHosts,
  secretNameProblem,
  valueProblem,
} from './secretFieldChecks.ts';
import { isInVault } from './secretModel.ts';
import { hostChangesWords, hostsSummary, otherVaultWords } from './secretWords.ts';

/** A secret that an import stores. */
export interface PlannedSecret extends EnvEntry {
  readonly name: string;
  readonly hosts: readonly string[];
}

/** An entry of a file with the name and the hosts that it will be stored with, as typed. */
interface Draft extends EnvEntry {
  name: string;
  hosts: string;
  isSelected: boolean;
}

/** What the dialog is built from. */
interface ImportPorts {
  readonly dialogs: Dialogs;
  readonly known: ReadonlyMap<string, SecretRecord>;
  /** When the account got its present key, epoch ms. */
  readonly since: number;
}

/** How a box was closed. */
type Outcome = 'value' | 'back' | 'left';

/**
 * Asks which entries to store, and shows a review. Both lists show the hosts of each secret and can edit them; a name or
 * hosts that are missing are asked for in between. No value is shown, only its length. Returns undefined if the user left.
 */
export async function askToImport(
  entries: readonly EnvEntry[],
  ports: ImportPorts,
): Promise<readonly PlannedSecret[] | undefined> {
  const named = new Set<string>();
  const drafts = entries.map((entry): Draft => {
    const name = toSecretName(entry.key) ?? '';
    // An entry that needs a name of its own must not get the hosts of the secret that has this one.
    const record = named.has(name) ? undefined : ports.known.get(name);
    named.add(name);
    return { ...entry, name, hosts: hostsText(record?.metadata.hosts ?? null), isSelected: true };
  });
  for (;;) {
    let outcome = await select(drafts, ports);
    const selected = drafts.filter(({ isSelected }) => isSelected);
    if (outcome === 'value') outcome = await complete(selected, ports);
    if (outcome === 'value') outcome = await review(selected, ports);
    if (outcome === 'left') return undefined;
    if (outcome === 'value')
      return selected.map(({ key, name, value, hosts }) => ({
        ...{ key, name, value },
        hosts: readHosts(hosts),
      }));
  }
}

async function select(drafts: readonly Draft[], ports: ImportPorts): Promise<Outcome> {
  const result = await ports.dialogs.pickMany({
    title: vscode.l10n.t('Import Vault Secrets'),
    position: { step: 1, totalSteps: 2, canGoBack: false },
    placeholder: vscode.l10n.t('Select the entries to store'),
    matchAll: true,
    selected: drafts.filter(({ isSelected }) => isSelected),
    rows: drafts.map((draft, index) => entryRow(draft, String(index), ports)),
    validate: (picked) => {
      if (picked.length === 0) return vscode.l10n.t('Select at least one entry.');
      const bad = picked.find(({ value }) => valueProblem(value) !== undefined);
      return bad && vscode.l10n.t('The value of {0} is too long for a secret.', bad.key);
    },
  });
  if (result.kind === 'value') {
    for (const draft of drafts) draft.isSelected = result.value.includes(draft);
    return 'value';
  }
  const draft = result.kind === 'left' ? drafts[Number(result.button)] : undefined;
  if (draft === undefined) return 'left';
  for (const each of drafts) each.isSelected = result.draft?.includes(each) ?? each.isSelected;
  return (await edit(draft, drafts, ports)) === 'left' ? 'left' : select(drafts, ports);
}

function entryRow(draft: Draft, id: string, { known, since }: ImportPorts): PickRow<Draft> {
  const { key, name, value, hosts } = draft;
  const record = known.get(name);
  const parts = [
    hosts === '' ? vscode.l10n.t('No hosts yet') : hostsSummary(readHosts(hosts)),
    vscode.l10n.t('•••••••• {0} characters', formatNumber(Array.from(value).length)),
    record && isInVault(record, since) && vscode.l10n.t('replaces a known secret'),
  ];
  return {
    label: plainLine(key),
    description: name === '' ? vscode.l10n.t('needs a name') : vscode.l10n.t('as {0}', name),
    detail: parts.filter(Boolean).join(' · '),
    button: { id, label: vscode.l10n.t('Edit Name and Hosts'), icon: 'edit' },
    value: draft,
  };
}

/** Shows what will be stored and replaced. Selecting a secret edits it. */
async function review(selected: readonly Draft[], ports: ImportPorts): Promise<Outcome> {
  const store =
    selected.length === 1
      ? vscode.l10n.t('Store 1 secret')
      : vscode.l10n.t('Store {0} secrets', formatNumber(selected.length));
  const result = await ports.dialogs.pick<Draft | 'store'>({
    title: vscode.l10n.t('Import Vault Secrets'),
    position: { step: 2, totalSteps: 2, canGoBack: true },
    placeholder: vscode.l10n.t(
      'A secret of the same name in the vault is replaced. Select one to edit it.',
    ),
    matchAll: true,
    rows: [
      { label: store, icon: new vscode.ThemeIcon('cloud-upload'), value: 'store' },
      { separator: '' },
      ...selected.map((draft) => reviewRow(draft, ports)),
    ],
  });
  if (result.kind !== 'value') return outcomeOf(result);
  if (result.value === 'store') return 'value';
  return (await edit(result.value, selected, ports)) === 'left' ? 'left' : review(selected, ports);
}

function reviewRow(draft: Draft, { known, since }: ImportPorts): PickRow<Draft> {
  const hosts = readHosts(draft.hosts);
  const from = vscode.l10n.t('From {0}.', plainLine(draft.key));
  const before = known.get(draft.name);
  const isHeld = before !== undefined && isInVault(before, since);
  const changes = hostChangesWords(before?.metadata.hosts ?? null, hosts);
  const replaced = `${vscode.l10n.t('Replaces a known secret.')} ${changes}`;
  return {
    label: draft.name,
    description: hostsSummary(hosts),
    detail: before === undefined ? from : `${from} ${isHeld ? replaced : otherVaultWords()}`,
    icon: new vscode.ThemeIcon(isHeld ? 'replace' : 'key'),
    value: draft,
  };
}

/** Asks for the names that are missing or taken, then once for the hosts of all entries that have none. */
async function complete(selected: readonly Draft[], ports: ImportPorts): Promise<Outcome> {
  for (const [index, draft] of selected.entries()) {
    const isTaken = selected.slice(0, index).some(({ name }) => name === draft.name);
    if (draft.name !== '' && !isTaken) continue;
    const named = await askName(draft, selected, ports);
    if (named !== 'value') return named;
  }
  const without = selected.filter(({ hosts }) => hosts === '');
  return without.length === 0 ? 'value' : askHosts(without, ports);
}

async function edit(
  draft: Draft,
  selected: readonly Draft[],
  ports: ImportPorts,
): Promise<Outcome> {
  const named = await askName(draft, selected, ports);
  return named === 'value' ? askHosts([draft], ports) : named;
}

function askName(
  draft: Draft,
  selected: readonly Draft[],
  { dialogs }: ImportPorts,
): Promise<Outcome> {
  return ask(
    dialogs,
    {
      title: vscode.l10n.t('Name of {0}', plainLine(draft.key)),
      prompt: vscode.l10n.t(
        'Enter a unique name: lowercase letters, digits and single underscores.',
      ),
      value: draft.name,
      validate: (name) => {
        const other = selected.find((each) => each !== draft && each.name === name);
        return other === undefined
          ? secretNameProblem(name)
          : vscode.l10n.t('{0} is stored under this name already.', other.key);
      },
    },
    (name) => (draft.name = name),
  );
}

function askHosts(drafts: readonly Draft[], { dialogs }: ImportPorts): Promise<Outcome> {
  const [first] = drafts;
  return ask(
    dialogs,
    {
      ...hostsChecks,
      title:
        first !== undefined && drafts.length === 1
          ? vscode.l10n.t('Hosts of {0}', plainLine(first.key))
          : vscode.l10n.t('Hosts of {0} Secrets', formatNumber(drafts.length)),
      prompt: vscode.l10n.t(
        'The exact hosts that may receive the value, separated by commas or spaces.',
      ),
      value: first?.hosts,
    },
    (hosts) => {
      for (const draft of drafts) draft.hosts = hosts;
    },
  );
}

async function ask(
  dialogs: Dialogs,
  options: InputOptions,
  take: (value: string) => void,
): Promise<Outcome> {
  const position = { step: 1, totalSteps: 2, canGoBack: true };
  const result = await dialogs.input({ ...options, position });
  if (result.kind === 'value') take(result.value);
  return outcomeOf(result);
}

function outcomeOf({ kind }: StepResult<unknown>): Outcome {
  return kind === 'jump' ? 'back' : kind;
}
