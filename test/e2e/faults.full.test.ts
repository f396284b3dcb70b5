import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../harness/until.ts';
import { useSignedIn, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { Chat } from '../harness/chat.ts';
import { recorded } from './support/records.ts';

describe('the files of the installed VSIX', () => {
  let window: VSCodeWindow;
  let service: Service;
  let chat: Chat;

  useSignedIn({ service: { keepaliveMs: 500 } }, async (opened) => {
    ({ window, service } = opened);
    chat = await Chat.start(window);
    await chat.ask('echo the first word');
  });

  const isOnDisk = async (text: string) =>
    (await recorded(window.server.profile, service)).includes(text);

  it('the extension writes replies later if the folder was missing when they came', async () => {
    const banner = chat.banner('Couldn’t save this conversation');
    const { profile } = window.server;
    const accounts = path.join(profile, 'User/globalStorage/intern-service.interns/accounts');
    await chat.send('slow 4');
    await chat.streaming();
    await rename(accounts, `${accounts}.away`);
    await banner.waitFor();
    assert.equal(await banner.count(), 1);
    assert.deepEqual(await window.notifications(), []);
    await window.screenshot('faults-folder-gone');
    await chat.idle();
    await chat.ask('echo said without a folder');
    await chat.lastReply.getByText('said without a folder').waitFor();
    await rename(`${accounts}.away`, accounts);
    await banner.waitFor({ state: 'hidden' });
    assert.ok(await isOnDisk('4 s.'));
    assert.ok(await isOnDisk('said without a folder'));
  });

  it('deleting an account removes every prompt and draft from the profile', async () => {
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

  /** The contents of all files of the profile and of the browser's storage. */
  async function profileTexts(): Promise<readonly string[]> {
    const { profile } = window.server;
    const entries = await readdir(profile, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const read = files.map(({ parentPath, name }) =>
      // A file may be removed at the same time.
      readFile(path.join(parentPath, name), 'latin1').catch(() => ''),
    );
    return [...(await Promise.all(read)), await window.page.evaluate<string>(browserStores)];
  }
});

/** Runs in the page and returns everything that its origin stores. */
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
