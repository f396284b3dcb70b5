import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RowDecorations } from '../../../../src/features/interns/rowDecorations.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('RowDecorations', () => {
  const stub = useStubs();

  it('an update draws only the rows whose decoration is another one', () => {
    stub(vscode.window, {
      registerFileDecorationProvider: () => ({ dispose: () => undefined }),
    });
    stub(vscode.Uri, { parse: (text: string) => text });
    const decorations = new RowDecorations('intern');
    const drawn: string[] = [];
    decorations.onDidChangeFileDecorations((uris) => drawn.push(uris.join(' ')));
    const failed = () => new vscode.FileDecoration('!', 'Failed', new vscode.ThemeColor('red'));
    decorations.update([
      ['ada', failed()],
      ['bob', failed()],
      ['eve', undefined],
    ]);
    decorations.update([
      ['ada', failed()],
      ['bob', new vscode.FileDecoration('?', 'Waiting')],
    ]);
    decorations.update([['bob', new vscode.FileDecoration('?', 'Waiting')]]);
    assert.deepEqual(drawn, [
      'interns:/intern/ada interns:/intern/bob',
      'interns:/intern/bob',
      'interns:/intern/ada',
    ]);
    decorations.dispose();
  });
});
