import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NEVER_SENT, readNetworkFailure } from '../../../../src/api/index.ts';
import { watchForeignKeeper } from '../../../../src/platform/keeper/foreignKeeper.ts';
import { createProcessMark } from '../../../../src/platform/storage/processMark.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

const storage = useTemporaryFolder();
const minute = 60_000;
let clock: FakeClock;
let checkLost: ReturnType<typeof watchForeignKeeper>;

function path(): string {
  return join(storage.path, 'one.response');
}

beforeEach(() => {
  clock = new FakeClock();
  checkLost = watchForeignKeeper(path(), clock, 'reader');
});

/** Looks ten times a second while no frame comes. Returns whether the keeper counted as gone. */
async function lookFor(
  ms: number,
  opening: Parameters<typeof checkLost>[0],
  offset = 100,
): Promise<boolean> {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100);
    if (await checkLost(opening, offset)) return true;
  }
  return false;
}

function hasNeverSent(failure: unknown): boolean {
  return readNetworkFailure(failure).code === NEVER_SENT;
}

/** A keeper whose process lives: this one. */
async function living({ hasBirth }: { readonly hasBirth: boolean }) {
  const { born, ...mark } = await createProcessMark('writer');
  return { keeper: hasBirth ? { ...mark, born } : mark };
}

describe("another window's stream keeper", () => {
  it("another window's keeper counts as gone when its process is gone", async () => {
    const { keeper: mark } = await living({ hasBirth: false });
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    assert.equal(await checkLost({ keeper: { ...mark, pid } }, 100), true);
  });

  if (process.platform === 'linux')
    it("another window's keeper counts as alive while a process with its start time runs", async () => {
      assert.equal(await lookFor(2 * minute, await living({ hasBirth: true })), false);
    });

  it('a keeper with only a process ID counts as gone after a silent minute', async () => {
    const opening = await living({ hasBirth: false });
    assert.equal(await lookFor(minute, opening), false);
    assert.equal(await lookFor(2_000, opening), true);
  });

  it("another window's keeper counts as alive while frames arrive", async () => {
    const opening = await living({ hasBirth: false });
    for (let offset = 0; offset < 5; offset += 1)
      assert.equal(await lookFor(minute / 2, opening, offset), false);
  });

  it('the time that the computer slept does not count as silence of a keeper', async () => {
    const opening = await living({ hasBirth: false });
    assert.equal(await lookFor(minute / 2, opening), false);
    clock.advance(60 * minute);
    assert.equal(await lookFor(minute / 4, opening), false);
  });

  it('a reader creates a response file that is missing for two seconds, so no keeper sends later', async () => {
    assert.equal(await lookFor(2_000, undefined, 0), false);
    assert.equal(existsSync(path()), false);
    await assert.rejects(lookFor(minute, undefined, 0), hasNeverSent);
    assert.equal(existsSync(path()), true);
  });

  it("another window's keeper counts as gone if its response file stays empty", async () => {
    await writeFile(path(), '');
    assert.equal(await lookFor(minute, undefined, 0), true);
  });

  it('a request counts as never sent if the folder of its response is gone', async () => {
    const gone = join(storage.path, 'gone', 'one.response');
    checkLost = watchForeignKeeper(gone, clock, 'reader');
    await assert.rejects(lookFor(minute, undefined, 0), hasNeverSent);
  });
});
