import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './paths.ts';

/** Marks a folder of the cache as complete. */
const marker = '.complete';

/**
 * Returns the folder of the cache with the name `key`, and first makes it if it is missing.
 * The folder is made under another name and renamed when it is complete, so an interrupted run leaves nothing that
 * looks ready. Two runs at once each make one, and the first to finish wins.
 * @param key a file name that must change if the result of `make` changes
 * @param root the folder that holds the cache
 */
export async function cached(
  key: string,
  make: (folder: string) => Promise<void>,
  root = cacheFolder(),
): Promise<string> {
  const folder = path.join(root, key);
  if (await isComplete(folder)) return folder;
  await rm(folder, { recursive: true, force: true });
  await removeAbandoned(root, key);
  const partial = await mkdtemp(path.join(root, `${key}.partial-${process.pid}-`));
  try {
    await make(partial);
    await writeFile(path.join(partial, marker), '');
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await isComplete(folder))) throw error;
  }
  return folder;
}

async function isComplete(folder: string): Promise<boolean> {
  return await access(path.join(folder, marker)).then(
    () => true,
    () => false,
  );
}

/** Removes incomplete folders of processes that have ended. */
async function removeAbandoned(root: string, key: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const pid = /^\.partial-(\d+)-/.exec(name.startsWith(key) ? name.slice(key.length) : '')?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(path.join(root, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
