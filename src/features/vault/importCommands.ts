import * as vscode from 'vscode';
import { ApiError } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Prompts } from '../../platform/dialogs/prompts.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { UserError } from '../../platform/words/report.ts';
import { readEnv } from './envFile.ts';
import { envText, selectedText } from './envSources.ts';
import { askToImport } from './importDialog.ts';
import { storable, type PlannedSecret } from './importPlan.ts';
import { importSecrets, unstored, type ImportResult } from './importRun.ts';
import type { SecretModel } from './secretModel.ts';
import type { VaultPorts } from './secretPicker.ts';
import { secretRefusal, storedWords } from './secretWords.ts';

/** More entries than this are no file of secrets, and more rows than a person looks over. */
const maxEntries = 500;

/** Import Vault Secrets from .env…, and Import Selection as Vault Secrets…. */
export function registerImportCommands(registrar: CommandRegistrar, ports: VaultPorts): Disposable {
  return registrar.registerAll({
    'interns.importSecrets': async (targets) => {
      const account = activeAccount(ports.accounts);
      const text = await envText(targets, ports.prompts);
      if (text !== undefined) await importText(account, text, ports);
    },
    'interns.importSelection': () =>
      importText(activeAccount(ports.accounts), selectedText(), ports),
  });
}

async function importText(
  account: Account,
  text: string,
  { secrets, prompts }: VaultPorts,
): Promise<void> {
  const entries = storable(readEnv(text));
  if (entries.length === 0) {
    throw new UserError(vscode.l10n.t('It has no entry with a value, such as API_KEY=….'));
  }
  if (entries.length > maxEntries) {
    throw new UserError(
      vscode.l10n.t(
        'It has {0} entries, and at most {1} are imported at once. Select some of its lines, and use Import Selection as Vault Secrets.',
        formatNumber(entries.length),
        formatNumber(maxEntries),
      ),
    );
  }
  const known = new Map((await secrets.list(account)).map((record) => [record.name, record]));
  let planned = await askToImport(entries, known, account.record.keySince, prompts);
  while (planned !== undefined && planned.length > 0) {
    const results = await storeShowingProgress(account, planned, secrets);
    planned = await showResults(results, prompts);
  }
}

function storeShowingProgress(
  account: Account,
  planned: readonly PlannedSecret[],
  secrets: SecretModel,
): Thenable<ImportResult[]> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Storing secrets'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    return importSecrets(
      planned,
      ({ name, hosts, value }) => secrets.store(account, name, { hosts, value }, cancelled.signal),
      ({ name }) => progress.report({ message: name, increment: 100 / planned.length }),
      cancelled.signal,
    );
  });
}

/** Shows what became of each secret. Gives those that are to be tried again. */
async function showResults(
  results: readonly ImportResult[],
  prompts: Prompts,
): Promise<readonly PlannedSecret[]> {
  const left = unstored(results);
  const count = formatNumber(results.length - left.length);
  const picked = await prompts.pick<'retry' | 'done'>({
    title: vscode.l10n.t('Import Vault Secrets'),
    placeholder:
      left.length === 0
        ? vscode.l10n.t('All {0} are stored.', count)
        : vscode.l10n.t('{0} of {1} are stored.', count, formatNumber(results.length)),
    rows: [
      ...(left.length === 0
        ? []
        : [
            {
              label: vscode.l10n.t('Try the other {0} again', formatNumber(left.length)),
              icon: new vscode.ThemeIcon('refresh'),
              value: 'retry' as const,
            },
          ]),
      {
        label: vscode.l10n.t('Done'),
        icon: new vscode.ThemeIcon('check'),
        value: 'done' as const,
      },
      { separator: '' },
      ...results.map(resultRow),
    ],
  });
  return picked.kind === 'value' && picked.value === 'retry' ? left : [];
}

function resultRow({ secret: { name }, outcome }: ImportResult): PickRow<never> {
  if (outcome === 'not-tried') {
    const description = vscode.l10n.t('Not tried');
    return { note: name, description, icon: new vscode.ThemeIcon('circle-slash') };
  }
  if (outcome instanceof ApiError) {
    const { message, detail } = secretRefusal(outcome);
    return {
      note: name,
      description: plainLine(message),
      ...(detail !== undefined && { detail: plainLine(detail, 400) }),
      icon: new vscode.ThemeIcon('error'),
    };
  }
  const description = plainLine(storedWords(outcome), 400);
  return { note: name, description, icon: new vscode.ThemeIcon('pass') };
}
