import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { accountName } from '../words/accounts.ts';
import { formatRelative } from '../words/format.ts';
import type { Account, Accounts } from './account.ts';
import type { Preferences } from './accountManager.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long before its expiry a key is spoken of. */
const NOTICE_MS = 7 * DAY_MS;

/** Whether a key is to be spoken of: it expires within a week, and that was not said today. Times are epoch ms. */
export function isReminderDue(
  expiresAt: string | null,
  lastSaid: string | undefined,
  now: number,
): boolean {
  const expiry = Date.parse(expiresAt ?? '');
  if (Number.isNaN(expiry) || expiry - now > NOTICE_MS) return false;
  return lastSaid !== dayOf(now);
}

/** The day of a time, in the user's time zone. */
export function dayOf(time: number): string {
  return new Date(time).toDateString();
}

/**
 * Says once a day that the active account's key expires within a week.
 *
 * Looks when accounts change and when the window is used again, so no timer runs.
 */
export class ExpiryReminder implements vscode.Disposable {
  readonly #accounts: Accounts;
  readonly #preferences: Preferences;
  readonly #disposables = new DisposableStore();

  constructor(accounts: Accounts, preferences: Preferences) {
    this.#accounts = accounts;
    this.#preferences = preferences;
    const look = (): void => void this.#look();
    this.#disposables.add(accounts.onDidChange(look));
    this.#disposables.add(vscode.window.onDidChangeWindowState(look));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #look(): Promise<void> {
    const account = this.#accounts.active;
    if (account?.state !== 'ready' || !vscode.window.state.focused) return;
    const { expiresAt } = account.record;
    const now = Date.now();
    const name = `expirySaid:${account.id}`;
    if (!isReminderDue(expiresAt, this.#preferences.get(name), now)) return;
    await this.#preferences.set(name, dayOf(now));
    await say(account, Date.parse(expiresAt ?? ''), now);
  }
}

async function say({ id, record }: Account, expiry: number, now: number): Promise<void> {
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
