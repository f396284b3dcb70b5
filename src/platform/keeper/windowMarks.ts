import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { toDisposable, type Disposable } from '../../base/disposable.ts';
import { parseJson } from '../../base/json.ts';
import type { Log } from '../log/log.ts';
import {
  makeFolder,
  fileNamesIn,
  PRIVATE_FILE_MODE,
  readText,
  removeFile,
} from '../storage/files.ts';
import { toFileName } from '../storage/layout.ts';
import { isAlive, createProcessMark, processMark } from '../storage/processMark.ts';

/** Writes a file that shows keepers that this window runs, until disposed. Removes those of windows that have died. */
export function markWindow(folder: string, window: string, log: Pick<Log, 'warn'>): Disposable {
  const path = join(folder, `${toFileName(window)}.json`);
  let isDisposed = false;
  const write = async (): Promise<void> => {
    await makeFolder(folder);
    const text = JSON.stringify(await createProcessMark(window));
    await writeFile(path, text, { mode: PRIVATE_FILE_MODE });
    if (isDisposed) await removeFile(path);
    else await removeDead(folder);
  };
  write().catch((failure: unknown) => log.warn('Could not mark this window as running', failure));
  return toDisposable(() => {
    isDisposed = true;
    // At once, since the process may end now.
    rmSync(path, { force: true });
  });
}

/** Returns whether any window that still runs has such a file in a folder. */
export async function isAnyMarked(folder: string): Promise<boolean> {
  for (const name of await fileNamesIn(folder)) if (await isMarked(join(folder, name))) return true;
  return false;
}

async function removeDead(folder: string): Promise<void> {
  for (const name of await fileNamesIn(folder)) {
    const path = join(folder, name);
    if ((await isMarked(path)) === false) await removeFile(path);
  }
}

/** Returns whether the window of a file still runs; undefined if the file cannot be read. */
async function isMarked(path: string): Promise<boolean | undefined> {
  const { success, output } = v.safeParse(processMark, parseJson((await readText(path)) ?? ''));
  return success ? isAlive(output) : undefined;
}
