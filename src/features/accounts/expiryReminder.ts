import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { type Account, accountName, type Accounts } from './account.ts';
import { formatRelative } from '../../platform/text/format.ts';

const DAY_MS = 24 * 60 * 60_000;
const REMIND_BEFORE_EXPIRY_MS = 7 * DAY_MS;

/** Returns whether a key expires within a week and the user was not reminded today. Times are epoch ms. */
export function isReminderDue(
  expiresAt: string | null,
  lastShown: string | undefined,
  now: number,
): boolean {
  const expiry = Date.parse(expiresAt ?? '');
  if (Number.isNaN(expiry) || expiry - now > REMIND_BEFORE_EXPIRY_MS) return false;
  return lastShown !== dayOf(now);
}

export function dayOf(time: number): string {
  return new Date(time).toDateString();
}

/** Reminds once a day that the active account's key expires within a week. */
export function remindOfExpiry(accounts: Accounts, preferences: vscode.Memento): Disposable {
  const check = async (): Promise<void> => {
    const account = accounts.active;
    if (account?.state !== 'ready' || !vscode.window.state.focused) return;
    const { expiresAt } = account.record;
    const now = Date.now();
    const name = `expirySaid:${account.id}`;
    if (!isReminderDue(expiresAt, preferences.get(name), now)) return;
    await preferences.update(name, dayOf(now));
    await showReminder(account, Date.parse(expiresAt ?? ''), now);
  };
  const store = new DisposableStore();
  store.add(accounts.onDidChange(() => void check()));
  store.add(vscode.window.onDidChangeWindowState(() => void check()));
  return store;
}

async function showReminder({ id, record }: Account, expiry: number, now: number): Promise<void> {
  const signIn = vscode.l10n.t('Sign In with Another Key');
  const show = vscode.l10n.t('Show API Key Information');
  const when = formatRelative(expiry, now);
  const message =
    expiry <= now
      ? vscode.l10n.t('The API key {0} expired {1}.', accountName(record), when)
      : vscode.l10n.t('The API key {0} expires {1}.', accountName(record), when);
  const chosen = await vscode.window.showWarningMessage(message, signIn, show);
  if (chosen === signIn) await vscode.commands.executeCommand('interns.signIn', { account: id });
  if (chosen === show) await vscode.commands.executeCommand('interns.showKeyInfo');
}
