import * as vscode from 'vscode';
import { eventually } from '../harness/until.ts';
import { useFolder, writeFile } from './support/workspace.ts';

describe('a .intern.json file in the editor', () => {
  const folder = useFolder('intern-file');
  let uri: vscode.Uri;

  before(async () => {
    uri = await writeFile(folder, 'ada.intern.json', '{\n  "name": "Ada Lovelace"\n}\n');
    await vscode.window.showTextDocument(uri);
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('the editor underlines an invalid name in an intern file', async () => {
    const said = () => vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    await eventually(() => said().some((text) => text.startsWith('A name starts with')));
  });
});
