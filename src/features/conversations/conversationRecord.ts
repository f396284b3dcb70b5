import { join } from 'node:path';
import { parseEntry, type JournalEntry } from '../../conversation/journal.ts';
import type { Account } from '../accounts/account.ts';
import { fileNamesIn, readText, removeFile } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { UnreadableFileError, type ReportUnreadable } from '../../platform/storage/unreadable.ts';

const RECORD_EXTENSION = '.jsonl';

/** Returns the path of a conversation's record, which has one entry per line. */
export function recordPath(account: Account, id: string): string {
  return recordPathOf(account, toFileName(id));
}

/** @param name file name of the conversation's ID */
export function recordPathOf({ store }: Pick<Account, 'store'>, name: string): string {
  return join(store.paths.conversations, `${name}${RECORD_EXTENSION}`);
}

/** Returns the file names of the conversations of an account; none if its folder cannot be read. */
export async function recordNames({ store }: Pick<Account, 'store'>): Promise<readonly string[]> {
  const files = await fileNamesIn(store.paths.conversations).catch(() => []);
  const records = files.filter((file) => file.endsWith(RECORD_EXTENSION));
  return records.map((file) => file.slice(0, -RECORD_EXTENSION.length));
}

/** Removes the files of a conversation's drafts, of all workspaces. */
export async function removeDrafts({ store }: Account, conversation: string): Promise<void> {
  const { drafts } = store.paths;
  for (const workspace of await fileNamesIn(drafts))
    for (const name of await fileNamesIn(join(drafts, workspace)))
      // A crash may have left a second file, with another extension.
      if (name.startsWith(`${toFileName(conversation)}.`))
        await removeFile(join(drafts, workspace, name));
}

/** Reads a record, or its needed lines, once, without following it; undefined if there is none. */
export async function readEntries(
  path: string,
  isNeeded: (line: string) => boolean = () => true,
): Promise<readonly JournalEntry[] | undefined> {
  const text = await readText(path);
  return text?.split('\n').flatMap((line) => (isNeeded(line) ? (parseEntry(line) ?? []) : []));
}

/**
 * Returns the entries of a record that `reading` yields; undefined if there is no record. Reports an unreadable one.
 *
 * @throws UnreadableFileError also if there is no `opened` entry
 */
export async function readableEntries(
  path: string,
  reading: Promise<readonly JournalEntry[] | undefined>,
  reportUnreadable: ReportUnreadable,
): Promise<readonly JournalEntry[] | undefined> {
  let failure: unknown;
  const entries = await reading.catch((reason: unknown) => {
    failure = reason;
    return [];
  });
  if (entries === undefined || entries.some(({ type }) => type === 'opened')) return entries;
  reportUnreadable(path, failure);
  throw new UnreadableFileError(path);
}
