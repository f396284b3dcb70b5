import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { parseApiRoot } from '../../src/api/index.ts';
import { internSchema, keyResponseSchema } from '../../src/api/schemas.ts';
import { accountIdOf, type InternRecord } from '../../src/features/accounts/records.ts';
import { replaceText } from '../../src/platform/storage/files.ts';
import { accountPaths, toFileName, type AccountPaths } from '../../src/platform/storage/layout.ts';

/** Where a key is signed in. */
export interface SignIn {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Puts an intern into the list that the extension keeps for the account of a key, as if it had been created there.
 * @param profile the folder of VS Code's profile: what `--user-data-dir` names.
 * @param intern the intern as the service sends it (interface: Intern).
 * @throws an Error where the service does not say whose the key is.
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
  // Before the first sign-in there is no account for which the extension itself would make the folder.
  await mkdir(interns, { recursive: true });
  await replaceText(path.join(interns, `${toFileName(record.id)}.json`), JSON.stringify(record));
}

/**
 * Where the extension keeps what it knows of the account of a key.
 * @param profile the folder of VS Code's profile: what `--user-data-dir` names.
 * @throws an Error where the service does not say whose the key is.
 */
export async function accountFolders(profile: string, signIn: SignIn): Promise<AccountPaths> {
  const storage = path.join(profile, 'User', 'globalStorage', 'intern-service.interns');
  return accountPaths(storage, await accountOf(signIn));
}

/** The id under which the extension keeps an account (interface: GET /key). */
async function accountOf({ baseUrl, apiKey }: SignIn): Promise<string> {
  const root = parseApiRoot(baseUrl);
  if (!root.ok) throw new Error(`${baseUrl} is no API root.`);
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${root.value}/key`, { headers });
  const { workspaceId, creatorUserId } = v.parse(keyResponseSchema, await response.json());
  return accountIdOf({ root: root.value, workspaceId, creatorUserId });
}
