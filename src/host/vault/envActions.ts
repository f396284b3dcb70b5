import * as vscode from 'vscode';
import { keyOnLine } from './envFile.ts';
import { ENV_PATTERN } from './envSources.ts';

/** The lightbulb on a line of a .env file that assigns a value. */
class EnvActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): vscode.CodeAction[] | undefined {
    const { line } = range.start;
    const key = keyOnLine(document.lineAt(line).text);
    if (key === undefined) return undefined;
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
