import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { accountFolders } from '../../harness/seedIntern.ts';
import type { Service } from '../../service/service.ts';

/** Returns the records of all conversations of the account as JSON lines. */
export async function recorded(profile: string, service: Service): Promise<string> {
  const { conversations } = await foldersOf(profile, service);
  const files = (await readdir(conversations)).filter((name) => name.endsWith('.jsonl'));
  const records = files.map((file) => readFile(path.join(conversations, file), 'utf8'));
  return (await Promise.all(records)).join('');
}

/** Returns the files of responses that are not on record yet. */
export async function keptResponses(profile: string, service: Service): Promise<string> {
  const { responses } = await foldersOf(profile, service);
  // A file may be gone by now.
  const files = (await readdir(responses)).map((file) =>
    readFile(path.join(responses, file), 'utf8').catch(() => ''),
  );
  return (await Promise.all(files)).join('');
}

function foldersOf(profile: string, service: Service): ReturnType<typeof accountFolders> {
  return accountFolders(profile, { baseUrl: service.url, apiKey: 'test-key-owner' });
}
