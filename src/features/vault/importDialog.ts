import * as vscode from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Prompts } from '../../platform/dialogs/prompts.ts';
import { type Step, runSteps } from '../../platform/dialogs/steps.ts';
import type { SecretRecord } from '../accounts/records.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { EnvEntry } from './envFile.ts';
import { hostsChecks, secretNameProblem, valueProblem } from './secretFieldChecks.ts';
import { isInVault } from './fingerprints.ts';
import { hostChanges } from './hostList.ts';
import {
  initialChoices,
  needsName,
  planImport,
  takenBy,
  type ImportChoices,
  type PlannedSecret,
} from './importPlan.ts';
import { hostChangesWords, hostsSummary, otherVaultWords } from './secretWords.ts';

/** A secret that was stored here before, and whether in the vault of the present key. */
interface KnownSecret {
  readonly record: SecretRecord;
  readonly isHeld: boolean;
}

type FindKnown = (name: string) => KnownSecret | undefined;

/**
 * Import Vault Secrets from .env…: which entries, their names where none can be made of a key, their hosts, and a
 * preview. No value is shown: only how long each is. Undefined where the user left.
 *
 * @param entries None of an empty value.
 * @param since When the account got its present key, epoch ms.
 */
export async function askToImport(
  entries: readonly EnvEntry[],
  known: ReadonlyMap<string, SecretRecord>,
  since: number,
  prompts: Prompts,
): Promise<readonly PlannedSecret[] | undefined> {
  const findKnown: FindKnown = (name) => {
    const record = known.get(name);
    return record && { record, isHeld: isInVault(record, since) };
  };
  const title = vscode.l10n.t('Import Vault Secrets');
  const steps: Step<ImportChoices>[] = [
    entriesStep(title, entries, findKnown),
    ...entries.map(nameStep),
    sameHostsStep(title),
    hostsForAllStep(title),
    ...entries.map(hostsStep),
    previewStep(title, entries, findKnown),
  ];
  const result = await runSteps(prompts, steps, initialChoices(entries, known));
  return result.kind === 'done' ? planImport(entries, result.values) : undefined;
}

function isForAll({ keys, sameHosts }: ImportChoices): boolean {
  return keys.length > 1 && sameHosts === true;
}

function entriesStep(
  title: string,
  entries: readonly EnvEntry[],
  findKnown: FindKnown,
): Step<ImportChoices> {
  const tooLong = entries.filter(({ value }) => valueProblem(value) !== undefined);
  return {
    id: 'entries',
    show: (choices, ask) =>
      ask.pickMany({
        title,
        placeholder: vscode.l10n.t('Pick the entries to store'),
        matchAll: true,
        selected: choices.keys,
        rows: entries.map((entry) => entryRow(entry, choices, findKnown)),
        validate: (keys) => {
          if (keys.length === 0) return vscode.l10n.t('Pick at least one entry.');
          const bad = tooLong.find(({ key }) => keys.includes(key));
          return bad && vscode.l10n.t('The value of {0} is too long for a secret.', bad.key);
        },
        write: (keys) => ({ ...choices, keys }),
      }),
  };
}

function entryRow(
  { key, value }: EnvEntry,
  { names }: ImportChoices,
  findKnown: FindKnown,
): PickRow<string> {
  const name = names[key] ?? '';
  const length = formatNumber(Array.from(value).length);
  return {
    label: plainLine(key),
    description: name === '' ? vscode.l10n.t('needs a name') : vscode.l10n.t('as {0}', name),
    detail: [
      vscode.l10n.t('•••••••• {0} characters', length),
      findKnown(name)?.isHeld === true && vscode.l10n.t('replaces a known secret'),
    ]
      .filter((part) => part !== false)
      .join(' · '),
    value: key,
  };
}

function nameStep({ key }: EnvEntry): Step<ImportChoices> {
  return {
    id: `name/${key}`,
    applies: (choices) => needsName(key, choices),
    show: (choices, ask) =>
      ask.input({
        title: vscode.l10n.t('Name of {0}', plainLine(key)),
        prompt: vscode.l10n.t(
          'This key cannot be made a name of its own: lowercase letters, digits and single underscores.',
        ),
        value: choices.names[key],
        validate: (name) => {
          const other = takenBy(name, key, choices);
          return other === undefined
            ? secretNameProblem(name)
            : vscode.l10n.t('{0} is stored under this name already.', other);
        },
        write: (name) => ({ ...choices, names: { ...choices.names, [key]: name } }),
      }),
  };
}

function sameHostsStep(title: string): Step<ImportChoices> {
  return {
    id: 'sameHosts',
    applies: ({ keys }) => keys.length > 1,
    show: (choices, ask) =>
      ask.pick({
        title,
        placeholder: vscode.l10n.t('Which hosts may they be sent to?'),
        active: choices.sameHosts,
        rows: [
          { label: vscode.l10n.t('The same hosts for all'), value: true },
          { label: vscode.l10n.t('Hosts for each'), value: false },
        ],
        write: (sameHosts) => ({ ...choices, sameHosts }),
      }),
  };
}

function hostsForAllStep(title: string): Step<ImportChoices> {
  return {
    id: 'hosts',
    applies: isForAll,
    show: (choices, ask) =>
      ask.input({
        ...hostsChecks,
        title,
        prompt: vscode.l10n.t('The exact hosts for all of them, separated by commas or spaces.'),
        value: choices.hosts,
        write: (hosts) => ({ ...choices, hosts }),
      }),
  };
}

function hostsStep({ key }: EnvEntry): Step<ImportChoices> {
  return {
    id: `hosts/${key}`,
    applies: (choices) => choices.keys.includes(key) && !isForAll(choices),
    show: (choices, ask) =>
      ask.input({
        ...hostsChecks,
        title: vscode.l10n.t('Hosts of {0}', plainLine(key)),
        prompt: vscode.l10n.t(
          'The exact hosts that it may be sent to, separated by commas or spaces.',
        ),
        value: choices.hostsOf[key],
        write: (hosts) => ({ ...choices, hostsOf: { ...choices.hostsOf, [key]: hosts } }),
      }),
  };
}

function previewStep(
  title: string,
  entries: readonly EnvEntry[],
  findKnown: FindKnown,
): Step<ImportChoices> {
  return {
    id: 'preview',
    show: (choices, ask) => {
      const planned = planImport(entries, choices);
      return ask.pick({
        title,
        placeholder: vscode.l10n.t(
          'Review it. A secret of the same name in the vault is replaced.',
        ),
        matchAll: true,
        rows: [
          {
            label:
              planned.length === 1
                ? vscode.l10n.t('Store 1 secret')
                : vscode.l10n.t('Store {0} secrets', formatNumber(planned.length)),
            icon: new vscode.ThemeIcon('cloud-upload'),
            value: choices,
          },
          { separator: '' },
          ...planned.map((secret) => plannedRow(secret, findKnown(secret.name))),
        ],
        write: (confirmed) => confirmed,
      });
    },
  };
}

function plannedRow(
  { key, name, hosts }: PlannedSecret,
  known: KnownSecret | undefined,
): PickRow<never> {
  const from = vscode.l10n.t('From {0}.', plainLine(key));
  const row = { note: name, description: hostsSummary(hosts) };
  if (known?.isHeld !== true) {
    const detail = known === undefined ? from : `${from} ${otherVaultWords()}`;
    return { ...row, detail, icon: new vscode.ThemeIcon('key') };
  }
  const changes = hostChangesWords(hostChanges(known.record.metadata.hosts, hosts));
  const detail = `${from} ${vscode.l10n.t('Replaces a known secret.')} ${changes}`;
  return { ...row, detail, icon: new vscode.ThemeIcon('replace') };
}
