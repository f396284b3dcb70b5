import assert from 'node:assert/strict';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import type { InternPicker } from '../../../../src/features/interns/internPicker.ts';
import type { CommandId } from '../../../../src/platform/commands/ids.ts';
import { pickTarget } from '../../../../src/platform/dialogs/pickTargets.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

const NEW_ROW = 'New Conversation…';
const SHOW = { pressing: 'Show Conversation in Side Bar' };
const NEW = { pressing: 'New Conversation in Side Bar' };

describe('commands of the chat in the side bar', () => {
  /** Runs a command with a prompt. Returns the offered rows, the moved conversations and the filled composers. */
  async function run(script: readonly Move[], command: CommandId, heads = ['shown', 'other']) {
    const { accounts, registrar } = new FakeAccounts();
    const dialogs = new ScriptedDialogs(script);
    const moved: string[] = [];
    const composed: unknown[] = [];
    const opened = (id: string) => ({ conversation: { id } });
    const interns = () => Promise.resolve(['ada', 'bob'].map((value) => ({ label: value, value })));
    const picker: Pick<InternPicker, 'pick'> = {
      pick: ([target], title, button) =>
        pickTarget(dialogs, target?.intern, interns, { title, placeholder: '' }, button),
    };
    const ports = {
      accounts,
      dialogs,
      interns: { name: () => 'ada' },
      picker,
      conversations: {
        list: () => Promise.resolve(heads.map((id) => ({ id, title: id, intern: 'i', at: 1 }))),
        open: (_account: unknown, id: string) => Promise.resolve(opened(id)),
        create: (_account: unknown, intern: string) => opened(`new with ${intern}`),
      },
      pages: {
        sideBar: { page: { open: opened('shown') } },
        moveToSideBar: ({ conversation }: ReturnType<typeof opened>) => {
          moved.push(conversation.id);
          const postToPage = (_kind: string, { text }: { text: string }) => composed.push(text);
          return Promise.resolve({ postToPage });
        },
      },
    };
    registrar.register(chatCommands, ports as unknown as ChatCommandPorts);
    await registrar.run(command, [{ prompt: 'hello' }]);
    return { offered: dialogs.shown[0]?.rows, moved, composed };
  }

  it('the picker of the side bar offers all other conversations and a new one', async () => {
    const { offered, moved } = await run(['other'], 'interns.showInSideBar');
    assert.deepEqual([offered, moved], [[NEW_ROW, 'other'], ['other']]);
    const { moved: started } = await run([NEW_ROW, 'bob'], 'interns.showInSideBar');
    assert.deepEqual(started, ['new with bob']);
  });

  it('the picker of the side bar starts no conversation by itself', async () => {
    const { offered, moved } = await run([LEAVE], 'interns.showInSideBar', ['shown']);
    assert.deepEqual([offered, moved], [[NEW_ROW], []]);
  });

  for (const [command, script, id] of [
    ['interns.openChat', [SHOW, 'other'], 'other'],
    ['interns.openChat', [SHOW, NEW_ROW, 'bob'], 'new with bob'],
    ['interns.newConversation', [NEW, 'bob'], 'new with bob'],
  ] as const)
    it(`a button of ${command} opens ${id} in the side bar with the prompt`, async () => {
      const { moved, composed } = await run(script, command);
      assert.deepEqual([moved, composed], [[id], ['hello']]);
    });
});
