import assert from 'node:assert/strict';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { registerChatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

describe('the picker of the chat in the side bar', () => {
  /** Runs the command. Returns the offered rows and the moved conversations. */
  async function run(move: Move, heads = ['shown', 'other']) {
    const { accounts, registrar } = new FakeAccounts();
    const dialogs = new ScriptedDialogs([move]);
    const moved: string[] = [];
    const opened = (id: string) => ({ conversation: { id } });
    const ports = {
      accounts,
      dialogs,
      interns: { name: () => 'ada' },
      picker: { pick: () => Promise.resolve('intern_1') },
      conversations: {
        list: () => Promise.resolve(heads.map((id) => ({ id, title: id, intern: 'i', at: 1 }))),
        open: (_account: unknown, id: string) => Promise.resolve(opened(id)),
        create: (_account: unknown, intern: string) => opened(`new with ${intern}`),
      },
      pages: {
        sideBar: { page: { open: opened('shown') } },
        moveToSideBar: ({ conversation }: ReturnType<typeof opened>) =>
          Promise.resolve(void moved.push(conversation.id)),
      },
    };
    registerChatCommands(registrar, ports as unknown as ChatCommandPorts);
    await registrar.run('interns.showInSideBar', []);
    return { offered: dialogs.shown[0]?.rows, moved };
  }

  it('the picker of the side bar offers all other conversations and a new one', async () => {
    const { offered, moved } = await run('other');
    assert.deepEqual([offered, moved], [['New Conversation…', 'other'], ['other']]);
    assert.deepEqual((await run('New Conversation…')).moved, ['new with intern_1']);
  });

  it('the picker of the side bar starts no conversation by itself', async () => {
    const { offered, moved } = await run(LEAVE, ['shown']);
    assert.deepEqual([offered, moved], [['New Conversation…'], []]);
  });
});
