import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markWindow, unattendedSince } from '../../../../src/platform/keeper/windowMarks.ts';
import { createProcessMark } from '../../../../src/platform/storage/processMark.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

const storage = useTemporaryFolder();

function folder(): string {
  return join(storage.path, 'windows');
}

/** @param change what differs from the mark of a living window */
async function leaveMark(name: string, change: object = {}): Promise<void> {
  await mkdir(folder(), { recursive: true });
  const mark = { ...(await createProcessMark(name)), ...change };
  await writeFile(join(folder(), `${name}.json`), JSON.stringify(mark));
}

describe('the mark of a window', () => {
  it('a file marks a window while it runs', async () => {
    const mark = markWindow(folder(), 'one', { warn: () => assert.fail() });
    await eventually(() => existsSync(join(folder(), 'one.json')));
    mark.dispose();
    await eventually(() => readdirSync(folder()).length === 0);
  });

  it('the next window removes the mark of a window that has died', async () => {
    await leaveMark('dead', { pid: spawnSync(process.execPath, ['-e', '']).pid });
    // A clock that was set after the window started does not make it look dead on Linux.
    await leaveMark('living', process.platform === 'linux' ? { at: 0 } : {});
    const mark = markWindow(folder(), 'one', { warn: () => assert.fail() });
    await eventually(() => !existsSync(join(folder(), 'dead.json')));
    assert.deepEqual(readdirSync(folder()).sort(), ['living.json', 'one.json']);
    mark.dispose();
  });

  it('the next window removes old files that a power cut left, but not the policy', async () => {
    await leaveMark('living');
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const name of ['damaged.json', 'policy', 'policy.0123456789ab.tmp']) {
      await writeFile(join(folder(), name), '');
      await utimes(join(folder(), name), twoDaysAgo, twoDaysAgo);
    }
    // Another window may be writing it.
    await writeFile(join(folder(), 'new.json'), '');
    const mark = markWindow(folder(), 'one', { warn: () => assert.fail() });
    const left = ['living.json', 'new.json', 'one.json', 'policy'];
    await eventually(() => readdirSync(folder()).sort().join() === left.join());
    mark.dispose();
  });

  it('the next window knows when the last one closed, unless a window is open or died', async () => {
    assert.equal(unattendedSince(folder()), undefined);
    const mark = markWindow(folder(), 'one', { warn: () => assert.fail() });
    await eventually(() => existsSync(join(folder(), 'one.json')));
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(folder(), hourAgo, hourAgo);
    assert.equal(unattendedSince(folder()), undefined);
    mark.dispose();
    await eventually(() => !existsSync(join(folder(), 'one.json')));
    // As after a reload.
    assert.equal(unattendedSince(folder()), undefined);
    await writeFile(join(folder(), 'policy'), 'always');
    await utimes(folder(), hourAgo, hourAgo);
    assert.equal(unattendedSince(folder()), hourAgo.getTime());
  });
});
