import { parseApiRoot, type ApiRoot } from '../../../src/api/index.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { AccountManager } from '../../../src/features/accounts/accountManager.ts';
import type { Log } from '../../../src/platform/log/log.ts';
import { Redactor } from '../../../src/platform/log/redactor.ts';
import { FakeSecrets, fakePreferences } from './fakeSecrets.ts';
import { FakeService, keyInfoOf } from './fakeService.ts';
import { nodeWatcher } from './folders.ts';
import { RecordingLog } from './recordingLog.ts';

const KEY = 'test-key-owner';

/** One window with the real accounts over a folder, and a service that knows one key. */
export class AccountWindow {
  readonly service = new FakeService();
  readonly log = new RecordingLog();
  /** Files that were told of as unreadable, as often as they were. */
  readonly told: string[] = [];
  readonly accounts: AccountManager;

  constructor(storageRoot: string) {
    this.service.keys.set(KEY, keyInfoOf({ label: 'Owner' }));
    this.accounts = new AccountManager({
      storageRoot,
      watch: nodeWatcher,
      reportUnreadable: (path) => this.told.push(path),
      log: this.log,
      redactor: new Redactor(),
      secrets: new FakeSecrets(),
      preferences: fakePreferences(),
      createClient: this.service.createClient,
      now: Date.now,
    });
  }

  /** What parts of the host are built from. */
  get ports(): { readonly accounts: AccountManager; readonly clock: Clock; readonly log: Log } {
    return { accounts: this.accounts, clock: systemClock, log: this.log };
  }

  /** Signs in with the one key, or with another that the service knows. */
  async signIn(key = KEY): Promise<string> {
    const { id } = await this.accounts.signIn(this.#root, key);
    return id;
  }

  /** Signs out and in again: the same account, under another store. */
  async signInAgain({ forgetData }: { readonly forgetData: boolean }): Promise<void> {
    const { active } = this.accounts;
    if (active !== undefined) await this.accounts.signOut(active.id, { forgetData });
    await this.signIn();
  }

  dispose(): void {
    this.accounts.dispose();
  }

  get #root(): ApiRoot {
    const root = parseApiRoot('https://interns.test/api/v1');
    if (!root.ok) throw new Error('The API root of the tests is none');
    return root.value;
  }
}
