import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startIn, talk, useConversationWindows } from '../../support/conversationWindows.ts';

describe('drafts on disk', () => {
  const { openWindow } = useConversationWindows();

  it('deleting a conversation leaves no part of its drafts that a crash left', async () => {
    const window = openWindow('a');
    const { account, drafts } = window;
    const conversation = startIn(window);
    await talk(conversation, 'echo One', window.conversations);
    drafts.set(conversation.id, { text: 'private' });
    await drafts.flush();
    const folder = join(account.store.draftsDir, 'workspace-a');
    const [file = ''] = await readdir(folder);
    await writeFile(join(folder, `${file}.0123456789ab.tmp`), 'private');
    await writeFile(join(folder, 'another.json'), '{}');
    await drafts.forget(account, conversation.id);
    assert.deepEqual(await readdir(folder), ['another.json']);
  });
});
