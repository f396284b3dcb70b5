import assert from 'node:assert/strict';
import {
  type ChatCommandPorts,
  conversationCommands,
} from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { ScriptedDialogs } from '../../support/scriptedDialogs.ts';

describe('the Open Recent Conversation command', () => {
  for (const [title, all, message] of [
    ['the command says that there are no conversations', [], /^There are no conversations yet\.$/],
    [
      'the command says that no conversation is listed',
      [{ conversation: 'elsewhere' }],
      /^No conversation is available for this command\.$/,
    ],
  ] as const)
    it(title, async () => {
      const ports = {
        accounts: { active: {} },
        interns: { list: () => Promise.resolve([]) },
        list: { load: () => Promise.resolve(), all, listed: [] },
        clock: { now: () => 0 },
        dialogs: new ScriptedDialogs([]),
      } as unknown as ChatCommandPorts;
      const opened = conversationCommands['interns.openRecent'](ports);
      await assert.rejects(opened, { name: 'UserError', message });
    });
});
