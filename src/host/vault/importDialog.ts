import * as vscode from 'vscode';
import {
  inputStep,
  mapStep,
  pickStep,
  plainLine,
  runSteps,
  type PickRow,
  type Prompts,
  type Step,
} from '../dialogs/steps.ts';
import type { SecretRecord } from '../storage/records.ts';
import { formatNumber } from '../words/format.ts';
import type { EnvEntry } from './envFile.ts';
import { hostsProblem, hostsRemark, secretNameProblem, valueProblem } from './fieldChecks.ts';
import { hostChanges } from './hostList.ts';
import {
  initialChoices,
  needsName,
  planImport,
  takenBy,
  type ImportChoices,
  type PlannedSecret,
} from './importPlan.ts';
import { hostChangesWords, hostsSummary } from './secretWords.ts';

/**
 * Import Vault Secrets from .env…: which entries, their names where none can be made of a key, their hosts, and a
 * preview. No value is shown: only how long each is. Undefined where the user left.
 *
 * @param entries None of an empty value.
 */
export async function askToImport(
  entries: readonly EnvEntry[],
  known: ReadonlyMap<string, SecretRecord>,
  prompts: Prompts,
): Promise<readonly PlannedSecret[] | undefined> {
  const title = vscode.l10n.t('Import Vault Secrets');
  const steps: Step<ImportChoices>[] = [
    entriesStep(title, entries, known, prompts),
    ...entries.map((entry) => nameStep(entry, prompts)),
    pickStep<ImportChoices, boolean>(prompts, {
      id: 'sameHosts',
      applies: ({ keys }) => keys.length > 1,
      title,
      placeholder: vscode.l10n.t('Which hosts may they be sent to?'),
      rows: () => [
        { label: vscode.l10n.t('The same hosts for all'), value: true },
        { label: vscode.l10n.t('Hosts for each'), value: false },
      ],
      read: ({ sameHosts }) => sameHosts,
      write: (choices, sameHosts) => ({ ...choices, sameHosts }),
    }),
    inputStep(prompts, {
      id: 'hosts',
      applies: isForAll,
      title,
      prompt: vscode.l10n.t('The exact hosts for all of them, separated by commas or spaces.'),
      validate: hostsProblem,
      remark: hostsRemark,
      read: ({ hosts }) => hosts,
      write: (choices, hosts) => ({ ...choices, hosts }),
    }),
    ...entries.map((entry) => hostsStep(entry, prompts)),
    previewStep(title, entries, known, prompts),
  ];
  const result = await runSteps(steps, initialChoices(entries, known));
  return result.kind === 'done' ? planImport(entries, result.values) : undefined;
}

function isForAll({ keys, sameHosts }: ImportChoices): boolean {
  return keys.length > 1 && sameHosts === true;
}

function entriesStep(
  title: string,
  entries: readonly EnvEntry[],
  known: ReadonlyMap<string, SecretRecord>,
  prompts: Prompts,
): Step<ImportChoices> {
  const tooLong = entries.filter(({ value }) => valueProblem(value) !== undefined);
  return {
    id: 'entries',
    show: async (choices, place) => {
      const result = await prompts.pickMany<string>({
        title,
        place,
        placeholder: vscode.l10n.t('Pick the entries to store'),
        matchAll: true,
        selected: choices.keys,
        rows: entries.map((entry) => entryRow(entry, choices, known)),
        validate: (keys) => {
          if (keys.length === 0) return vscode.l10n.t('Pick at least one entry.');
          const bad = tooLong.find(({ key }) => keys.includes(key));
          return bad && vscode.l10n.t('The value of {0} is too long for a secret.', bad.key);
        },
      });
      return mapStep(result, (keys) => ({ ...choices, keys }));
    },
  };
}

function entryRow(
  { key, value }: EnvEntry,
  { names }: ImportChoices,
  known: ReadonlyMap<string, SecretRecord>,
): PickRow<string> {
  const name = names[key] ?? '';
  const length = formatNumber(Array.from(value).length);
  return {
    label: plainLine(key),
    description: name === '' ? vscode.l10n.t('needs a name') : vscode.l10n.t('as {0}', name),
    detail: [
      vscode.l10n.t('•••••••• {0} characters', length),
      known.has(name) && vscode.l10n.t('replaces a known secret'),
    ]
      .filter((part) => part !== false)
      .join(' · '),
    value: key,
  };
}

function nameStep({ key }: EnvEntry, prompts: Prompts): Step<ImportChoices> {
  return inputStep(prompts, {
    id: `name/${key}`,
    applies: (choices) => needsName(key, choices),
    title: vscode.l10n.t('Name of {0}', plainLine(key)),
    prompt: vscode.l10n.t(
      'No name of its own can be made of this key: lowercase letters, digits and single underscores.',
    ),
    validate: (name, choices) => {
      const other = takenBy(name, key, choices);
      return other === undefined
        ? secretNameProblem(name)
        : vscode.l10n.t('{0} is stored under this name already.', other);
    },
    read: ({ names }) => names[key] ?? '',
    write: (choices, name) => ({ ...choices, names: { ...choices.names, [key]: name } }),
  });
}

function hostsStep({ key }: EnvEntry, prompts: Prompts): Step<ImportChoices> {
  return inputStep(prompts, {
    id: `hosts/${key}`,
    applies: (choices) => choices.keys.includes(key) && !isForAll(choices),
    title: vscode.l10n.t('Hosts of {0}', plainLine(key)),
    prompt: vscode.l10n.t('The exact hosts that it may be sent to, separated by commas or spaces.'),
    validate: hostsProblem,
    remark: hostsRemark,
    read: ({ hostsOf }) => hostsOf[key] ?? '',
    write: (choices, hosts) => ({ ...choices, hostsOf: { ...choices.hostsOf, [key]: hosts } }),
  });
}

function previewStep(
  title: string,
  entries: readonly EnvEntry[],
  known: ReadonlyMap<string, SecretRecord>,
  prompts: Prompts,
): Step<ImportChoices> {
  return pickStep<ImportChoices, 'store'>(prompts, {
    id: 'preview',
    title,
    placeholder: vscode.l10n.t('Look it over. A secret of the same name in the vault is replaced.'),
    matchAll: true,
    rows: (choices) => {
      const planned = planImport(entries, choices);
      return [
        {
          label:
            planned.length === 1
              ? vscode.l10n.t('Store 1 secret')
              : vscode.l10n.t('Store {0} secrets', formatNumber(planned.length)),
          icon: new vscode.ThemeIcon('cloud-upload'),
          value: 'store',
        },
        { separator: '' },
        ...planned.map((secret) => plannedRow(secret, known.get(secret.name))),
      ];
    },
    read: () => 'store',
    write: (choices) => choices,
  });
}

function plannedRow(
  { key, name, hosts }: PlannedSecret,
  known: SecretRecord | undefined,
): PickRow<never> {
  const changes = known && hostChangesWords(hostChanges(known.metadata.hosts, hosts));
  return {
    note: name,
    description: hostsSummary(hosts),
    detail: changes
      ? vscode.l10n.t('From {0}. Replaces a known secret. {1}', plainLine(key), changes)
      : vscode.l10n.t('From {0}', plainLine(key)),
    icon: new vscode.ThemeIcon(known === undefined ? 'key' : 'replace'),
  };
}
