import * as vscode from 'vscode';
import type { UriTarget } from '../../platform/commands/ids.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { currentText, pickTextFile } from '../../platform/dialogs/takeText.ts';
import { UserError } from '../../platform/words/report.ts';
import { looksLikeAssignment } from './envFile.ts';

const ENV_PATTERN = '**/.env*';
const MAX_ENV_BYTES = 4_194_304;
const MAX_FILES_SHOWN = 50;
/** The largest file that gets a lightbulb: VS Code asks for it with every move of the cursor. */
const MAX_LIGHTBULB_BYTES = 65_536;

/**
 * Returns the text of the .env file that a command was called on, else of one that the user selects; undefined if the
 * user left.
 *
 * @throws UserError for a file that cannot be read.
 */
export async function envText(
  [target]: readonly UriTarget[],
  dialogs: Dialogs,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Import Vault Secrets');
  const row = (label: string, icon: string, value: vscode.Uri | undefined) => ({
    label,
    icon: new vscode.ThemeIcon(icon),
    value: { uri: value },
  });
  let uri = target && vscode.Uri.from(target);
  if (uri === undefined) {
    const picked = await dialogs.pick({
      title,
      placeholder: vscode.l10n.t('Select a .env file'),
      rows: [
        ...(await envFiles()).map((file) =>
          row(vscode.workspace.asRelativePath(file), 'file', file),
        ),
        row(vscode.l10n.t('Another file…'), 'folder-opened', undefined),
      ],
    });
    if (picked.kind !== 'value') return undefined;
    uri = picked.value.uri;
  }
  const text =
    uri === undefined
      ? await pickTextFile({ title, openLabel: vscode.l10n.t('Import'), maxBytes: MAX_ENV_BYTES })
      : await currentText(uri, MAX_ENV_BYTES);
  if (text?.ok === false) throw new UserError(text.error);
  return text?.value;
}

/** Lists the .env file of the active editor first, then those of the workspace. */
async function envFiles(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(
    ENV_PATTERN,
    '**/node_modules/**',
    MAX_FILES_SHOWN,
  );
  const document = vscode.window.activeTextEditor?.document;
  if (!document || vscode.languages.match({ pattern: ENV_PATTERN }, document) === 0) return found;
  return [document.uri, ...found.filter((uri) => uri.toString() !== document.uri.toString())];
}

/**
 * Offers to store a line of a .env file that reads like the assignment of a value, whatever its language. The file is
 * parsed only once the lightbulb is selected.
 */
export function registerEnvActions(): vscode.Disposable {
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (document, { start: { line } }) => {
      if (!looksLikeAssignment(document.lineAt(line).text)) return undefined;
      if (Buffer.byteLength(document.getText()) > MAX_LIGHTBULB_BYTES) return undefined;
      const title = vscode.l10n.t('Store in the vault…');
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      const target = { document: document.uri.toString(), line };
      action.command = { command: 'interns.storeEnvEntry', title, arguments: [target] };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ pattern: ENV_PATTERN }, provider, kinds);
}
