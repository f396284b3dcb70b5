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

  it('underlines an invalid name in an intern file', async () => {
    const said = () => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    await eventually(() => said().some((text) => text.startsWith('A name starts with')));
  });
});
