import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { parseServiceUrl } from '../../src/api/index.ts';
import { internSchema, keyResponseSchema } from '../../src/api/schemas.ts';
import { accountIdOf, type InternRecord } from '../../src/features/accounts/records.ts';
import type { ConversationHead } from '../../src/features/conversations/heads.ts';
import { replaceText } from '../../src/platform/storage/files.ts';
import { accountPaths, toFileName, type AccountPaths } from '../../src/platform/storage/layout.ts';

export interface SignIn {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Adds an intern to the list of the account of a key, as if the extension had created it.
 * @param profile the folder of VS Code's profile, `--user-data-dir`
 * @param intern the intern as the service sends it (interface: Intern)
 * @throws Error if the service does not report the owner of the key
 */
export async function seedIntern(profile: string, signIn: SignIn, intern: unknown): Promise<void> {
  const { interns } = await accountFolders(profile, signIn);
  const created = v.parse(internSchema, intern);
  const now = Date.now();
  const record: InternRecord = {
    id: created.id,
    intern: created,
    origin: 'created',
    addedAt: now,
    status: created.status,
    statusAt: now,
    statusFrom: 'created',
    creation: null,
  };
  // Before the first sign-in, the extension has not made the folder.
  await mkdir(interns, { recursive: true });
  await replaceText(path.join(interns, `${toFileName(record.id)}.json`), JSON.stringify(record));
}

/** Adds conversations whose records hold no message. Returns the folder of their heads. */
export async function seedHeads(
  profile: string,
  signIn: SignIn,
  heads: readonly ConversationHead[],
): Promise<string> {
  const { conversations } = await accountFolders(profile, signIn);
  const folder = path.join(conversations, 'heads');
  await mkdir(folder, { recursive: true });
  for (const head of heads) {
    const name = toFileName(head.id);
    const opened = { type: 'opened', id: 'e1', at: head.at, intern: head.intern, mode: 'manual' };
    // Synchronous, since thousands of small files take a fraction of the time.
    writeFileSync(path.join(conversations, `${name}.jsonl`), `${JSON.stringify(opened)}\n`);
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(head));
  }
  return folder;
}

/**
 * Returns the folders of the account of a key.
 * @param profile the folder of VS Code's profile, `--user-data-dir`
 * @throws Error if the service does not report the owner of the key
 */
export async function accountFolders(profile: string, signIn: SignIn): Promise<AccountPaths> {
  const storage = path.join(profile, 'User', 'globalStorage', 'intern-service.interns');
  return accountPaths(storage, await accountOf(signIn));
}

/** The id of the account in the extension's storage (interface: GET /key). */
async function accountOf({ baseUrl, apiKey }: SignIn): Promise<string> {
  const root = parseServiceUrl(baseUrl);
  if (!root.ok) throw new Error(`${baseUrl} is no service URL.`);
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${root.value}/key`, { headers });
  const { workspaceId, creatorUserId } = v.parse(keyResponseSchema, await response.json());
  return accountIdOf({ root: root.value, workspaceId, creatorUserId });
}
