import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { accountName } from '../words/accounts.ts';
import type { Account, Accounts } from './account.ts';

/** The id of the provider: fixed, and contributed in package.json. */
const PROVIDER_ID = 'interns';

type SessionChange = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/** What the Accounts menu can do. */
export interface ProviderPorts {
  readonly accounts: Accounts;
  /** Asks for a key; gives undefined where the user left. */
  readonly signIn: () => Promise<Account | undefined>;
  /** Signs out of an account, which the menu has had confirmed. */
  readonly signOut: (accountId: string) => Promise<void>;
}

/**
 * Shows the accounts in the editor's Accounts menu.
 *
 * Other extensions may see, with the user's consent, that there is an account, and nothing more: the token of a session
 * is empty, because a key is sent only to the API root that it was entered for, and a session has no place for one.
 */
export class InternsAuthenticationProvider
  implements vscode.AuthenticationProvider, vscode.Disposable
{
  readonly #ports: ProviderPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<SessionChange>());
  #known: readonly vscode.AuthenticationSession[] = [];

  readonly onDidChangeSessions = this.#changed.event;

  constructor(ports: ProviderPorts) {
    this.#ports = ports;
    this.#disposables.add(
      ports.accounts.onDidChange(() => {
        this.#tellChanges();
      }),
    );
  }

  /** Registers this provider until it is disposed. */
  register(): this {
    this.#disposables.add(
      vscode.authentication.registerAuthenticationProvider(PROVIDER_ID, 'Interns', this, {
        supportsMultipleAccounts: true,
      }),
    );
    return this;
  }

  async getSessions(
    _scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    await this.#ports.accounts.whenLoaded;
    const sessions = this.#ports.accounts.all.map(sessionOf);
    return account === undefined
      ? sessions
      : sessions.filter((session) => session.account.id === account.id);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.#ports.signIn();
    if (account === undefined) throw new vscode.CancellationError();
    return sessionOf(account);
  }

  removeSession(sessionId: string): Promise<void> {
    return this.#ports.signOut(sessionId);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #tellChanges(): void {
    const before = new Map(this.#known.map((session) => [session.id, session]));
    const now = this.#ports.accounts.all.map(sessionOf);
    this.#known = now;
    const added = now.filter(({ id }) => !before.has(id));
    const changed = now.filter(({ id, account }) => {
      const known = before.get(id);
      return known !== undefined && known.account.label !== account.label;
    });
    for (const { id } of now) before.delete(id);
    const removed = [...before.values()];
    if (added.length + changed.length + removed.length > 0)
      this.#changed.fire({ added, changed, removed });
  }
}

function sessionOf({ id, record }: Account): vscode.AuthenticationSession {
  return { id, accessToken: '', account: { id, label: accountName(record) }, scopes: [] };
}
