import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { useFolder, writeFile } from './support/workspace.ts';

describe('the lightbulb of a .env file', () => {
  const folder = useFolder('env-file');

  /** Returns for each line whether storing is offered. */
  async function offers(name: string, text: string): Promise<readonly boolean[]> {
    const uri = await writeFile(folder, name, text);
    const { lineCount } = await vscode.workspace.openTextDocument(uri);
    const lines = Array.from({ length: Math.min(lineCount, 4) }, async (_, line) => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(line, 0, line, 0),
      );
      return actions.some(({ command }) => command?.command === 'interns.storeEnvEntry');
    });
    return await Promise.all(lines);
  }

  it('the lightbulb offers to store every line of a .env file that looks like an entry', async () => {
    const text = 'A="first\nB=inside\nend"\n# C=1';
    assert.deepEqual(await offers('.env.pieces', text), [true, true, false, false]);
  });

  it('the lightbulb offers nothing in a .env file over 64 KB', async () => {
    const padding = (bytes: number) => '#'.repeat(bytes - 'A=é\n'.length - 1);
    assert.deepEqual(await offers('.env.fits', `A=é\n${padding(65_536)}`), [true, false]);
    assert.deepEqual(await offers('.env.large', `A=é\n${padding(65_537)}`), [false, false]);
  });
});
