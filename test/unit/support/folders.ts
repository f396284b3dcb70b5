import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../src/base/disposable.ts';
import { createFolderWatcher, type WatchFolder } from '../../../src/platform/storage/watch.ts';

/** Makes a folder before each test of a suite, and removes it after. */
export function useTemporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'interns-'));
  });
  afterEach(async () => {
    await rm(folder.path, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** The extension's watcher. It ignores the removal of a folder at the end of a test. */
export const nodeWatcher: WatchFolder = createFolderWatcher(
  { warn: () => undefined },
  new Emitter<void>().event,
);

/** A watcher that reports nothing. */
export const noWatcher: WatchFolder = () => ({ dispose: () => undefined });
