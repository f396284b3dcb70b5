import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { accountFolders } from '../../harness/seedIntern.ts';
import type { Service } from '../../service/service.ts';

/** Returns the records of all conversations of the account as JSON lines. */
export async function recorded(profile: string, service: Service): Promise<string> {
  const signIn = { baseUrl: service.url, apiKey: 'test-key-owner' };
  const { conversations } = await accountFolders(profile, signIn);
  const files = (await readdir(conversations)).filter((name) => name.endsWith('.jsonl'));
  const records = files.map((file) => readFile(path.join(conversations, file), 'utf8'));
  return (await Promise.all(records)).join('');
}
