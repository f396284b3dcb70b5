import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../../src/conversation/attachments.ts';
import { addCommands } from '../../../../src/features/chatPanel/commands/addCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

describe('adding the selection of a terminal', () => {
  const stub = useStubs();

  it('an image on the clipboard stays if nothing is selected in the terminal', async () => {
    const written: string[] = [];
    // An image has no text.
    const readText = () => Promise.resolve(written.at(-1) ?? '');
    const writeText = (text: string) => Promise.resolve(void written.push(text));
    stub(vscode.env, { clipboard: { readText, writeText } });
    stub(vscode.window, { activeTerminal: { name: 'build' } });
    stub(vscode.commands, { executeCommand: () => Promise.resolve() });
    const add = addCommands['interns.sendSelection'];
    const adding = add({} as ChatCommandPorts, { kind: 'terminal' });
    await assert.rejects(adding, { message: 'Select text in an editor or a terminal first.' });
    assert.deepEqual(written, []);
  });

  for (const selected of ['npm test', undefined])
    it(`the clipboard stays the same after two additions at once of ${selected ?? 'nothing'}`, async () => {
      const clipboard = stubClipboard(stub, 'mine');
      stub(vscode.window, { activeTerminal: { name: 'build' } });
      const added: string[] = [];
      const adding: Promise<void>[] = [];
      const context = { add: ({ text }: ContextItem) => added.push(text) };
      const page = { surface: { visible: true }, open: { conversation: { id: 'c1' } } };
      const ports = {
        contexts: { for: () => context },
        pages: { lastUsedPage: page, showFromAnyAccount: () => Promise.resolve() },
      } as unknown as ChatCommandPorts;
      const add = () =>
        adding.push(addCommands['interns.sendSelection'](ports, { kind: 'terminal' }));
      const executeCommand = () => {
        if (adding.length === 1) add();
        clipboard.text = selected ?? clipboard.text;
        return Promise.resolve();
      };
      stub(vscode.commands, { executeCommand });
      add();
      // The first addition starts the second.
      await Promise.allSettled(adding);
      await Promise.allSettled(adding);
      assert.equal(adding.length, 2);
      assert.equal(clipboard.text, 'mine');
      assert.deepEqual(added, selected === undefined ? [] : [selected, selected]);
    });
});
