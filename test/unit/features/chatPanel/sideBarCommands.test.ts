import assert from 'node:assert/strict';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { registerChatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';

describe('the picker of the chat in the side bar', () => {
  let offered: readonly string[];
  let moved: string[];
  let run: (choice: string, heads?: readonly string[]) => Promise<void>;

  beforeEach(() => {
    offered = [];
    moved = [];
    run = async (choice, heads = ['shown', 'other']) => {
      const { accounts, log } = new FakeAccounts();
      const registrar = new CommandRegistrar(log, accounts);
      const opened = (id: string) => ({ conversation: { id } });
      const ports = {
        accounts,
        interns: { name: () => 'ada' },
        picker: { pick: () => Promise.resolve('intern_1') },
        dialogs: {
          pick: ({ rows }: { rows: readonly { label: string; value: unknown }[] }) => {
            offered = rows.map(({ label }) => label);
            const row = rows.find(({ label }) => label === choice);
            const chosen = row && { kind: 'value', value: row.value };
            return Promise.resolve(chosen ?? { kind: 'left' });
          },
        },
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
    };
  });

  it('the picker of the side bar offers all other conversations and a new one', async () => {
    await run('other');
    assert.deepEqual(offered, ['New Conversation…', 'other']);
    await run('New Conversation…');
    assert.deepEqual(moved, ['other', 'new with intern_1']);
  });

  it('the picker of the side bar starts no conversation by itself', async () => {
    await run('nothing', ['shown']);
    assert.deepEqual([offered, moved], [['New Conversation…'], []]);
  });
});
