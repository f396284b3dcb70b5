import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEntry, type Entry } from '../../chat/journal.ts';
import type { Account } from '../auth/account.ts';
import { readText } from '../storage/files.ts';
import { toFileName } from '../storage/layout.ts';

const EXTENSION = '.jsonl';

/** Where a conversation's entries are kept, a line each. */
export function recordPath(account: Account, id: string): string {
  return join(account.store.conversationsDir, `${toFileName(id)}${EXTENSION}`);
}

/** How many conversations of an account are on record; 0 where its folder cannot be read. */
export async function countRecords({ store }: Pick<Account, 'store'>): Promise<number> {
  try {
    // Beside the records lie their heads, and a lease for each run under way.
    const names = await readdir(store.conversationsDir);
    return names.filter((name) => name.endsWith(EXTENSION)).length;
  } catch {
    return 0;
  }
}

/** Reads a record once, without following it. */
export async function readEntries(path: string): Promise<readonly Entry[]> {
  const text = (await readText(path)) ?? '';
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}
