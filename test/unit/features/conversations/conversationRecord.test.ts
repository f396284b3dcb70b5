import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../../../../src/features/accounts/account.ts';
import {
  countRecords,
  recordPath,
} from '../../../../src/features/conversations/conversationRecord.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

describe('the records of conversations', () => {
  const folder = useTemporaryFolder();

  it('the count of conversations leaves out other files in their folder', async () => {
    const conversationsDir = join(folder.path, 'conversations');
    const account = { store: { conversationsDir } } as Account;
    assert.equal(await countRecords(account), 0);
    await mkdir(join(conversationsDir, 'heads'), { recursive: true });
    for (const id of ['one', 'two']) await writeFile(recordPath(account, id), '');
    await writeFile(join(conversationsDir, 'one.run'), '');
    assert.equal(await countRecords(account), 2);
  });
});
