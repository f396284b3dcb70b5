import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFile, readClaim, type ClaimOwner } from '../../../../src/host/storage/claimFile.ts';
import { birthOf, startTicks } from '../../../../src/host/storage/processBirth.ts';
import { useTemporaryFolder } from '../support/folders.ts';

const owner = (window: string, pid = process.pid): ClaimOwner => ({ window, pid, at: Date.now() });

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid!;
}

describe('a claim', () => {
  const folder = useTemporaryFolder();
  const pathOf = () => join(folder.path, 'questions', 'q.claim');

  it('is had by exactly one of many windows that want it at once', async () => {
    const windows = Array.from({ length: 20 }, (_, index) => owner(`window-${index}`));
    const results = await Promise.all(windows.map((window) => claimFile(pathOf(), window)));
    assert.equal(results.filter(({ kind }) => kind === 'claimed').length, 1);
    for (const result of results) assert.ok(result.kind === 'claimed' || result.alive);
  });

  it('tells who has it, and can be had again after its release', async () => {
    const first = await claimFile(pathOf(), owner('first'));
    assert.ok(first.kind === 'claimed');
    const second = await claimFile(pathOf(), owner('second'));
    assert.ok(second.kind === 'taken');
    assert.equal(second.owner?.window, 'first');
    await first.claim.release();
    await first.claim.release();
    assert.equal(await readClaim(pathOf()), undefined);
    assert.equal((await claimFile(pathOf(), owner('second'))).kind, 'claimed');
  });

  it('of a window that is gone stays, and says so', async () => {
    await claimFile(pathOf(), owner('gone', await deadPid()));
    const result = await claimFile(pathOf(), owner('here'));
    assert.ok(result.kind === 'taken');
    assert.equal(result.alive, false);
  });

  it('from before the machine started is dead though its process number lives again', async () => {
    await claimFile(pathOf(), { ...owner('old'), at: 0 });
    assert.equal((await readClaim(pathOf()))?.alive, false);
  });

  it('of a window whose number another process has today is dead: a container that starts anew numbers from 1', async function () {
    const born = await birthOf(process.pid);
    if (born === undefined) this.skip();
    await claimFile(pathOf(), owner('here'));
    assert.equal((await readClaim(pathOf()))?.alive, true);
    await writeFile(pathOf(), JSON.stringify({ ...owner('gone'), born: `${born}0` }));
    assert.equal((await readClaim(pathOf()))?.alive, false);
  });

  it('with the number of this process from before it started is dead, where the system tells no more', async () => {
    const at = performance.timeOrigin - 1_000;
    await writeFile(join(folder.path, 'old.claim'), JSON.stringify({ ...owner('gone'), at }));
    assert.equal((await readClaim(join(folder.path, 'old.claim')))?.alive, false);
  });

  it('that is just being written counts as alive, and as dead when it stays unreadable', async () => {
    await claimFile(pathOf(), owner('writer'));
    await writeFile(pathOf(), '');
    assert.deepEqual(await readClaim(pathOf()), { owner: undefined, alive: true });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(pathOf(), longAgo, longAgo);
    assert.deepEqual(await readClaim(pathOf()), { owner: undefined, alive: false });
  });
});

describe('the birth of a process', () => {
  it('is the same whenever it is asked for, and none where there is no process', async function () {
    const born = await birthOf(process.pid);
    if (born === undefined) this.skip();
    assert.equal(await birthOf(process.pid), born);
    assert.equal(await birthOf(await deadPid()), undefined);
  });

  it('is read past a name that looks like other fields', () => {
    const after = ['S', ...Array.from({ length: 18 }, (_, index) => `${index}`), '4242', '0', '0'];
    assert.equal(startTicks(`7 (a) S 1 (b c)) ${after.join(' ')}\n`), '4242');
    assert.equal(startTicks(''), undefined);
  });
});
