import assert from 'node:assert/strict';
import { access, mkdir, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  makeFolder,
  readIfExists,
  readText,
  removeFile,
  replaceText,
  retryBusy,
} from '../../../../src/platform/storage/files.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

function failureOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Fails with the codes one after the other, then succeeds. */
function failing(codes: string[]): () => Promise<string> {
  return () => {
    const code = codes.shift();
    return code === undefined ? Promise.resolve('done') : Promise.reject(failureOf(code));
  };
}

describe('retryBusy', () => {
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };

  beforeEach(() => {
    waits.length = 0;
  });

  it('retryBusy repeats an operation on a busy file until it is free', async () => {
    assert.equal(await retryBusy(failing(['EPERM', 'EBUSY', 'EACCES']), wait), 'done');
    assert.deepEqual(waits, [10, 20, 40]);
  });

  it('retryBusy throws the last error of a file that stays busy', async () => {
    const forever = () => Promise.reject(failureOf('EBUSY'));
    await assert.rejects(retryBusy(forever, wait), { code: 'EBUSY' });
    assert.equal(waits.length, 7);
  });

  it('retryBusy throws other file errors at once', async () => {
    await assert.rejects(retryBusy(failing(['ENOSPC']), wait), { code: 'ENOSPC' });
    assert.deepEqual(waits, []);
  });
});

describe('readIfExists', () => {
  it('readIfExists reads a file on Windows once no other process holds it', async () => {
    assert.equal(await readIfExists(failing(['EPERM', 'EBUSY', 'EACCES']), 'win32'), 'done');
  });

  it('readIfExists does not wait for a file that may not be read on other systems', async () => {
    const codes = ['EACCES', 'EACCES'];
    await assert.rejects(readIfExists(failing(codes), 'linux'), { code: 'EACCES' });
    assert.equal(codes.length, 1, 'it is tried once');
  });

  it('readIfExists returns undefined for a file that is missing', async () => {
    for (const platform of ['win32', 'darwin'] as const)
      assert.equal(await readIfExists(failing(['ENOENT']), platform), undefined);
  });
});

describe('makeFolder', () => {
  const folder = useTemporaryFolder();

  it('makeFolder brings back no account that is removed at the same time', async () => {
    for (let round = 0; round < 50; round++) {
      const account = join(folder.path, 'accounts', String(round));
      await mkdir(account, { recursive: true });
      await writeFile(`${account}.json`, '{}');
      const options = { recursive: true, force: true, maxRetries: 100, retryDelay: 1 };
      const removing = rm(`${account}.json`).then(() => rm(account, options));
      for (let attempt = 0; attempt < 100; attempt++)
        await makeFolder(join(account, 'conversations')).catch(() => undefined);
      await removing;
      await assert.rejects(access(account), { code: 'ENOENT' }, `round ${round}`);
    }
  });
});

describe('replaceText', () => {
  const folder = useTemporaryFolder();

  it('replaceText lets no other user read a stored file', async () => {
    const path = join(folder.path, 'account', 'record.json');
    await replaceText(path, 'said in private');
    const modes = [await stat(path), await stat(dirname(path))].map(({ mode }) => mode & 0o777);
    // Windows protects files with access lists, which modes do not show.
    assert.deepEqual(modes, process.platform === 'win32' ? [0o666, 0o666] : [0o600, 0o700]);
  });

  it('replaceText replaces a file without leaving another one', async () => {
    const path = join(folder.path, 'a', 'b', 'record.json');
    await replaceText(path, 'one');
    await replaceText(path, 'two');
    assert.equal(await readFile(path, 'utf8'), 'two');
    assert.deepEqual(await readdir(join(folder.path, 'a', 'b')), ['record.json']);
  });

  it('replaceText has the text on disk before it replaces a file', async () => {
    const path = join(folder.path, 'record.json');
    await replaceText(path, 'one');
    const file = await open(path);
    await file.close();
    const prototype = Object.getPrototypeOf(file) as { sync: () => Promise<void> };
    const { sync } = prototype;
    const before: string[] = [];
    prototype.sync = async function (this: typeof prototype) {
      before.push(await readFile(path, 'utf8'));
      return sync.call(this);
    };
    try {
      await replaceText(path, 'two');
    } finally {
      prototype.sync = sync;
    }
    assert.deepEqual(before, ['one']);
  });

  it('replaceText leaves no temporary file when it fails', async () => {
    const path = join(folder.path, 'taken');
    await mkdir(path);
    await writeFile(join(path, 'inside'), '');
    await assert.rejects(replaceText(path, 'text'));
    assert.deepEqual(await readdir(folder.path), ['taken']);
  });

  it('readText distinguishes a missing file from an empty one', async () => {
    const path = join(folder.path, 'empty');
    assert.equal(await readText(path), undefined);
    assert.equal(await removeFile(path), false);
    await writeFile(path, '');
    assert.equal(await readText(path), '');
    assert.equal(await removeFile(path), true);
  });
});
