import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { accountLabel, accountName, accountStateLabel, rootHost } from '../words/accounts.ts';
import { formatAmount, formatTimestamp } from '../words/format.ts';
import type { Account, Accounts } from './account.ts';

/** Left of most: notices of language and encoding come further right. */
const PRIORITY = 90;

/** Shows the active account in the status bar. Nothing where nobody is signed in: the views say what to do then. */
export class AccountStatusBar implements vscode.Disposable {
  readonly #accounts: Accounts;
  readonly #disposables = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
    this.#item = this.#disposables.add(
      vscode.window.createStatusBarItem(
        'interns.account',
        vscode.StatusBarAlignment.Right,
        PRIORITY,
      ),
    );
    this.#item.name = vscode.l10n.t('Interns Account');
    this.#disposables.add(
      accounts.onDidChange(() => {
        this.#update();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(): void {
    const account = this.#accounts.active;
    if (account === undefined) {
      this.#item.hide();
      return;
    }
    const name = accountName(account.record);
    const state = accountStateLabel(account.state);
    const ready = account.state === 'ready';
    this.#item.text = ready ? `$(account) ${name}` : `$(key) ${name} (${state})`;
    this.#item.backgroundColor = ready
      ? undefined
      : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Interns account: {0}, {1}', name, state),
    };
    this.#item.tooltip = tooltipOf(account);
    this.#item.command = ready
      ? 'interns.switchAccount'
      : {
          command: 'interns.signIn',
          title: vscode.l10n.t('Sign In'),
          arguments: [{ account: account.id }],
        };
    this.#item.show();
  }
}

/** The short form of the key's information. What comes from the service is appended as text, so it stays text. */
function tooltipOf({ record, state, keyInfo }: Account): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const line = (name: string, value: string): void => {
    tooltip.appendText(`${name}: ${value}\n`);
  };
  line(vscode.l10n.t('API key'), accountLabel(record.label));
  line(vscode.l10n.t('Workspace'), record.workspaceId);
  line(vscode.l10n.t('Service'), rootHost(record.root));
  line(vscode.l10n.t('State'), accountStateLabel(state));
  if (record.expiresAt !== null) line(vscode.l10n.t('Expires'), formatTimestamp(record.expiresAt));
  if (record.fromEnvironment)
    line(vscode.l10n.t('Signed in by'), 'INTERNS_BASE_URL, INTERNS_API_KEY');
  const { limit = null, limitRemaining = null } = keyInfo ?? {};
  if (limit !== null && limitRemaining !== null)
    line(
      vscode.l10n.t('Limit left'),
      vscode.l10n.t('{0} of {1}', formatAmount(limitRemaining), formatAmount(limit)),
    );
  return tooltip;
}
