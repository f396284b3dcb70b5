import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../../../../src/base/disposable.ts';
import { Journal } from '../../../../src/platform/storage/journalFile.ts';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { accountsDir } from '../../../../src/platform/storage/layout.ts';
import { eventually } from '../../../harness/until.ts';
import type { Service } from '../../../service/service.ts';
import { start } from '../../api/support/localService.ts';
import { AccountWindow, secretRecord } from '../../support/accountWindow.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';

describe('a deleted account', () => {
  const folder = useTemporaryFolder();
  let windows: DisposableStore;
  beforeEach(() => {
    windows = new DisposableStore();
  });
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
    const conversationsDir = account.store.paths.conversations;
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

  /**
   * Signs in, signs out and deletes the data. Returns a copy of the storage from the moment when the record was gone, as
   * a crash would have left it.
   */
  async function crashInDeletion(service: Service): Promise<string> {
    const { accounts } = windows.add(await AccountWindow.signedIn(folder.path, service));
    const { id, store } = accounts.active!;
    await store.secrets.put(secretRecord('private'));
    const copy = join(folder.path, 'copy');
    const closing = store as typeof store & Disposable;
    const dispose = closing.dispose.bind(closing);
    closing.dispose = () => {
      cpSync(accountsDir(folder.path), accountsDir(copy), { recursive: true });
      dispose();
    };
    await accounts.signOut(id, { forgetData: true });
    const names = await readdir(accountsDir(copy), { recursive: true });
    assert.ok(names.includes(join(id, 'secrets', 'private.json')));
    assert.ok(!names.includes(`${id}.json`));
    return copy;
  }

  it('the next window deletes the data that a crash in a sign-out left', async () => {
    const service = await start();
    const storage = await crashInDeletion(service);
    await windows.add(new AccountWindow(storage, service)).accounts.start();
    assert.deepEqual(await readdir(accountsDir(storage)), []);
  });

  it('an open window deletes the data of a crashed sign-out before it signs in again', async () => {
    const service = await start();
    const { secrets } = windows.add(
      await AccountWindow.signedIn(await crashInDeletion(service), service),
    ).accounts.active!.store;
    assert.deepEqual(await secrets.list(), []);
  });

  /** Signs in as after a crash that left the record of an account that should have been deleted. */
  async function crashBeforeDeletion(): Promise<AccountWindow> {
    const window = windows.add(await AccountWindow.signedIn(folder.path, await start()));
    const { id, store } = window.accounts.active!;
    await store.secrets.put(secretRecord('one'));
    await writeFile(join(accountsDir(folder.path), `${id}.deleted`), '');
    return window;
  }

  it('the next window keeps the data of an account that a crash left signed in', async () => {
    const { service } = await crashBeforeDeletion();
    await writeFile(join(accountsDir(folder.path), '.deleted'), '');
    const { accounts } = windows.add(new AccountWindow(folder.path, service));
    await accounts.start();
    const { id, store } = accounts.active!;
    assert.equal((await store.secrets.list()).length, 1);
    const names = await readdir(accountsDir(folder.path));
    assert.deepEqual(names.sort(), ['.deleted', id, `${id}.json`]);
  });

  it('a sign-out that keeps the data is not taken for a deletion that a crash interrupted', async () => {
    const { accounts, service } = await crashBeforeDeletion();
    await accounts.signOut(accounts.active!.id, { forgetData: false });
    const next = windows.add(await AccountWindow.signedIn(folder.path, service));
    assert.equal((await next.accounts.active!.store.secrets.list()).length, 1);
  });
});
