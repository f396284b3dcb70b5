import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { folderOfTests, writeFile } from './support/workspace.ts';

describe('the lightbulb of a .env file', () => {
  const folder = folderOfTests('env-file');

  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  /** Whether storing is offered on each line of a file. */
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

  it('parses nothing until it is chosen: it goes by the line alone, a piece of another value included', async () => {
    const text = 'A="first\nB=inside\nend"\n# C=1';
    assert.deepEqual(await offers('.env.pieces', text), [true, true, false, false]);
  });

  it('leaves files over 64 KB alone, counted in bytes', async () => {
    const padding = (bytes: number) => '#'.repeat(bytes - 'A=é\n'.length - 1);
    assert.deepEqual(await offers('.env.fits', `A=é\n${padding(65_536)}`), [true, false]);
    assert.deepEqual(await offers('.env.large', `A=é\n${padding(65_537)}`), [false, false]);
  });
});
