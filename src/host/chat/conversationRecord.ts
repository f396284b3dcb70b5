import { join } from 'node:path';
import { parseEntry, type Entry } from '../../chat/journal.ts';
import type { Account } from '../auth/account.ts';
import { readText } from '../storage/files.ts';
import { toFileName } from '../storage/layout.ts';

/** Where a conversation's entries are kept, a line each. */
export function recordPath(account: Account, id: string): string {
  return join(account.store.conversationsDir, `${toFileName(id)}.jsonl`);
}

/** Reads a record once, without following it. */
export async function readEntries(path: string): Promise<readonly Entry[]> {
  const text = (await readText(path)) ?? '';
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}
