import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('Ask Several Interns', () => {
  const stub = useStubs();
  /** The opened chats and the sent prompts, in order. */
  let done: string[];
  let dialogs: ScriptedDialogs;

  beforeEach(() => {
    done = [];
    stub(vscode.window, { tabGroups: { activeTabGroup: { viewColumn: 2 } } });
  });

  function ask(script: readonly Move[], listed: readonly string[], given: readonly string[] = []) {
    dialogs = new ScriptedDialogs(script);
    const ports = {
      accounts: new FakeAccounts().accounts,
      dialogs,
      picker: { rows: () => Promise.resolve(listed.map((id) => ({ label: id, value: id }))) },
      pages: {
        start: (_account: Account, intern: string, column: number) => {
          done.push(`${intern} in ${column}`);
          return {
            whenUp: () => Promise.resolve(void done.push(`${intern} is up`)),
            submit: (prompt: string) => Promise.resolve(void done.push(`${intern}: ${prompt}`)),
          };
        },
      },
    };
    const targets = given.map((intern) => ({ intern }));
    return chatCommands['interns.askSeveral'](ports as unknown as ChatCommandPorts, targets);
  }

  it('one prompt goes to each selected intern once their chats are open side by side', async () => {
    await ask([['a', 'c'], 'Hello'], ['a', 'b', 'c']);
    assert.deepEqual(done, ['a in 2', 'a is up', 'c in 3', 'a: Hello', 'c: Hello']);
  });

  it('asking selected interns opens no chat before the user enters the prompt', async () => {
    await ask([LEAVE], ['a', 'b'], ['b', 'a']);
    assert.deepEqual(done, []);
    await ask(['', 'x'.repeat(32_001), 'Hello'], ['a', 'b'], ['b', 'a']);
    assert.deepEqual(dialogs.shown[0]?.refusals.length, 2);
    assert.deepEqual(done, ['a in 2', 'a is up', 'b in 3', 'a: Hello', 'b: Hello']);
  });

  it('a prompt goes to two to nine interns, including the one it was called on', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => `i${index}`);
    await ask([['i0'], ten, ten.slice(0, 9), 'Hello'], ten, ['i3']);
    assert.deepEqual(dialogs.shown[0]?.refusals, [
      'Select at least two interns.',
      'Select at most 9 interns.',
    ]);
    const inLast = done.filter((each) => each.endsWith(' in 9'));
    assert.deepEqual(inLast, ['i7 in 9', 'i8 in 9']);
    await assert.rejects(ask([], ['a']), /only one intern/);
  });
});
