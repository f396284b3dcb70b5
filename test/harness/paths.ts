import { mkdtemp, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export const projectFolder = path.resolve(import.meta.dirname, '../..');

/** Builds, screenshots and the VSIX; ignored by git. */
export const distFolder = path.join(projectFolder, 'dist');

export const vsixFile = path.join(distFolder, 'interns.vsix');

export const screensFolder = path.join(distFolder, 'screens');

/**
 * The folder that keeps VS Code between runs, outside the project so that clones share it. `INTERNS_TEST_CACHE`
 * names another one.
 */
export function cacheFolder(): string {
  const { INTERNS_TEST_CACHE: chosen, XDG_CACHE_HOME: caches } = process.env;
  return path.resolve(
    chosen ?? path.join(caches ?? path.join(homedir(), '.cache'), 'interns-vscode'),
  );
}

/** A folder that is removed on dispose, and at the latest when this process exits. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

const temporaryFolders = new Set<string>();
process.on('exit', () => {
  for (const folder of temporaryFolders) {
    try {
      rmSync(folder, removal);
    } catch (error) {
      console.error(error);
    }
  }
});

/** Removal that copes with a process still writing its last lines there, waiting 100 ms between tries. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };

/** Makes a folder of its own under the system's temporary folder. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interns-'));
  temporaryFolders.add(folder);
  return {
    path: folder,
    [Symbol.asyncDispose]: async () => {
      await rm(folder, removal);
      temporaryFolders.delete(folder);
    },
  };
}
