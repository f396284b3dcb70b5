import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { accountLabel, accountName, accountStateLabel, rootHost } from './accountWords.ts';
import { formatAmount, formatTimestamp } from '../../platform/words/format.ts';
import type { Account, Accounts } from './account.ts';

/** Left of most: notices of language and encoding come further right. */
const PRIORITY = 90;

/** Shows the active account in the status bar. Nothing where nobody is signed in: the views say what to do then. */
export function showAccountStatus(accounts: Accounts): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('interns.account', vscode.StatusBarAlignment.Right, PRIORITY),
  );
  item.name = vscode.l10n.t('Interns Account');
  const update = (): void => {
    const { active } = accounts;
    if (active === undefined) {
      item.hide();
    } else {
      Object.assign(item, statusOf(active));
      item.show();
    }
  };
  store.add(accounts.onDidChange(update));
  update();
  return store;
}

function statusOf(account: Account): Partial<vscode.StatusBarItem> {
  const { record } = account;
  const name = accountName(record);
  const state = accountStateLabel(account.state);
  // The environment may be another's to set: where its key goes is always in sight.
  const where = record.fromEnvironment ? ` · ${rootHost(record.root)}` : '';
  const common = {
    accessibilityInformation: {
      label: vscode.l10n.t('Interns account: {0}, {1}, {2}', name, state, record.root),
    },
    tooltip: tooltipOf(account),
  };
  if (account.state === 'ready')
    return {
      ...common,
      text: `$(account) ${name}${where}`,
      backgroundColor: undefined,
      command: 'interns.switchAccount',
    };
  return {
    ...common,
    text: `$(key) ${name}${where} (${state})`,
    backgroundColor: new vscode.ThemeColor('statusBarItem.warningBackground'),
    command: {
      command: 'interns.signIn',
      title: vscode.l10n.t('Sign In'),
      arguments: [{ account: account.id }],
    },
  };
}

/** The short form of the key's information. What comes from the service is appended as text, so it stays text. */
function tooltipOf({ record, state, keyInfo }: Account): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const line = (name: string, value: string): void => {
    tooltip.appendText(`${name}: ${value}\n`);
  };
  line(vscode.l10n.t('API key'), accountLabel(record.label));
  line(vscode.l10n.t('Workspace'), record.workspaceId);
  line(vscode.l10n.t('API root'), record.root);
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
