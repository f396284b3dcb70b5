import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DisposableStore } from '../../../../src/base/disposable.ts';
import { Journal } from '../../../../src/platform/storage/journalFile.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { accountsDir } from '../../../../src/platform/storage/layout.ts';
import { eventually } from '../../../harness/until.ts';
import { start } from '../../api/support/localService.ts';
import { AccountWindow, secretRecord } from '../../support/accountWindow.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';

describe('a deleted account', () => {
  const folder = useTemporaryFolder();
  const windows = new DisposableStore();
  afterEach(() => windows.dispose());

  it('a deleted account stays deleted after late writes', async () => {
    const service = await start();
    const { accounts: here, log } = windows.add(await AccountWindow.signedIn(folder.path, service));
    const account = here.active!;
    await account.store.secrets.put(secretRecord('one'));
    const { accounts: there } = windows.add(new AccountWindow(folder.path, service));
    await there.start();
    const elsewhere = there.active!;
    await elsewhere.store.secrets.list();
    await here.signOut(account.id, { forgetData: true });
    await eventually(() => there.active === undefined);
    const { conversationsDir } = account.store;
    const journal = new Journal<{ readonly id: string }>({
      path: join(conversationsDir, 'late.jsonl'),
      clock: new FakeClock(),
      watch: nodeWatcher,
      parse: () => undefined,
    });
    journal.append({ id: 'late' });
    assert.equal(await journal.flush(), true, 'nothing is tried again');
    await Promise.allSettled([
      account.store.secrets.put(secretRecord('late')),
      elsewhere.store.secrets.put(secretRecord('late')),
      elsewhere.store.secrets.list(),
      new OwnerFile(conversationsDir, 'late', { window: 'late', log }).take(),
    ]);
    assert.deepEqual(await readdir(accountsDir(folder.path)), []);
  });
});
