import { l10n, ThemeIcon, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AccountTarget } from '../../platform/commands/ids.ts';
import type { PickRow } from '../../platform/dialogs/prompts.ts';
import type { HostParts } from '../parts.ts';
import { accountName, accountStateLabel, rootHost } from './accountWords.ts';
import type { Account, Accounts, AccountState } from './account.ts';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { registerProvider } from './provider.ts';
import { signIn } from './signIn.ts';
import { signOut, signOutChosen, type SignOutPorts } from './signOut.ts';
import { showAccountStatus } from './statusBar.ts';

interface AccountCommandPorts
  extends SignOutPorts, Pick<HostParts, 'registrar' | 'contextKeys' | 'settings'> {
  readonly accounts: Accounts;
}

/** Registers what users do with accounts: the commands, the status bar item, the Accounts menu, the context keys. */
export function registerAccounts(ports: AccountCommandPorts): Disposable {
  const { accounts, registrar, contextKeys } = ports;
  const disposables = new DisposableStore();
  const setSignedIn = () => contextKeys.set('interns.signedIn', accounts.active !== undefined);
  setSignedIn();
  disposables.add(accounts.onDidChange(setSignedIn));
  disposables.add(
    registrar.registerAll({
      'interns.signIn': (targets) => runSignIn(ports, targets),
      'interns.signOut': () => signOut(ports),
      'interns.switchAccount': () => switchAccount(ports),
    }),
  );
  disposables.add(showAccountStatus(accounts));
  disposables.add(
    registerProvider(
      accounts,
      () => runSignIn(ports, []),
      (id) => signOutChosen(ports, id),
    ),
  );
  return disposables;
}

/** Signs in; to the root of an account that was named, which a lost key has left in need of one. */
async function runSignIn(
  { accounts, prompts, settings }: AccountCommandPorts,
  targets: readonly AccountTarget[],
): Promise<Account | undefined> {
  await accounts.whenLoaded;
  const [target] = targets;
  const named = target === undefined ? undefined : accounts.get(target.account);
  const root = named?.record.root ?? settings.baseUrl;
  // A folder may set the environment: one that is not trusted proposes no server.
  const environment = workspace.isTrusted ? process.env[ENVIRONMENT_VARIABLES.root] : '';
  const proposedRoot = accounts.active?.record.root ?? environment ?? '';
  return signIn({ accounts, prompts, root, proposedRoot });
}

/** What a row of the switcher does. */
type Choice = { readonly account: Account } | { readonly command: 'signIn' | 'signOut' };

/** Chooses the active account, or offers what else can be done with accounts. */
async function switchAccount(ports: AccountCommandPorts): Promise<void> {
  const { accounts, prompts } = ports;
  const rows = choices(accounts);
  const result = await prompts.pick<Choice>({
    title: l10n.t('Switch Account'),
    placeholder: l10n.t('Runs in progress continue under the account they started with'),
    rows,
  });
  if (result.kind !== 'value') return;
  if ('command' in result.value) {
    if (result.value.command === 'signIn') await runSignIn(ports, []);
    else await signOut(ports);
    return;
  }
  const { account } = result.value;
  await accounts.activate(account.id);
  if (account.state !== 'ready') await runSignIn(ports, [{ account: account.id }]);
}

function choices({ all, active }: Accounts): PickRow<Choice>[] {
  const rows: PickRow<Choice>[] = all.map((account) => ({
    label: accountName(account.record),
    description:
      account.id === active?.id
        ? l10n.t('{0}, active', accountStateLabel(account.state))
        : accountStateLabel(account.state),
    detail: rootHost(account.record.root),
    icon: iconOf(account.state),
    value: { account },
  }));
  rows.push({ separator: '' });
  rows.push({
    label: l10n.t('Sign in to another account…'),
    icon: new ThemeIcon('sign-in'),
    value: { command: 'signIn' },
  });
  if (all.length > 0)
    rows.push({
      label: l10n.t('Sign out…'),
      icon: new ThemeIcon('sign-out'),
      value: { command: 'signOut' },
    });
  return rows;
}

function iconOf(state: AccountState): ThemeIcon {
  return {
    ready: new ThemeIcon('account'),
    'needs-key': new ThemeIcon('key'),
    refused: new ThemeIcon('error'),
  }[state];
}
