import assert from 'node:assert/strict';
import { composePrompt, type ContextItem } from '../../../../src/conversation/attachments.ts';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import { InternPicker } from '../../../../src/features/interns/internPicker.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

const continueInNew = chatCommands['interns.continueInNew'];
type Ports = Parameters<typeof continueInNew>[0];

describe('the Continue in New Conversation command', () => {
  /** Continues from a chat with the intern `bob`. Returns the boxes shown, the chats started, and what they have. */
  async function run(listed: readonly string[], moves: readonly Move[], index?: number) {
    const { accounts } = new FakeAccounts();
    const stage = Stage.asked('Hello');
    await stage.finish();
    const { transcript } = stage.conversation;
    const open = { account: accounts.active, conversation: stage.conversation };
    const started: string[] = [];
    const attached: [string, ContextItem][] = [];
    const interns = {
      name: (intern: string) => intern,
      list: () => Promise.resolve(listed.map((id) => ({ id, name: id, status: null }))),
    };
    const dialogs = new ScriptedDialogs(moves);
    const conversations = { counts: () => new Map() };
    const ports = {
      accounts,
      interns,
      picker: new InternPicker({
        interns,
        conversations,
        dialogs,
      } as unknown as ConstructorParameters<typeof InternPicker>[0]),
      pages: {
        lastUsedPage: { open },
        start: (_account: unknown, intern: string) => {
          started.push(intern);
          return { open: { conversation: { id: `new with ${intern}` } } };
        },
      },
      contexts: {
        for: (id: string) => ({ add: (item: ContextItem) => attached.push([id, item]) }),
      },
    } as unknown as Ports;
    const message = index === undefined ? undefined : transcript.messages[index]?.id;
    await continueInNew(ports, [{ message }]);
    return { boxes: dialogs.shown, started, attached, intern: transcript.intern };
  }

  it('the same intern is listed first, and the transcript is attached to the new draft', async () => {
    const { boxes, attached, intern } = await run(['ada', 'intern_1', 'cleo'], ['ada'], 0);
    assert.equal(boxes[0]?.rows[0], intern);
    const [[conversation, item] = []] = attached;
    assert.equal(conversation, 'new with ada');
    assert.ok(item);
    assert.match(composePrompt('', [item]).sent, /## You\n\nHello\n```$/);
  });

  it('a list of one intern asks nothing, and leaving the list starts nothing', async () => {
    const only = await run(['ada'], []);
    assert.deepEqual([only.boxes.length, only.started], [0, ['ada']]);
    assert.deepEqual((await run(['ada', 'bob'], [LEAVE])).started, []);
  });
});
