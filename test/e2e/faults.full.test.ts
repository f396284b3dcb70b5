import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../harness/until.ts';
import { openSignedIn, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { recorded } from './support/records.ts';

/** A disk that is small enough to be filled, in bytes. */
const diskBytes = 4 * 1024 * 1024;

/** Whether this process may mount a disk of its own. */
const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;

describe('when the disk or a folder fails, the installed VSIX', () => {
  const closing = useClosing();
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;
  /** The extension's storage; a small disk of its own where that may be mounted. */
  let storage: string;

  before(async () => {
    ({ window, service } = closing.use(
      await openSignedIn({
        service: { keepaliveMs: 500 },
        prepare: async (profile) => {
          storage = path.join(profile, 'User', 'globalStorage', 'intern-service.interns');
          if (!canMount) return;
          // What was put there for the test lies on the small disk then.
          await rename(storage, `${storage}.seed`);
          await mkdir(storage);
          mount('mount', '-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', storage);
          mount('cp', '-a', `${storage}.seed/.`, storage);
        },
      }),
    ));
    if (canMount) closing.defer(() => mount('umount', '--lazy', storage));
    chat = await Chat.start(window);
    await chat.ask('echo the first word');
  });

  function mount(command: string, ...args: readonly string[]): void {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }

  const isOnDisk = async (text: string) =>
    (await recorded(window.server.profile, service)).includes(text);

  /** The one line above the composer that tells of it; nothing else does. */
  const banner = () => chat.banner('cannot be written to disk');

  async function isToldOnce(name: string): Promise<void> {
    await banner().waitFor();
    assert.equal(await banner().count(), 1);
    assert.deepEqual(await window.notifications(), []);
    await window.screenshot(name);
  }

  if (canMount)
    it('keeps on screen what a full disk does not take, says so once, and writes it when there is room', async () => {
      const filler = path.join(storage, 'filler');
      await assert.rejects(writeFile(filler, Buffer.alloc(diskBytes * 2)), { code: 'ENOSPC' });
      // More than what is left of the blocks that the files have already.
      await chat.ask('long 20');
      await isToldOnce('faults-disk-full');
      await chat.ask('echo said to a full disk');
      await chat.lastReply.getByText('said to a full disk').waitFor();
      assert.equal(await isOnDisk('said to a full disk'), false);
      await rm(filler);
      await banner().waitFor({ state: 'hidden' });
      assert.ok(await isOnDisk('said to a full disk'));
      await chat.lastReply.getByText('said to a full disk').waitFor();
    });

  if (canMount)
    it('keeps on screen what a read-only folder does not take, says so once, and writes it when it may', async () => {
      mount('mount', '-o', 'remount,ro', storage);
      await chat.ask('echo said to a read-only folder');
      await isToldOnce('faults-read-only');
      await chat.lastReply.getByText('said to a read-only folder').waitFor();
      mount('mount', '-o', 'remount,rw', storage);
      await banner().waitFor({ state: 'hidden' });
      assert.ok(await isOnDisk('said to a read-only folder'));
    });

  it('keeps on screen what comes while its folder is gone, says so once, and writes it when it is back', async () => {
    const accounts = path.join(storage, 'accounts');
    await chat.send('slow 4');
    await chat.streaming();
    await rename(accounts, `${accounts}.away`);
    await isToldOnce('faults-folder-gone');
    await chat.idle();
    await chat.ask('echo said without a folder');
    await chat.lastReply.getByText('said without a folder').waitFor();
    await rename(`${accounts}.away`, accounts);
    await banner().waitFor({ state: 'hidden' });
    assert.ok(await isOnDisk('4 s.'));
    assert.ok(await isOnDisk('said without a folder'));
  });

  it('leaves nothing of what was said or typed in the whole profile once its account is signed out and deleted', async () => {
    await chat.ask('echo kingfisher said');
    await chat.send('slow 60');
    await chat.streaming();
    await chat.send('echo kingfisher queued');
    await until('it in the queue', async () => (await chat.queued.count()) === 1);
    await chat.composer.pressSequentially('kingfisher typed');
    await until('all of it on disk', async () => {
      const texts = (await profileTexts()).join('\n');
      return ['said', 'queued', 'typed'].every((what) => texts.includes(`kingfisher ${what}`));
    });
    await window.runCommand('Interns: Sign Out…');
    await window.quickInput.pick('Sign out and delete its lists and conversations');
    await until('all of it gone', async () =>
      (await profileTexts()).every((text) => !text.includes('kingfisher')),
    );
    assert.deepEqual(await window.tabs(), []);
  });

  /** The texts of all files of the profile, and of all that the browser keeps for the editor. */
  async function profileTexts(): Promise<readonly string[]> {
    const { profile } = window.server;
    const entries = await readdir(profile, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const read = files.map(({ parentPath, name }) =>
      // One that goes meanwhile holds nothing.
      readFile(path.join(parentPath, name), 'latin1').catch(() => ''),
    );
    return [...(await Promise.all(read)), await window.page.evaluate<string>(browserStores)];
  }
});

/** Run in the page: all that its origin keeps, as text. */
const browserStores = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const texts = [JSON.stringify({ ...localStorage })];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return texts.join();
})()`;
