import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addCommands } from '../../../../src/features/chatPanel/commands/addCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import { useStubs } from '../../support/stubEditor.ts';

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
});
