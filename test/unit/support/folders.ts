import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../src/base/event.ts';
import { createFolderWatcher, type WatchFolder } from '../../../src/platform/storage/watch.ts';

/** A folder for one suite, made before each test and removed after it. */
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

/** The watcher that the extension uses. A folder that goes under it is the end of the test, and no failure. */
export const nodeWatcher: WatchFolder = createFolderWatcher(
  { warn: () => undefined },
  new Emitter<void>().event,
);

/** Sees nothing: what a window knows without a watcher. */
export const noWatcher: WatchFolder = () => ({ dispose: () => undefined });
