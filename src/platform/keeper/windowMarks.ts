import { readdirSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { POLICY_FILE } from '../../streamKeeper/keeperMessages.ts';
import type { Log } from '../log/log.ts';
import {
  fileNamesIn,
  makeFolder,
  PRIVATE_FILE_MODE,
  removeFile,
  removeStale,
} from '../storage/files.ts';
import { toFileName } from '../storage/layout.ts';
import { createProcessMark, isAlive, readProcessMark } from '../storage/processMark.ts';

const MARK_EXTENSION = '.json';
/** Shortest time without a window that {@link unattendedSince} returns, in ms. A reload takes less. */
const MIN_UNATTENDED_MS = 60_000;

/**
 * Returns when the last window closed, epoch ms, if that was a minute ago or more. Undefined if a window is open or died
 * without removing its mark. Call it before {@link markWindow}.
 */
export function unattendedSince(folder: string): number | undefined {
  try {
    if (readdirSync(folder).some((name) => name.endsWith(MARK_EXTENSION))) return undefined;
    // The last change in the folder was the removal of the last mark.
    const { mtimeMs } = statSync(folder);
    return Date.now() - mtimeMs >= MIN_UNATTENDED_MS ? mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes a file by which keepers know that this window runs. Disposing removes the file. Also removes the files of windows
 * that have died, even if a power cut damaged them.
 */
export function markWindow(folder: string, window: string, log: Pick<Log, 'warn'>): Disposable {
  const path = join(folder, toFileName(window) + MARK_EXTENSION);
  let isDisposed = false;
  const write = async (): Promise<void> => {
    await makeFolder(folder);
    const text = JSON.stringify(await createProcessMark(window));
    await writeFile(path, text, { mode: PRIVATE_FILE_MODE });
    if (isDisposed) await removeFile(path);
    else await removeDead(folder);
  };
  const warn = (failure: unknown) => log.warn('Could not mark this window as running', failure);
  write().catch(warn);
  return {
    dispose: () => {
      isDisposed = true;
      try {
        // Synchronous, since the process may end now.
        rmSync(path, { force: true });
      } catch {
        // Windows may hold the file for a moment.
        removeFile(path).catch(warn);
      }
    },
  };
}

async function removeDead(folder: string): Promise<void> {
  for (const name of await fileNamesIn(folder)) {
    const path = join(folder, name);
    const mark = await readProcessMark(path);
    if (mark === undefined && name !== POLICY_FILE) await removeStale(path);
    if (mark !== undefined && !(await isAlive(mark))) await removeFile(path);
  }
}
