import * as vscode from 'vscode';
import type { UriTarget } from '../../platform/commands/ids.ts';
import type { Prompts } from '../../platform/dialogs/prompts.ts';
import { currentText, pickTextFile } from '../../platform/dialogs/textFiles.ts';
import { UserError } from '../../platform/words/report.ts';

const MAX_ENV_BYTES = 4_194_304;
const MAX_FILES_SHOWN = 50;

/** Files that a .env file is looked for in, and offers its lines in. */
export const ENV_PATTERN = '**/.env*';

/**
 * The text of the .env file that a command was called on, else of one that is picked; undefined where the user left.
 *
 * @throws UserError for a file that cannot be read.
 */
export async function envText(
  [target]: readonly UriTarget[],
  prompts: Prompts,
): Promise<string | undefined> {
  if (target !== undefined) return textOf(vscode.Uri.from(target));
  const title = vscode.l10n.t('Import Vault Secrets');
  const files = await envFiles();
  const picked = await prompts.pick<vscode.Uri | 'other'>({
    title,
    placeholder: vscode.l10n.t('Pick a .env file'),
    rows: [
      ...files.map((uri) => ({
        label: vscode.workspace.asRelativePath(uri),
        icon: new vscode.ThemeIcon('file'),
        value: uri,
      })),
      {
        label: vscode.l10n.t('Another file…'),
        icon: new vscode.ThemeIcon('folder-opened'),
        value: 'other' as const,
      },
    ],
  });
  if (picked.kind !== 'value') return undefined;
  if (picked.value !== 'other') return textOf(picked.value);
  const file = await pickTextFile({
    title,
    openLabel: vscode.l10n.t('Import'),
    maxBytes: MAX_ENV_BYTES,
  });
  if (file === undefined) return undefined;
  if (!file.ok) throw new UserError(file.error);
  return file.value;
}

/** The selected text of the active editor; empty where there is none. */
export function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.getText(editor.selection) ?? '';
}

/** The .env file of the active editor first, then those of the workspace. */
async function envFiles(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(
    ENV_PATTERN,
    '**/node_modules/**',
    MAX_FILES_SHOWN,
  );
  const document = vscode.window.activeTextEditor?.document;
  const isEnv =
    document !== undefined && vscode.languages.match({ pattern: ENV_PATTERN }, document) > 0;
  const active = isEnv ? document.uri : undefined;
  const others = found.filter((uri) => uri.toString() !== active?.toString());
  return active === undefined ? others : [active, ...others];
}

async function textOf(uri: vscode.Uri): Promise<string> {
  const text = await currentText(uri, MAX_ENV_BYTES);
  if (text.ok) return text.value;
  throw new UserError(text.error);
}
