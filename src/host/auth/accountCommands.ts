import { l10n, ThemeIcon } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AccountTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import type { ContextKeys } from '../contextKeys.ts';
import type { PickRow } from '../dialogs/steps.ts';
import type { Settings } from '../settings.ts';
import { accountName, accountStateLabel, rootHost } from '../words/accounts.ts';
import type { Account, Accounts, AccountState } from './account.ts';
import { ENVIRONMENT_VARIABLES } from './environment.ts';
import { InternsAuthenticationProvider } from './provider.ts';
import { signIn } from './signIn.ts';
import { signOut, signOutChosen, type SignOutPorts } from './signOut.ts';
import { AccountStatusBar } from './statusBar.ts';

/** What the commands of accounts work with. */
export interface AccountCommandPorts extends SignOutPorts {
  readonly accounts: Accounts;
  readonly registrar: CommandRegistrar;
  readonly contextKeys: ContextKeys;
  readonly settings: Settings;
}

/** Registers what users do with accounts: the commands, the status bar item, the Accounts menu, the context keys. */
export function registerAccounts(ports: AccountCommandPorts): Disposable {
  const { accounts, registrar, contextKeys } = ports;
  const disposables = new DisposableStore();
  const tell = (): void => {
    contextKeys.set('interns.signedIn', accounts.active !== undefined);
    contextKeys.set('interns.severalAccounts', accounts.all.length > 1);
  };
  tell();
  disposables.add(accounts.onDidChange(tell));
  disposables.add(
    registrar.registerAll({
      'interns.signIn': (targets) => runSignIn(ports, targets),
      'interns.signOut': () => signOut(ports),
      'interns.switchAccount': () => switchAccount(ports),
    }),
  );
  disposables.add(new AccountStatusBar(accounts));
  const provider = new InternsAuthenticationProvider({
    accounts,
    signIn: () => runSignIn(ports, []),
    signOut: (id) => signOutChosen(ports, id),
  });
  disposables.add(provider.register());
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
  const proposedRoot =
    accounts.active?.record.root ?? process.env[ENVIRONMENT_VARIABLES.root] ?? '';
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
    placeholder: l10n.t('Runs under way go on under the account that they started with'),
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
  switch (state) {
    case 'ready':
      return new ThemeIcon('account');
    case 'needs-key':
      return new ThemeIcon('key');
    case 'refused':
      return new ThemeIcon('error');
  }
}
