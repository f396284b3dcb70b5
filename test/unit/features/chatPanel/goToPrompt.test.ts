import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

describe('the Go to Prompt command', () => {
  /** Runs the command in a conversation with these prompts. */
  async function go(texts: readonly string[], move: Move) {
    const entries = texts.map((text, index) => ({
      ...{ type: 'prompt', id: `p${index}`, at: index, run: `r${index}`, text, mode: 'manual' },
    }));
    const transcript = Transcript.fold(entries as Parameters<typeof Transcript.fold>[0]);
    const posted: unknown[] = [];
    const chat = {
      open: { conversation: { transcript } },
      postToPage: (...message: unknown[]) => posted.push(message),
    };
    const dialogs = new ScriptedDialogs([move]);
    const ports = { pages: { lastUsedPage: chat }, dialogs } as unknown as ChatCommandPorts;
    await chatCommands['interns.goToPrompt'](ports);
    return { box: dialogs.shown[0], posted, first: transcript.messages[0]?.id };
  }

  it('the list of prompts has the order sent, each prompt on one inert line', async () => {
    const { box, posted, first } = await go(['One\n$(zap) more', 'Two'], 'One');
    assert.deepEqual([box?.rows.length, box?.value], [2, 'Two']);
    assert.match(box?.rows[0] ?? '', /^One \$\u200b\(zap\) more$/);
    assert.deepEqual(posted, [['reveal', { message: first }]]);
  });

  it('the chat stays where it is when the user leaves the list of prompts', async () => {
    assert.deepEqual((await go(['One'], LEAVE)).posted, []);
    await assert.rejects(go([], LEAVE), /no messages yet/);
  });
});
