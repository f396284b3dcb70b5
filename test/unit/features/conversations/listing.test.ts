import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import {
  conversationCommands,
  type ChatCommandPorts,
} from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { recordPath } from '../../../../src/features/conversations/conversationRecord.ts';
import {
  openIn,
  startIn,
  talk,
  useConversationWindows,
  type ConversationWindow,
} from '../../support/conversationWindows.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';

describe('pinning and archiving conversations', () => {
  const { openWindow } = useConversationWindows();

  /** Runs a command for conversations. */
  async function run(
    { conversations, account }: ConversationWindow,
    command: 'interns.archiveConversation' | 'interns.pinConversation',
    ids: readonly string[],
  ): Promise<void> {
    const { registrar } = new FakeAccounts();
    const ports = { accounts: { active: account }, conversations, pages: {} };
    registrar.registerAll(conversationCommands, ports as unknown as ChatCommandPorts);
    const targets = ids.map((conversation) => ({ intern: 'intern_ada', conversation }));
    await registrar.run(command, [targets[0], targets]);
  }

  const listedIn = async ({ conversations, account }: ConversationWindow) =>
    (await conversations.list(account)).map(({ listed }) => listed);

  it('archived conversations are not kept open, and their records say that they are archived', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const [one, two] = [startIn(first), startIn(first)];
    for (const each of [one, two]) await talk(each, 'echo One', first.conversations);
    first.conversations.dispose();
    await run(second, 'interns.archiveConversation', [one.id, two.id]);
    assert.deepEqual(second.conversations.live, []);
    assert.deepEqual(await listedIn(second), ['archived', 'archived']);
    assert.equal((await openIn(second, one.id)).transcript.listedAs, 'archived');
    await run(second, 'interns.pinConversation', [one.id]);
    assert.equal((await openIn(second, one.id)).transcript.listedAs, 'pinned');
  });

  it('a conversation whose record is damaged can be archived', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const conversation = startIn(first);
    await talk(conversation, 'echo One', first.conversations);
    first.conversations.dispose();
    await writeFile(recordPath(first.account, conversation.id), 'damaged');
    await run(second, 'interns.archiveConversation', [conversation.id]);
    assert.deepEqual(await listedIn(second), ['archived']);
  });
});
