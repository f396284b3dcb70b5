import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cached } from '../../harness/cache.ts';
import { temporaryFolder, type TemporaryFolder } from '../../harness/paths.ts';

describe('the cache of VS Codes', () => {
  let root: TemporaryFolder;

  beforeEach(async () => {
    root = await temporaryFolder();
  });

  afterEach(() => root[Symbol.asyncDispose]());

  const make = (text: string) => (folder: string) => writeFile(path.join(folder, 'file'), text);
  const read = (folder: string) => readFile(path.join(folder, 'file'), 'utf8');

  it('makes a folder once', async () => {
    await cached('key', make('first'), root.path);
    assert.equal(await read(await cached('key', make('second'), root.path)), 'first');
  });

  it('makes a folder again that a run left half made under its own name', async () => {
    await mkdir(path.join(root.path, 'key'));
    assert.equal(await read(await cached('key', make('whole'), root.path)), 'whole');
  });

  it('leaves nothing behind when making fails, and passes the error on', async () => {
    const fail = () => Promise.reject(new Error('no network'));
    await assert.rejects(cached('key', fail, root.path), { message: 'no network' });
    assert.deepEqual(await readdir(root.path), []);
  });

  it('removes what a run that is gone left, and not what another run is making', async () => {
    const gone = 2 ** 30;
    const others = `key.partial-${process.ppid}-a`;
    await mkdir(path.join(root.path, `key.partial-${gone}-a`));
    await mkdir(path.join(root.path, others));
    await cached('key', make('whole'), root.path);
    assert.deepEqual((await readdir(root.path)).sort(), ['key', others]);
  });

  it('takes the folder of another run that was faster', async () => {
    const slow = async (folder: string) => {
      await cached('key', make('faster'), root.path);
      await writeFile(path.join(folder, 'file'), 'slower');
    };
    assert.equal(await read(await cached('key', slow, root.path)), 'faster');
  });
});
