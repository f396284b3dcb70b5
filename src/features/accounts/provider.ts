import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { accountName } from './accountWords.ts';
import type { Account, Accounts } from './account.ts';

/** The id of the provider: fixed, and contributed in package.json. */
const PROVIDER_ID = 'interns';

type SessionChange = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/**
 * Shows the accounts in the editor's Accounts menu.
 *
 * Other extensions may see, with the user's consent, that there is an account, and nothing more: the token of a session
 * is empty, because a key is sent only to the API root that it was entered for, and a session has no place for one.
 *
 * @param signIn Asks for a key; gives undefined where the user left.
 * @param signOut Signs out of an account, which the menu has had confirmed.
 */
export function registerProvider(
  accounts: Accounts,
  signIn: () => Promise<Account | undefined>,
  signOut: (accountId: string) => Promise<void>,
): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<SessionChange>());
  let known: readonly vscode.AuthenticationSession[] = [];
  store.add(
    accounts.onDidChange(() => {
      const before = known;
      known = accounts.all.map(sessionOf);
      const change = changeBetween(before, known);
      if (Object.values(change).some(({ length }) => length > 0)) changed.fire(change);
    }),
  );
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    getSessions: async (_scopes, { account }) => {
      await accounts.whenLoaded;
      const sessions = accounts.all.map(sessionOf);
      return account === undefined
        ? sessions
        : sessions.filter((session) => session.account.id === account.id);
    },
    createSession: async () => {
      const account = await signIn();
      if (account === undefined) throw new vscode.CancellationError();
      return sessionOf(account);
    },
    removeSession: signOut,
  };
  store.add(
    vscode.authentication.registerAuthenticationProvider(PROVIDER_ID, 'Interns', provider, {
      supportsMultipleAccounts: true,
    }),
  );
  return store;
}

function changeBetween(
  before: readonly vscode.AuthenticationSession[],
  now: readonly vscode.AuthenticationSession[],
) {
  const old = new Map(before.map((session) => [session.id, session]));
  const ids = new Set(now.map(({ id }) => id));
  return {
    added: now.filter(({ id }) => !old.has(id)),
    removed: before.filter(({ id }) => !ids.has(id)),
    changed: now.filter(({ id, account }) => {
      const label = old.get(id)?.account.label;
      return label !== undefined && label !== account.label;
    }),
  } satisfies SessionChange;
}

function sessionOf({ id, record }: Account): vscode.AuthenticationSession {
  return { id, accessToken: '', account: { id, label: accountName(record) }, scopes: [] };
}
