import * as vscode from 'vscode';
import { l10n, window, workspace } from 'vscode';
import { ApiError, type ApiErrorKind } from '../../api/index.ts';
import type { LineTarget, UriTarget } from '../../platform/commands/ids.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { plainText } from '../../platform/dialogs/plainText.ts';
import { withProgress } from '../../platform/dialogs/statusMessage.ts';
import { readCurrentText, pickTextFile } from '../../platform/dialogs/takeText.ts';
import { formatFacts, formatNumber } from '../../platform/text/format.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import {
  entryOnLine,
  looksLikeAssignment,
  readEnv,
  skippedLines,
  type EnvEntry,
} from './envFile.ts';
import { askToImport, review, type PlannedSecret, type StoreOutcomes } from './importDialog.ts';
import { storedMessage } from './secretMessages.ts';
import { knownSecrets, type StoredSecret, type VaultServices } from './secrets.ts';

const ENV_PATTERN = '**/.env*';
const MAX_ENV_BYTES = 4_194_304;
const MAX_SHOWN_FILES = 50;
/** Maximum number of entries of one import, which the user has to review. */
const MAX_ENTRIES = 500;
/** Maximum number of ranges of skipped lines in a message. */
const MAX_SHOWN_RANGES = 8;
/** The largest file with a lightbulb, which VS Code requests at each move of the cursor. */
const MAX_LIGHTBULB_BYTES = 65_536;

/** Failures that concern all secrets, so that storing stops. */
const STOPPING_FAILURES: readonly ApiErrorKind[] = [
  'signed-out',
  'outsider',
  'vault-writes-off',
  'not-the-service',
  'redirect',
  'tls',
  'aborted',
];

/** A PEM block or Base64, whose padding looks like an assignment. */
const PADDED_VALUE = /^(?:-----BEGIN |[A-Za-z\d+/]{15,}={1,2}$)/;

/** Registers the import of a .env file, of a selection and of one line. */
export function registerImportCommands(services: VaultServices): void {
  const importFrom = async (read: () => Promise<string | undefined> | string) => {
    const account = activeAccount(services.accounts);
    const text = await read();
    if (text === undefined) return;
    const value = text.trim();
    const isAssigned = readEnv(text).length > 0 && !PADDED_VALUE.test(value);
    if (value !== '' && !isAssigned && text === selectedText()) {
      // The whole selection is the value of one entry.
      const entry = { key: l10n.t('Selected text'), value, name: '' };
      await importEntries(account, [entry], services);
    } else await importEntries(account, readEnv(text), services, skippedLines(text));
  };
  services.registrar.register({
    'interns.importSecrets': ([target]) => importFrom(() => envText(target, services.dialogs)),
    'interns.importSelection': () => importFrom(selectedText),
    'interns.storeEnvEntry': async ([target]) => {
      if (target === undefined) return importFrom(() => envText(undefined, services.dialogs));
      const entry = await entryAt(target);
      await importEntries(activeAccount(services.accounts), [entry], services);
    },
  });
}

/** Returns the selection of the active editor, on the lines that it has there; blank without one. */
function selectedText(): string {
  const editor = window.activeTextEditor;
  if (editor === undefined) return '';
  return '\n'.repeat(editor.selection.start.line) + editor.document.getText(editor.selection);
}

/** @throws UserError if no entry begins on the line */
async function entryAt({ document, line }: LineTarget): Promise<EnvEntry> {
  const opened = await workspace.openTextDocument(vscode.Uri.parse(document, true));
  const entry = entryOnLine(opened.getText(), line);
  if (entry === undefined) throw new UserError(l10n.t('No KEY=value on this line.'));
  return entry;
}

/**
 * Returns the text of the .env file that a command was called on, else of one that the user selects; undefined if the
 * user left.
 *
 * @throws UserError for a file that cannot be read
 */
async function envText(
  target: UriTarget | undefined,
  dialogs: Dialogs,
): Promise<string | undefined> {
  const title = l10n.t('Import Vault Secrets');
  let file: vscode.Uri | 'selection' | 'other' | undefined = target && vscode.Uri.from(target);
  if (file === undefined) {
    const files = (await envFiles()).map((value) => {
      return { label: workspace.asRelativePath(value), icon: 'file', value };
    });
    const selection = {
      label: l10n.t('Selected text'),
      icon: 'list-selection',
      value: 'selection',
    } as const;
    const picked = await dialogs.pick<vscode.Uri | 'selection' | 'other'>({
      title,
      placeholder: l10n.t('Select a .env file'),
      rows: [
        ...(selectedText().trim() === '' ? [] : [selection]),
        ...files,
        { label: l10n.t('Another file…'), icon: 'folder-opened', value: 'other' },
      ],
    });
    if (picked.kind !== 'value') return undefined;
    file = picked.value;
  }
  if (file === 'selection') return selectedText();
  const text =
    file === 'other'
      ? await pickTextFile({ title, openLabel: l10n.t('Import'), maxBytes: MAX_ENV_BYTES })
      : await readCurrentText(file, MAX_ENV_BYTES);
  if (text?.ok === false) throw new UserError(text.error);
  return text?.value;
}

/** Lists the .env file of the active editor first, then those of the workspace by their paths. */
async function envFiles(): Promise<vscode.Uri[]> {
  const found = await workspace.findFiles(ENV_PATTERN, '**/node_modules/**', MAX_SHOWN_FILES);
  found.sort((one, other) => (one.path < other.path ? -1 : 1));
  const document = window.activeTextEditor?.document;
  if (!document || vscode.languages.match({ pattern: ENV_PATTERN }, document) === 0) return found;
  return [document.uri, ...found.filter((uri) => uri.toString() !== document.uri.toString())];
}

async function importEntries(
  account: Account,
  all: readonly EnvEntry[],
  services: VaultServices,
  skipped: readonly number[] = [],
): Promise<void> {
  const entries = all.filter(({ value }) => value !== '');
  if (entries.length === 0)
    throw new UserError(l10n.t('There are no entries such as API_KEY=value.'));
  if (entries.length > MAX_ENTRIES)
    throw new UserError(
      l10n.t(
        'There are {0} entries (at most {1}). Select lines and import the selection.',
        formatNumber(entries.length),
        formatNumber(MAX_ENTRIES),
      ),
    );
  if (skipped.length > 0) {
    const text = l10n.t('Skipped lines without KEY=value: {0}', linesLabel(skipped));
    void window.showWarningMessage(text);
  }
  const { dialogs } = services;
  const isOnly = entries.length === 1;
  const ports = { dialogs, known: await knownSecrets(account), isOnly };
  let planned = await askToImport(entries, ports);
  while (planned.length > 0) {
    const outcomes = await storeAll(account, planned, services);
    const [outcome] = outcomes.values();
    if (isOnly && outcome && !(outcome instanceof ApiError)) {
      void window.showInformationMessage(plainText(storedMessage(outcome)));
      return;
    }
    const reviewed = await review(planned, ports, outcomes);
    planned = reviewed === 'back' ? [] : reviewed;
  }
}

/** Formats line numbers in ascending order as `2–27, 40`. */
function linesLabel(lines: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges
    .slice(0, MAX_SHOWN_RANGES)
    .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  return `${formatFacts(shown)}${ranges.length > MAX_SHOWN_RANGES ? '…' : ''}`;
}

/** Stores secrets one after the other with progress. Stops after a cancellation or a failure that concerns all. */
function storeAll(
  account: Account,
  planned: readonly PlannedSecret[],
  { storeSecret }: VaultServices,
): Thenable<StoreOutcomes> {
  return withProgress(l10n.t('Storing secrets'), async (signal, progress) => {
    const outcomes = new Map<PlannedSecret, StoredSecret | ApiError>();
    for (const secret of planned) {
      if (signal.aborted) break;
      const { name, hosts, value } = secret;
      progress.report({ message: name, increment: 100 / planned.length });
      try {
        outcomes.set(secret, await storeSecret(account, name, { hosts, value }, signal));
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        outcomes.set(secret, failure);
        // A 403 concerns the API key or the service URL, whatever its text.
        if (failure.status === 403 || STOPPING_FAILURES.includes(failure.kind)) break;
      }
    }
    return outcomes;
  });
}

/** Offers a lightbulb on assignments in .env files. The file is parsed when the lightbulb is selected. */
export function registerEnvActions(): vscode.Disposable {
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (document, { start: { line } }) => {
      if (!looksLikeAssignment(document.lineAt(line).text)) return undefined;
      if (Buffer.byteLength(document.getText()) > MAX_LIGHTBULB_BYTES) return undefined;
      const title = l10n.t('Store in the vault…');
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      const target = { document: document.uri.toString(), line };
      action.command = { command: 'interns.storeEnvEntry', title, arguments: [target] };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ pattern: ENV_PATTERN }, provider, kinds);
}
