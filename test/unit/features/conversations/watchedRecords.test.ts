import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversations } from '../../../../src/features/conversations/conversations.ts';
import { UnreadableFileError } from '../../../../src/platform/storage/unreadable.ts';
import type { WatchFolder } from '../../../../src/platform/storage/watch.ts';
import { conversationOptions } from '../../support/accountWindow.ts';
import { useTemporaryFolder } from '../../support/folders.ts';

describe('watched records', () => {
  const folder = useTemporaryFolder();

  it('a damaged record is not watched after a window has tried to open it', async () => {
    let watchers = 0;
    const watch: WatchFolder = () => {
      watchers += 1;
      return { dispose: () => (watchers -= 1) };
    };
    const options = conversationOptions(folder.path, 'https://interns.example/api/v1', 'a');
    const { account } = options;
    const conversations = new Conversations({ ...options, watch });
    await mkdir(account.store.conversationsDir, { recursive: true });
    await writeFile(join(account.store.conversationsDir, 'damaged.jsonl'), 'damaged\n');
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(conversations.open(account, 'damaged'), UnreadableFileError);
    assert.equal(watchers, 0);
    conversations.dispose();
  });
});
