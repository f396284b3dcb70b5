import { createServiceClient, type FetchLike } from '../../../src/api/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import type { Account, Accounts, ListServices } from '../../../src/features/accounts/account.ts';
import { AccountManager } from '../../../src/features/accounts/accountManager.ts';
import type { InternModel } from '../../../src/features/interns/internModel.ts';
import { Redactor } from '../../../src/platform/log/redactor.ts';
import type { Service } from '../../service/service.ts';
import { rootOf } from '../api/support/fakeFetch.ts';
import { FakeMemento } from './fakeMemento.ts';
import { FakeSecrets } from './fakeSecrets.ts';
import { nodeWatcher } from './folders.ts';
import { RecordingLog } from './recordingLog.ts';
import { pathsIn } from './pathsIn.ts';

/** Default options of the accounts of a window. Requests are repeated without a delay. */
export function accountOptions(storageRoot: string) {
  return {
    storageRoot,
    watch: nodeWatcher,
    reportUnreadable: (): void => undefined,
    log: new RecordingLog(),
    redactor: new Redactor(),
    secrets: new FakeSecrets(),
    globalState: new FakeMemento(),
    createClient: (config: Parameters<typeof createServiceClient>[0]) =>
      createServiceClient({ ...config, random: () => 0 }),
    now: Date.now,
  };
}

/** Options of a window's conversations in a folder, with one account of the local service. */
export function conversationOptions(folder: string, service: string, window: string) {
  const root = rootOf(service);
  const client = (_account?: Account, fetch?: FetchLike) =>
    createServiceClient({ root, key: () => 'test-key-owner', ...(fetch && { fetch }) });
  const store = { paths: pathsIn(folder) };
  const account = { id: 'account-1', state: 'ready', store } as Account;
  const onDidChange = new Emitter<void>().event;
  const get = () => account;
  const nothing = () => Promise.resolve();
  const interns = { list: () => Promise.resolve([]), name: () => 'ada', recordStatus: nothing };
  return {
    account,
    accounts: { all: [account], get, client, onDidChange } as unknown as Accounts,
    interns: interns as unknown as InternModel,
    settings: { approvalMode: 'manual', costLimit: 0, dailyCostLimit: 0 } as const,
    window,
    clock: systemClock,
    watch: nodeWatcher,
    reportUnreadable: () => undefined,
    log: new RecordingLog(),
  };
}

/** A vault secret in the store of an account. */
export function secretRecord(name: string) {
  const metadata = { name, hosts: ['example.com'], fingerprint: null, createdAt: null };
  return { name, metadata, storedAt: 1 };
}

/** A window with real accounts in a folder, for the local service. */
export class AccountWindow {
  readonly log = new RecordingLog();
  /** The files that were reported as unreadable. */
  readonly reportedPaths: string[] = [];
  readonly secrets = new FakeSecrets();
  readonly accounts: AccountManager;
  readonly service: Service;

  /** Opens a window that is signed in with the key of a member. */
  static async signedIn(storageRoot: string, service: Service): Promise<AccountWindow> {
    const window = new AccountWindow(storageRoot, service);
    await window.accounts.start();
    await window.signIn();
    return window;
  }

  constructor(storageRoot: string, service: Service) {
    this.service = service;
    this.accounts = new AccountManager({
      ...accountOptions(storageRoot),
      reportUnreadable: (path) => this.reportedPaths.push(path),
      log: this.log,
      secrets: this.secrets,
    });
  }

  /** Services of the host. */
  get ports(): ListServices & { readonly accounts: AccountManager } {
    const contextKeys = { set: () => undefined };
    return { accounts: this.accounts, clock: systemClock, contextKeys, log: this.log };
  }

  /** Signs in with the key of a member by default. */
  readonly signIn = async (key = 'test-key-owner'): Promise<string> => {
    const { id } = await this.accounts.signIn(rootOf(this.service.url), key);
    return id;
  };

  /** Signs out and in again: the same account with another store. */
  async signInAgain({ forgetData }: { readonly forgetData: boolean }): Promise<void> {
    const { active } = this.accounts;
    if (active !== undefined) await this.accounts.signOut(active.id, { forgetData });
    await this.signIn();
  }

  dispose(): void {
    this.accounts.dispose();
  }
}
