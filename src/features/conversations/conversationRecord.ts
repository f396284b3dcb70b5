import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatEntry, parseEntry, type JournalEntry } from '../../conversation/journal.ts';
import type { Account } from '../accounts/account.ts';
import { readText } from '../../platform/storage/files.ts';
import { Journal, type JournalOptions } from '../../platform/storage/journalFile.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { UnreadableFileError, type ReportUnreadable } from '../../platform/storage/unreadable.ts';

const EXTENSION = '.jsonl';

/** Where a conversation's entries are kept, a line each. */
export function recordPath(account: Account, id: string): string {
  return join(account.store.conversationsDir, `${toFileName(id)}${EXTENSION}`);
}

/** How many conversations of an account are on record; 0 where its folder cannot be read. */
export async function countRecords({ store }: Pick<Account, 'store'>): Promise<number> {
  try {
    // Beside the records lie their heads, and the owner of each run under way.
    const names = await readdir(store.conversationsDir);
    return names.filter((name) => name.endsWith(EXTENSION)).length;
  } catch {
    return 0;
  }
}

/** Reads a record once, without following it. Undefined where there is none. */
export async function readEntries(path: string): Promise<readonly JournalEntry[] | undefined> {
  const text = await readText(path);
  return text?.split('\n').flatMap((line) => parseEntry(line) ?? []);
}

/** Opens a record to be followed and added to; nothing is read or made yet. */
export function openRecord(
  path: string,
  {
    clock,
    watch,
    ready,
  }: Pick<Required<JournalOptions<JournalEntry>>, 'clock' | 'watch' | 'ready'>,
): Journal<JournalEntry> {
  return new Journal({
    path,
    clock,
    watch,
    ready,
    codec: { parse: parseEntry, format: formatEntry },
  });
}

/** Reads the entries of a record; undefined where there is none. */
export type ReadEntries = () => Promise<readonly JournalEntry[] | undefined>;

/**
 * Reads a record, and tells of one that cannot be read.
 *
 * @throws UnreadableFileError also where the record does not say whose conversation it is.
 */
export async function readableEntries(
  path: string,
  read: ReadEntries,
  reportUnreadable: ReportUnreadable,
): ReturnType<ReadEntries> {
  let failure: unknown;
  const entries = await read().catch((reason: unknown) => {
    failure = reason;
    return [];
  });
  if (entries === undefined || entries.some(({ type }) => type === 'opened')) return entries;
  reportUnreadable(path, failure);
  throw new UnreadableFileError(path);
}
