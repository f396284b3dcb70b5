import * as vscode from 'vscode';
import { entryOnLine } from './envFile.ts';
import { ENV_PATTERN } from './envSources.ts';

/** The lightbulb on a line of a .env file on which the assignment of a value begins. */
class EnvActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): vscode.CodeAction[] | undefined {
    const { line } = range.start;
    if (entryOnLine(document.getText(), line) === undefined) return undefined;
    const title = vscode.l10n.t('Store in the vault…');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = {
      command: 'interns.storeEnvEntry',
      title,
      arguments: [{ document: document.uri.toString(), line }],
    };
    return [action];
  }
}

/** Offers to store a line of a .env file, of whatever language the editor takes it for. */
export function registerEnvActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider({ pattern: ENV_PATTERN }, new EnvActions(), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
