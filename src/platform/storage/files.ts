import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFolderOf } from './layout.ts';

/** Milliseconds before each new attempt at something that another process holds for a moment; 1.3 s in all. */
const BUSY_DELAYS_MS = [10, 20, 40, 80, 160, 320, 640];

/** How long the removal of a folder may take, in ms, before a file that is missing is taken for removed alone. */
const SETTLED_MS = 200;

/** What Windows answers while a virus scanner, an indexer or another window has a file open. */
const BUSY_CODES: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** What was said is its user's alone: on a machine of many, others may not read the files or look into the folders. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Options for making a folder and those above it. */
export const privateFolder = { recursive: true, mode: PRIVATE_FOLDER } as const;

/** The platform's name of a failure, such as `ENOENT`. Undefined for what is no failure of the system. */
export function errorCode(failure: unknown): string | undefined {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string'
    ? failure.code
    : undefined;
}

/**
 * Does something to a file, again after a moment where another process holds it.
 *
 * @throws Whatever `operation` threw last.
 */
export async function retryBusy<T>(
  operation: () => Promise<T>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  for (const delay of BUSY_DELAYS_MS) {
    try {
      return await operation();
    } catch (failure) {
      if (!BUSY_CODES.has(errorCode(failure) ?? '')) throw failure;
      await wait(delay);
    }
  }
  return operation();
}

/**
 * Makes a folder and those above it. The folder of an account is made only beside the account's record: what comes late,
 * in this window or another, brings nothing back that went with a sign-out.
 *
 * @throws The system's error; ENOENT where the account is signed out and its folder gone.
 */
export async function makeFolder(folder: string): Promise<void> {
  const account = accountFolderOf(folder);
  if (account !== undefined && !(await isThere(account))) await access(`${account}.json`);
  await mkdir(folder, privateFolder);
}

/** Whether a path lies in the folder of an account that was signed out, and not on a disk that is gone. */
export async function isSignedOut(path: string): Promise<boolean> {
  const account = accountFolderOf(path);
  if (account === undefined || (await isThere(`${account}.json`))) return false;
  return isThere(dirname(account));
}

/**
 * Whether a file that is not there any more was removed, alone or with its account; otherwise its folder or its disk is
 * gone. Takes a moment: where somebody removes a whole folder, the files in it go first.
 */
export async function wasRemoved(path: string): Promise<boolean> {
  if (await isSignedOut(path)) return true;
  await sleep(SETTLED_MS);
  // The dot tells a folder from a file in its place.
  return (await isThere(`${dirname(path)}/.`)) && !(await isThere(path));
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The names in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return [];
    throw failure;
  }
}

/** The text of a file; undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await retryBusy(() => readFile(path, 'utf8'));
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return undefined;
    throw failure;
  }
}

/**
 * The text of a file, read without giving way to others: several times as fast as {@link readText} where the disk has it
 * at hand. Undefined where it cannot be had now, for whatever reason.
 */
export function readTextSync(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Replaces a file's text at once: a reader sees the old text or the new one, and a crash leaves one of them. */
export async function replaceText(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await makeFolder(dirname(path));
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: PRIVATE_FILE });
    await retryBusy(() => rename(temporary, path));
  } catch (failure) {
    await rm(temporary, { force: true });
    throw failure;
  }
}

/** Removes a file. Returns whether there was one. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await retryBusy(() => rm(path));
    return true;
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return false;
    throw failure;
  }
}
