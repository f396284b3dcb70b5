import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  access,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFolderOf } from './layout.ts';

/** Delays between attempts while another process holds a file, in ms; 1.3 s in all. */
const BUSY_DELAYS_MS = [10, 20, 40, 80, 160, 320, 640];

/** How long removing a folder may take, in ms. A file that is missing for longer was removed alone. */
const FOLDER_REMOVAL_TIMEOUT_MS = 200;

/** Age at which a file that nothing needs is removed, in ms: one day. */
const STALE_MS = 86_400_000;

/** Extension of a file that is written to replace another one. A crash may leave it. */
export const TEMPORARY_EXTENSION = '.tmp';

/** Errors on Windows while a virus scanner, an indexer or another window has a file open. */
const BUSY_CODES: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** Other users of the machine may not read conversations. */
export const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

export const PRIVATE_FOLDER_OPTIONS = { recursive: true, mode: PRIVATE_FOLDER_MODE } as const;

/** Returns the code of a system error, such as `ENOENT`; undefined for other errors. */
export function errorCode(failure: unknown): string | undefined {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string'
    ? failure.code
    : undefined;
}

/** Resolves to undefined if an operation fails because there is no such file, or with one of the given codes. */
export function ifExists<T>(
  operation: Promise<T>,
  codes: readonly string[] = ['ENOENT'],
): Promise<T | undefined> {
  return operation.catch((failure: unknown) => {
    if (!codes.includes(errorCode(failure) ?? '')) throw failure;
    return undefined;
  });
}

/** Runs a file operation, and tries again while another process holds the file. @throws its last error */
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
 * Runs an operation that reads a file; resolves to undefined if there is none. Tries again on Windows while another
 * process holds the file. Elsewhere, the same errors last: this user may not read the file.
 */
export function readIfExists<T>(
  read: () => Promise<T>,
  platform: NodeJS.Platform = process.platform,
): Promise<T | undefined> {
  return ifExists(platform === 'win32' ? retryBusy(read) : read());
}

/**
 * Creates a folder and its parents. The folder of an account is created only if the account's record exists, so that a
 * late write brings nothing back after a sign-out.
 *
 * @throws the system's error; ENOENT if the account is signed out and its folder is gone
 */
export async function makeFolder(folder: string): Promise<void> {
  const account = accountFolderOf(folder);
  if (account === undefined) {
    await mkdir(folder, PRIVATE_FOLDER_OPTIONS);
  } else if (folder !== account) {
    // One by one: if a sign-out removes the account meanwhile, its parents must not be created anew.
    await makeFolder(dirname(folder));
    await makeOneFolder(folder);
  } else if (!(await fileExists(account))) {
    await access(`${account}.json`);
    await makeOneFolder(account);
    // The sign-out may have come in between.
    await access(`${account}.json`).catch(async (failure: unknown) => {
      // Not recursive: a disk that failed for a moment may have hidden a folder that was there.
      await rmdir(account).catch(() => undefined);
      throw failure;
    });
  }
}

async function makeOneFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE });
  } catch (failure) {
    if (errorCode(failure) !== 'EEXIST') throw failure;
  }
}

/** Returns whether a path is in the folder of an account that was signed out. False if the disk is gone. */
export async function isSignedOut(path: string): Promise<boolean> {
  const account = accountFolderOf(path);
  if (account === undefined || (await fileExists(`${account}.json`))) return false;
  return fileExists(dirname(account));
}

/**
 * Returns whether a missing file was removed, alone or with its account. If not, its folder or its disk is gone. Waits
 * {@link FOLDER_REMOVAL_TIMEOUT_MS}, since removing a folder removes the files in it first.
 */
export async function wasRemoved(path: string): Promise<boolean> {
  if (await isSignedOut(path)) return true;
  await sleep(FOLDER_REMOVAL_TIMEOUT_MS);
  return (await isFolder(dirname(path))) && !(await fileExists(path));
}

/** Returns whether there is a file or folder that this user can reach. */
export async function fileExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Returns the names in a folder; none if there is no folder, or a file in its place. */
export async function fileNamesIn(folder: string): Promise<readonly string[]> {
  return (await ifExists(readdir(folder), ['ENOENT', 'ENOTDIR'])) ?? [];
}

/** Returns the text of a file; undefined if it does not exist. @throws the system's error */
export async function readText(path: string): Promise<string | undefined> {
  return readIfExists(() => readFile(path, 'utf8'));
}

/** Returns the text of a file, several times as fast as {@link readText}; undefined if it cannot be read. */
export function readTextSync(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Writes a file, and its folder if needed. A reader gets the old text or the new one, never a part of one, even after a
 * power cut. @throws the system's error
 */
export async function replaceText(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}${TEMPORARY_EXTENSION}`;
  await makeFolder(dirname(path));
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: PRIVATE_FILE_MODE, flush: true });
    await retryBusy(() => rename(temporary, path));
  } catch (failure) {
    // The first failure counts, even if this one fails too.
    await removeFile(temporary).catch(() => undefined);
    throw failure;
  }
}

/** Removes a file. Returns whether there was one. @throws the system's error */
export async function removeFile(path: string): Promise<boolean> {
  const removing = retryBusy(() => rm(path).then(() => true));
  return (await ifExists(removing)) ?? false;
}

/** Removes a file that nothing needs, unless it was changed in the last day. */
export async function removeStale(path: string): Promise<void> {
  // Another window may remove it first.
  const mtimeMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
  if (Date.now() - mtimeMs > STALE_MS) await removeFile(path);
}
