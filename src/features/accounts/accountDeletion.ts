import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../platform/log/log.ts';
import {
  fileExists,
  fileNamesIn,
  PRIVATE_FILE_MODE,
  removeFile,
} from '../../platform/storage/files.ts';
import { accountsDir } from '../../platform/storage/layout.ts';

/** Extension of an empty file beside the folder of an account, while the folder is deleted. */
const DELETION_EXTENSION = '.deleted';

/**
 * Notes that an account's data is deleted once its record is removed, so that {@link finishDeletions} can finish that.
 *
 * @param root absolute path of the account's folder
 */
export async function markDeletion(root: string, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await writeFile(root + DELETION_EXTENSION, '', { mode: PRIVATE_FILE_MODE });
  } catch (failure) {
    // A full disk must not prevent the deletion, which frees space.
    log.warn('The data of an account could not be marked for deletion', failure);
  }
}

/** Deletes the data of an account that has no record anymore. */
export async function deleteAccountData(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
  await removeFile(root + DELETION_EXTENSION);
}

/** Finishes the deletions that a crash interrupted. Does not reject if the disk fails. */
export async function finishDeletions(storageRoot: string, log: Pick<Log, 'warn'>): Promise<void> {
  const folder = accountsDir(storageRoot);
  try {
    for (const name of await fileNamesIn(folder)) {
      // A file with no other name would stand for the folder of all accounts.
      if (!name.endsWith(DELETION_EXTENSION) || name === DELETION_EXTENSION) continue;
      const root = join(folder, name.slice(0, -DELETION_EXTENSION.length));
      // With a record, the user is still signed in, and can sign out again.
      if (await fileExists(`${root}.json`)) await removeFile(root + DELETION_EXTENSION);
      else await deleteAccountData(root);
    }
  } catch (failure) {
    log.warn('The data of an account could not be deleted', failure);
  }
}
