import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../src/base/disposable.ts';
import { createFolderWatcher, type WatchFolder } from '../../../src/platform/storage/watch.ts';

/** Makes a folder before each test of a suite, and removes all of them after the suite: a test may end before its last write. */
export function useTemporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  const made: string[] = [];
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'interns-'));
    made.push(folder.path);
  });
  after(async () => {
    for (const path of made) await rm(path, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** Returns the texts of all files below a folder by path. A file may go meanwhile. */
export async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) texts.set(path, await readFile(path, 'utf8').catch(() => ''));
  }
  return texts;
}

/** The extension's watcher. It ignores the removal of a folder at the end of a test. */
export const nodeWatcher: WatchFolder = createFolderWatcher(
  { warn: () => undefined },
  new Emitter<void>().event,
);

/** A watcher that reports nothing. */
export const noWatcher: WatchFolder = () => ({ dispose: () => undefined });
