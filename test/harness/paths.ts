import { mkdtemp, rm } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** The root of the project: the extension's own development folder. */
export const projectFolder = path.resolve(import.meta.dirname, '../..');

/** Where builds, screens and the VSIX go; ignored by git. */
export const distFolder = path.join(projectFolder, 'dist');

export const vsixFile = path.join(distFolder, 'interns.vsix');

/** Where screenshots go: those that tests take, and those of a window whose test failed. */
export const screensFolder = path.join(distFolder, 'screens');

/**
 * Where the VS Codes are kept between runs: outside the project, so that every clone shares them.
 * `INTERNS_TEST_CACHE` names another folder.
 */
export function cacheFolder(): string {
  const { INTERNS_TEST_CACHE: chosen, XDG_CACHE_HOME: caches } = process.env;
  return path.resolve(
    chosen ?? path.join(caches ?? path.join(homedir(), '.cache'), 'interns-vscode'),
  );
}

/** A folder that is gone when it is disposed of, and at the latest when this process exits. */
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
