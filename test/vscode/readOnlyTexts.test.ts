import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ReadOnlyTexts } from '../../src/platform/dialogs/readOnlyTexts.ts';
import { eventually } from '../harness/until.ts';

describe('read-only texts', () => {
  let texts: ReadOnlyTexts;
  const shown = () =>
    vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === 'interns-test-text',
    );

  beforeEach(() => {
    texts = new ReadOnlyTexts('interns-test-text');
  });

  afterEach(async () => {
    texts.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('the user cannot edit a read-only text', async () => {
    await texts.show('1', 'Prompt for a/b', 'short');
    const editor = shown();
    assert.equal(editor?.document.getText(), 'short');
    await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(editor.document.getText(), 'short');
    await texts.forget('1');
    await eventually(() => shown() === undefined);
    assert.equal(texts.wasReadToEnd('1'), false);
  });

  it('a read-only text counts as read at once if all of it is visible', async () => {
    await texts.show('1', 'Short', 'short');
    await eventually(() => texts.wasReadToEnd('1'));
  });

  for (const [name, text] of [
    ['many lines', `${'line\n'.repeat(2_000)}end`],
    ['one line', 'word '.repeat(6_000)],
  ] as const)
    it(`a read-only text counts as read only after its end was visible (${name})`, async () => {
      await texts.show('1', 'Long', text);
      await eventually(() => (shown()?.visibleRanges.length ?? 0) > 0);
      assert.equal(texts.wasReadToEnd('1'), false);
      const editor = shown();
      assert.ok(editor);
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      await vscode.commands.executeCommand('cursorBottom');
      await eventually(() => texts.wasReadToEnd('1'));
    });
});
