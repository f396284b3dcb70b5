import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnerFile } from '../../../../src/platform/storage/ownerFile.ts';
import { processStartTime } from '../../../../src/platform/storage/processMark.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('OwnerFile', () => {
  const folder = useTemporaryFolder();
  const log = new RecordingLog();
  const window = (id: string) => new OwnerFile(folder.path, 'c1', { window: id, log });
  const names = async () => (await readdir(folder.path)).sort();
  const pathOf = (name: string) => join(folder.path, name);

  /** Writes the file of another window. */
  const leave = (name: string, owner: object = {}) =>
    writeFile(
      pathOf(name),
      JSON.stringify({ version: 1, window: name, pid: process.pid, at: Date.now(), ...owner }),
    );

  it('exactly one of many windows takes a conversation', async () => {
    const windows = Array.from({ length: 20 }, (_, index) => window(`window-${index}`));
    const taken = await Promise.all(windows.map((each) => each.take()));
    assert.equal(taken.filter((isOurs) => isOurs).length, 1);
    assert.deepEqual(await names(), ['c1.run']);
  });

  it('at most one window takes a conversation after its owners died', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    for (const name of ['c1.run', 'c1.1.run', 'c1.4.run', 'c2.run']) await leave(name, { pid });
    const windows = Array.from({ length: 20 }, (_, index) => window(`window-${index}`));
    const taken = await Promise.all(windows.map((each) => each.take()));
    assert.ok(taken.filter((isOurs) => isOurs).length <= 1);
    const next = window('next');
    for (const each of windows) await each.release();
    assert.equal(await next.take(), true);
    assert.equal((await names()).length, 2, 'files of dead owners are removed');
    await next.release();
    assert.deepEqual(await names(), ['c2.run']);
  });

  it('other windows see the owner of a conversation until its release', async () => {
    const [first, second] = [window('first'), window('second')];
    assert.equal(await first.take(), true);
    assert.equal(await first.take(), true);
    assert.equal(await first.isElsewhere(), false);
    assert.equal(await second.isElsewhere(), true);
    assert.equal(await second.take(), false);
    await second.release();
    assert.equal(await second.isElsewhere(), true);
    await first.release();
    await first.release();
    assert.equal(await second.isElsewhere(), false);
    assert.equal(await second.take(), true);
  });

  it('a window gives up a conversation that another one has taken at the same moment', async () => {
    let reads = 0;
    const owner = new OwnerFile(folder.path, 'c1', {
      log,
      // It is read for the second time after the window has found no other owner.
      get window() {
        reads += 1;
        const mark = { version: 1, window: 'other', pid: process.pid, at: Date.now() };
        if (reads === 2) writeFileSync(pathOf('c1.1.run'), JSON.stringify(mark));
        return 'here';
      },
    });
    assert.equal(await owner.take(), false);
    assert.deepEqual(await names(), ['c1.1.run']);
  });

  it('a conversation has an owner whose process runs, even if its start is not known', async () => {
    for (const owner of [{}, { pid: process.ppid, at: performance.timeOrigin - 1_000 }]) {
      await leave('c1.run', owner);
      assert.equal(await window('here').isElsewhere(), true);
    }
  });

  for (const [whose, at] of [
    ['process started before the machine', 0],
    ['process id is ours from before we started', performance.timeOrigin - 1_000],
  ] as const)
    it(`a conversation is free if its owner's ${whose}`, async () => {
      await leave('c1.run', { at });
      assert.equal(await window('here').isElsewhere(), false);
    });

  if (process.platform === 'linux')
    it('a conversation is free if another process has the ID of its owner', async () => {
      const born = await processStartTime(process.pid);
      await leave('c1.run', { born });
      assert.equal(await window('here').isElsewhere(), true);
      await leave('c1.run', { born: `${born}0` });
      assert.equal(await window('here').isElsewhere(), false);
    });

  it('an empty owner file blocks a conversation only for a short time', async () => {
    await writeFile(pathOf('c1.run'), '');
    assert.equal(await window('here').take(), false);
    // It is in the future if the clock was set back.
    for (const ms of [-60_000, 60_000]) {
      const at = new Date(Date.now() + ms);
      await writeFile(pathOf('c1.run'), '');
      await utimes(pathOf('c1.run'), at, at);
      const owner = window('here');
      assert.equal(await owner.take(), true);
      await owner.release();
    }
  });

  it('any window takes a conversation if the disk fails', async () => {
    await writeFile(pathOf('file'), '');
    const owner = new OwnerFile(pathOf('file'), 'c1', { window: 'here', log });
    assert.equal(await owner.take(), true);
    assert.equal(await owner.isElsewhere(), false);
    await owner.release();
    assert.ok(log.lines.includes('Could not take the ownership of a conversation'));
  });
});
