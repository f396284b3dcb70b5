import { createServiceClient } from '../../../src/api/index.ts';
import { AccountManager } from '../../../src/features/accounts/accountManager.ts';
import { Redactor } from '../../../src/platform/log/redactor.ts';
import type { Service } from '../../service/service.ts';
import { rootOf } from '../api/support/fakeFetch.ts';
import { FakeSecrets, fakePreferences } from './fakeSecrets.ts';
import { nodeWatcher } from './folders.ts';
import { RecordingLog } from './recordingLog.ts';

/** The real accounts over a folder, signed in to the local service; nothing waits between the tries of a request. */
export async function signedInTo(service: Service, storageRoot: string): Promise<AccountManager> {
  const accounts = new AccountManager({
    storageRoot,
    watch: nodeWatcher,
    reportUnreadable: () => undefined,
    log: new RecordingLog(),
    redactor: new Redactor(),
    secrets: new FakeSecrets(),
    preferences: fakePreferences(),
    createClient: (config) => createServiceClient({ ...config, random: () => 0 }),
    now: Date.now,
  });
  await accounts.start();
  await accounts.signIn(rootOf(service.url), 'test-key-owner');
  return accounts;
}
