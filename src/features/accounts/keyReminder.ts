import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log/log.ts';
import { formatAmount, formatRelative } from '../../platform/text/format.ts';
import { type Account, accountName, type Accounts, keyLimit } from './account.ts';
import type { RunsOfAccounts } from './signOut.ts';

const REMIND_BEFORE_EXPIRY_MS = 3 * 24 * 60 * 60_000;

/** The share of the key's limit below which the user is reminded. */
const LOW_LIMIT_SHARE = 0.1;

/** The least time between two requests for a key's limit, in ms. */
const KEY_READ_INTERVAL_MS = 15 * 60_000;

/** Returns a sentence about the problem of a key that the user should know of; undefined if there is none. */
export function keyProblem({ record }: Pick<Account, 'record'>, now: number): string | undefined {
  const { l10n } = vscode;
  const name = accountName(record);
  const expiry = Date.parse(record.expiresAt ?? '');
  if (expiry <= now)
    return l10n.t('The API key {0} expired {1}.', name, formatRelative(expiry, now));
  if (expiry - now <= REMIND_BEFORE_EXPIRY_MS)
    return l10n.t('The API key {0} expires {1}.', name, formatRelative(expiry, now));
  const key = keyLimit(record, now);
  if (key === undefined || key.remaining >= LOW_LIMIT_SHARE * key.limit) return undefined;
  const [left, limit] = [formatAmount(key.remaining), formatAmount(key.limit)];
  return l10n.t('API key {2} has only {0} of its {1} limit left.', left, limit, name);
}

/** Returns whether the key's limit may be read again. Another window may have read it. */
export function isKeyReadDue({ record }: Pick<Account, 'record'>, now: number): boolean {
  return Math.abs(now - (record.keyReadAt ?? 0)) >= KEY_READ_INTERVAL_MS;
}

interface ReminderPorts {
  readonly accounts: Accounts;
  readonly log: Log;
  readonly globalState: vscode.Memento;
  readonly runs: Pick<RunsOfAccounts, 'isRunning' | 'onDidChange'>;
}

/** Reads the limits of keys in use again, and reminds once per account and day of a key that ends soon. */
export function remindOfKeys(ports: ReminderPorts): Disposable {
  const { accounts, log, runs } = ports;
  /** When this window last read each key, also if that failed, epoch ms. */
  const readAt = new Map<string, number>();
  const readKeys = (): void => {
    const now = Date.now();
    for (const account of accounts.all) {
      const { id, state } = account;
      const isRecent = now - (readAt.get(id) ?? -Infinity) < KEY_READ_INTERVAL_MS;
      if (state !== 'ready' || isRecent || !isKeyReadDue(account, now) || !runs.isRunning(id))
        continue;
      readAt.set(id, now);
      accounts.readKeyInfo(id).catch((failure: unknown) => {
        log.warn('The limit of a key could not be read', failure);
      });
    }
  };
  const check = (): void => {
    for (const account of accounts.all) void remind(account, ports);
  };
  const store = new DisposableStore();
  store.add(accounts.onDidChange(check));
  store.add(vscode.window.onDidChangeWindowState(check));
  store.add(runs.onDidChange(readKeys));
  return store;
}

async function remind(account: Account, { accounts, globalState }: ReminderPorts): Promise<void> {
  if (account.state !== 'ready' || !vscode.window.state.focused) return;
  const now = Date.now();
  const problem = keyProblem(account, now);
  const today = new Date(now).toDateString();
  const name = `expirySaid:${account.id}`;
  if (problem === undefined || globalState.get(name) === today) return;
  await globalState.update(name, today);
  const signIn = vscode.l10n.t('Sign In with Another Key');
  const show = vscode.l10n.t('Show API Key Information');
  // The page shows the key of the active account.
  const buttons = account.id === accounts.active?.id ? [signIn, show] : [signIn];
  const chosen = await vscode.window.showWarningMessage(problem, ...buttons);
  if (chosen === signIn)
    await vscode.commands.executeCommand('interns.signIn', { account: account.id });
  if (chosen === show) await vscode.commands.executeCommand('interns.showKeyInfo');
}
