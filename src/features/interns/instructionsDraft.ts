import * as vscode from 'vscode';
import { MAX_INSTRUCTIONS_CHARACTERS, measureText } from '../../api/index.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { WrittenText } from '../../platform/dialogs/draftEditor.ts';
import { DRAFT_SCHEME } from '../../platform/dialogs/draftFiles.ts';
import { formatNumber } from '../../platform/words/format.ts';

/** Shows instructions in an editor, and waits for how their writing ends. */
export type WriteInstructions = (text: string) => Promise<WrittenText>;

/** Where the instructions for an intern of an account are written. A query, since it shows in no tab. */
export function instructionsDraft(account: string): vscode.Uri {
  const title = vscode.l10n.t('Instructions of the new intern');
  return vscode.Uri.from({ scheme: DRAFT_SCHEME, path: `/${title}.md`, query: account });
}

/** Says in the status bar how long the instructions are that are being written. */
export function showInstructionsLength(): Disposable {
  const store = new DisposableStore();
  const { Right } = vscode.StatusBarAlignment;
  const item = store.add(vscode.window.createStatusBarItem('interns.instructions', Right, 100));
  item.name = vscode.l10n.t('Length of Instructions');
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== DRAFT_SCHEME) {
      item.hide();
      return;
    }
    const { characters, max, fit } = measureText(document.getText(), MAX_INSTRUCTIONS_CHARACTERS);
    item.text = vscode.l10n.t('{0} of {1} characters', formatNumber(characters), formatNumber(max));
    item.backgroundColor =
      fit === 'too-long' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.tooltip =
      fit === 'tight'
        ? vscode.l10n.t('The service may count some of these characters twice and refuse the text.')
        : vscode.l10n.t('Length of the instructions, and how long they may be');
    item.show();
  };
  store.add(vscode.window.onDidChangeActiveTextEditor(update));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === DRAFT_SCHEME) update();
    }),
  );
  update();
  return store;
}
