import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../harness/until.ts';
import { folderOfTests, writeFile } from './support/workspace.ts';

describe('a .intern.json file in the editor', () => {
  const folder = folderOfTests('intern-file');
  let uri: vscode.Uri;

  before(async () => {
    uri = await writeFile(folder, 'ada.intern.json', '{\n  "name": "Ada Lovelace"\n}\n');
    await vscode.window.showTextDocument(uri);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('is checked by our schema, which is no file, so that what is wrong is underlined', async () => {
    const said = () => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    await eventually(() => said().some((text) => text.startsWith('A name starts with')));
  });

  it('explains and completes its fields', async () => {
    const at = new vscode.Position(1, 4);
    await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        at,
      );
      return hovers
        .flatMap(({ contents }) => contents)
        .some((text) => text instanceof vscode.MarkdownString && text.value.includes('Unique'));
    });
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      new vscode.Position(1, 2),
    );
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    for (const field of ['description', 'instructions', 'provision', 'workspace_id'])
      assert.ok(labels.includes(field), field);
  });
});
