import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { AccountTarget } from '../../platform/commands/ids.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import type { Settings } from '../../platform/settings.ts';
import {
  type Account,
  keyLabel,
  accountName,
  accountRow,
  type Accounts,
  type AccountState,
  accountStateLabel,
  keyLimit,
  serviceUrlLabel,
  type AccountServices,
} from './account.ts';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { signIn } from './signIn.ts';
import { signOut, type SignOutPorts } from './signOut.ts';
import { type CostSums, unreportedCostMessage } from '../../platform/text/costs.ts';
import { formatAmount, formatDollars, formatTimestamp } from '../../platform/text/format.ts';

interface AccountCommandPorts
  extends SignOutPorts, Pick<AccountServices, 'contextKeys' | 'registrar'> {
  readonly accounts: Accounts;
  readonly settings: Pick<Settings, 'baseUrl'>;
  readonly costs: AccountCosts;
}

/** Registers the commands of accounts, their status bar item, and their provider for VS Code's Accounts menu. */
export function registerAccounts(ports: AccountCommandPorts): Disposable {
  const { accounts, registrar, contextKeys } = ports;
  const disposables = new DisposableStore();
  const setSignedIn = () => contextKeys.set('interns.signedIn', accounts.active !== undefined);
  setSignedIn();
  disposables.add(accounts.onDidChange(setSignedIn));
  void accounts.whenLoaded.then(() => contextKeys.set('interns.accountsLoaded', true));
  registrar.register({
    'interns.signIn': (targets) => runSignIn(ports, targets),
    'interns.signOut': () => signOut(ports),
    'interns.switchAccount': () => switchAccount(ports),
  });
  disposables.add(showAccountStatus(accounts, ports.costs));
  disposables.add(registerProvider(ports));
  return disposables;
}

/** Signs in. A target keeps the service URL of its account, which needs its key again. */
async function runSignIn(
  { accounts, dialogs, settings }: AccountCommandPorts,
  targets: readonly AccountTarget[],
): Promise<Account | undefined> {
  await accounts.whenLoaded;
  const [target] = targets;
  const named = target === undefined ? undefined : accounts.get(target.account);
  const root = named?.record.root ?? settings.baseUrl;
  // An untrusted folder may have set the environment, so it proposes no server.
  const environment = vscode.workspace.isTrusted ? process.env[ENVIRONMENT_VARIABLES.root] : '';
  const proposedRoot = accounts.active?.record.root ?? accounts.signedOutRoot ?? environment ?? '';
  return signIn({ accounts, dialogs, root, proposedRoot });
}

async function switchAccount(ports: AccountCommandPorts): Promise<void> {
  const { accounts, dialogs } = ports;
  const rows: PickRow<() => Promise<unknown>>[] = accounts.all.map((account) => ({
    ...accountRow(account),
    ...(account.id === accounts.active?.id && {
      description: vscode.l10n.t('{0}, active', accountStateLabel(account.state)),
    }),
    icon: STATE_ICONS[account.state],
    value: async () => {
      await accounts.activate(account.id);
      if (account.state !== 'ready') await runSignIn(ports, [{ account: account.id }]);
    },
  }));
  rows.push({ separator: '' });
  rows.push({
    label: vscode.l10n.t('Sign in to another account…'),
    icon: 'sign-in',
    value: () => runSignIn(ports, []),
  });
  if (accounts.all.length > 0)
    rows.push({
      label: vscode.l10n.t('Sign out…'),
      icon: 'sign-out',
      value: () => signOut(ports),
    });
  const result = await dialogs.pick({
    title: vscode.l10n.t('Switch Account'),
    placeholder: vscode.l10n.t('Runs in progress continue under the account they started with'),
    rows,
  });
  if (result.kind === 'value') await result.value();
}

const STATE_ICONS: Readonly<Record<AccountState, string>> = {
  ready: 'account',
  'needs-key': 'key',
  refused: 'error',
};

/** Left of most items, such as language and encoding. */
const STATUS_BAR_PRIORITY = 90;

interface AccountCosts {
  readonly of: (account: Account) => Promise<CostSums | undefined>;
  readonly onDidChange: (listener: () => void) => Disposable;
}

export function showAccountStatus(accounts: Accounts, costs: AccountCosts): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem(
      'interns.account',
      vscode.StatusBarAlignment.Right,
      STATUS_BAR_PRIORITY,
    ),
  );
  item.name = vscode.l10n.t('Interns: account');
  const update = (): void => {
    const { active } = accounts;
    if (active === undefined) {
      item.hide();
    } else {
      Object.assign(item, statusOf(active));
      item.show();
      void costs.of(active).then((sums) => {
        if (sums !== undefined && accounts.active === active)
          item.tooltip = tooltipOf(active, sums);
      });
    }
  };
  store.add(accounts.onDidChange(update));
  store.add(costs.onDidChange(update));
  // Another day may have begun, and other windows may have had runs.
  store.add(vscode.window.onDidChangeWindowState(update));
  update();
  return store;
}

function statusOf(account: Account): Partial<vscode.StatusBarItem> {
  const { record } = account;
  const name = accountName(record);
  const state = accountStateLabel(account.state);
  // Someone else may have set the environment, so the server that gets its key is always visible.
  const where = record.fromEnvironment ? ` · ${serviceUrlLabel(record.root)}` : '';
  const isReady = account.state === 'ready';
  const signIn = {
    command: 'interns.signIn',
    title: vscode.l10n.t('Sign In'),
    arguments: [{ account: account.id }],
  };
  return {
    accessibilityInformation: {
      label: vscode.l10n.t('Interns account: {0}, {1}, {2}', name, state, record.root),
    },
    tooltip: tooltipOf(account),
    text: isReady ? `$(account) ${name}${where}` : `$(key) ${name}${where} (${state})`,
    backgroundColor: isReady ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground'),
    command: isReady ? 'interns.switchAccount' : signIn,
  };
}

function tooltipOf({ record, state }: Account, costs?: CostSums): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const line = (name: string, value: string): void => {
    tooltip.appendText(`${name}: ${value}\n`);
  };
  line(vscode.l10n.t('API key'), keyLabel(record.label));
  line(vscode.l10n.t('Workspace'), record.workspaceId);
  line(vscode.l10n.t('Service URL'), record.root);
  line(vscode.l10n.t('State'), accountStateLabel(state));
  if (record.expiresAt !== null) line(vscode.l10n.t('Expires'), formatTimestamp(record.expiresAt));
  if (record.fromEnvironment)
    line(vscode.l10n.t('Signed in by'), 'INTERNS_BASE_URL, INTERNS_API_KEY');
  const key = keyLimit(record, Date.now());
  if (key !== undefined)
    line(
      vscode.l10n.t('Remaining limit'),
      vscode.l10n.t('{0} of {1}', formatAmount(key.remaining), formatAmount(key.limit)),
    );
  if (costs === undefined) return tooltip;
  line(
    vscode.l10n.t('Cost in VS Code'),
    vscode.l10n.t(
      '{0} today, {1} in seven days',
      formatDollars(costs.today),
      formatDollars(costs.week),
    ),
  );
  tooltip.appendText(unreportedCostMessage());
  return tooltip;
}

type SessionChange = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/**
 * Shows the accounts in the editor's Accounts menu. Sessions have no token: a key may be sent only to its service URL,
 * and other extensions can read sessions with the user's consent.
 */
function registerProvider(ports: AccountCommandPorts): Disposable {
  const { accounts } = ports;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<SessionChange>());
  let known: readonly vscode.AuthenticationSession[] = [];
  store.add(
    accounts.onDidChange(() => {
      const before = known;
      known = accounts.all.map(sessionOf);
      const change: SessionChange = {
        added: known.filter(({ id }) => !before.some((old) => old.id === id)),
        removed: before.filter(({ id }) => !known.some((each) => each.id === id)),
        changed: known.filter(({ id, account: { label } }) =>
          before.some((old) => old.id === id && old.account.label !== label),
        ),
      };
      if (Object.values(change).flat().length > 0) changed.fire(change);
    }),
  );
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    getSessions: async (_scopes, { account }) => {
      await accounts.whenLoaded;
      return accounts.all
        .filter(({ id }) => account === undefined || id === account.id)
        .map(sessionOf);
    },
    createSession: async () => {
      const account = await runSignIn(ports, []);
      if (account === undefined) throw new vscode.CancellationError();
      return sessionOf(account);
    },
    // The menu has asked for confirmation.
    removeSession: (id) => signOut(ports, id),
  };
  store.add(
    vscode.authentication.registerAuthenticationProvider('interns', 'Interns', provider, {
      supportsMultipleAccounts: true,
    }),
  );
  return store;
}

function sessionOf({ id, record }: Account): vscode.AuthenticationSession {
  return { id, accessToken: '', account: { id, label: accountName(record) }, scopes: [] };
}
