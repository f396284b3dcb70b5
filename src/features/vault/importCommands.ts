import * as vscode from 'vscode';
import { ApiError, type ApiErrorKind } from '../../api/index.ts';
import type { Disposable } from '../../base/disposable.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { UserError } from '../../platform/words/report.ts';
import { readEnv } from './envFile.ts';
import { envText } from './envSources.ts';
import { askToImport, type PlannedSecret } from './importDialog.ts';
import type { StoredSecret, VaultPorts } from './secretModel.ts';
import { secretRefusal, storedWords } from './secretWords.ts';

/** The most entries that a person looks over, and that count as a file of secrets. */
const MAX_ENTRIES = 500;

/** Failures of the caller, not of one secret: going on would only repeat them. */
const failuresOfAll: readonly ApiErrorKind[] = [
  'signed-out',
  'outsider',
  'vault-writes-off',
  'not-the-service',
  'redirect',
  'tls',
  'aborted',
];

/** The outcome of one secret; `not-tried` after a cancellation or a failure of the caller. */
interface ImportResult {
  readonly secret: PlannedSecret;
  readonly outcome: StoredSecret | ApiError | 'not-tried';
}

/** Registers Import Vault Secrets from .env… and Import Selection as Vault Secrets…. */
export function registerImportCommands(registrar: CommandRegistrar, ports: VaultPorts): Disposable {
  return registrar.registerAll({
    'interns.importSecrets': async (targets) => {
      const account = activeAccount(ports.accounts);
      const text = await envText(targets, ports.dialogs);
      if (text !== undefined) await importText(account, text, ports);
    },
    'interns.importSelection': () => {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.document.getText(editor.selection) ?? '';
      return importText(activeAccount(ports.accounts), text, ports);
    },
  });
}

async function importText(account: Account, text: string, ports: VaultPorts): Promise<void> {
  const { secrets, dialogs } = ports;
  const entries = readEnv(text).filter(({ value }) => value !== '');
  if (entries.length === 0) {
    throw new UserError(vscode.l10n.t('It has no entry with a value, such as API_KEY=….'));
  }
  if (entries.length > MAX_ENTRIES) {
    throw new UserError(
      vscode.l10n.t(
        'It has {0} entries, and at most {1} are imported at once. Select some of its lines, and use Import Selection as Vault Secrets.',
        formatNumber(entries.length),
        formatNumber(MAX_ENTRIES),
      ),
    );
  }
  const known = new Map((await secrets.list(account)).map((record) => [record.name, record]));
  const since = account.record.keySince;
  let planned = await askToImport(entries, { dialogs, known, since });
  while (planned !== undefined && planned.length > 0) {
    const results = await storeAll(account, planned, ports);
    planned = await showResults(results, dialogs);
  }
}

/** Stores secrets one after the other and shows progress. A cancellation leaves at most one in doubt. */
function storeAll(
  account: Account,
  planned: readonly PlannedSecret[],
  { secrets }: VaultPorts,
): Thenable<readonly ImportResult[]> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Storing secrets'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    const results: ImportResult[] = [];
    let isStopped = false;
    for (const secret of planned) {
      const { name, hosts, value } = secret;
      isStopped ||= token.isCancellationRequested;
      if (!isStopped) progress.report({ message: name, increment: 100 / planned.length });
      const outcome: ImportResult['outcome'] = isStopped
        ? 'not-tried'
        : await secrets
            .store(account, name, { hosts, value }, cancelled.signal)
            .catch((failure: unknown) => {
              if (failure instanceof ApiError) return failure;
              throw failure;
            });
      results.push({ secret, outcome });
      // A 403 concerns the API key or the service URL, whatever its text says.
      isStopped ||=
        outcome instanceof ApiError &&
        (outcome.status === 403 || failuresOfAll.includes(outcome.kind));
    }
    return results;
  });
}

/** Shows the outcome of each secret. Returns those to try again. */
async function showResults(
  results: readonly ImportResult[],
  dialogs: Dialogs,
): Promise<readonly PlannedSecret[]> {
  const left = results.filter(
    ({ outcome }) => outcome === 'not-tried' || outcome instanceof ApiError,
  );
  const count = formatNumber(results.length - left.length);
  const retry = {
    label: vscode.l10n.t('Try the other {0} again', formatNumber(left.length)),
    icon: new vscode.ThemeIcon('refresh'),
    value: true,
  };
  const picked = await dialogs.pick<boolean>({
    title: vscode.l10n.t('Import Vault Secrets'),
    placeholder:
      left.length === 0
        ? vscode.l10n.t('All {0} are stored.', count)
        : vscode.l10n.t('{0} of {1} are stored.', count, formatNumber(results.length)),
    rows: [
      ...(left.length === 0 ? [] : [retry]),
      { label: vscode.l10n.t('Done'), icon: new vscode.ThemeIcon('check'), value: false },
      { separator: '' },
      ...results.map(resultRow),
    ],
  });
  return picked.kind === 'value' && picked.value ? left.map(({ secret }) => secret) : [];
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
