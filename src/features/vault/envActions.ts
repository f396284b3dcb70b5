import * as vscode from 'vscode';
import { looksLikeAssignment } from './envFile.ts';
import { ENV_PATTERN } from './envSources.ts';

/** A file of more bytes than this gets no lightbulb: VS Code asks for it with every move of the cursor. */
const maxFileBytes = 65_536;

/**
 * Offers to store a line of a .env file that reads like the assignment of a value, of whatever language the editor takes
 * it for. The file is parsed only once the lightbulb is chosen.
 */
export function registerEnvActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (document, { start: { line } }) => {
      if (!looksLikeAssignment(document.lineAt(line).text)) return undefined;
      if (Buffer.byteLength(document.getText()) > maxFileBytes) return undefined;
      const title = vscode.l10n.t('Store in the vault…');
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = {
        command: 'interns.storeEnvEntry',
        title,
        arguments: [{ document: document.uri.toString(), line }],
      };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ pattern: ENV_PATTERN }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
