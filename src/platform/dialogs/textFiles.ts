import * as vscode from 'vscode';
import { err, ok, type Result } from '../../base/result.ts';

/** Which file to ask for. */
interface TextFileRequest {
  readonly title: string;
  readonly openLabel: string;
  /** Files above this many bytes are not read. */
  readonly maxBytes: number;
}

/**
 * Asks for a file and reads it as UTF-8, wherever it lies; a byte order mark is dropped, all else is kept as it is.
 * Undefined where the user left; a sentence for a file that cannot be taken.
 */
export async function pickTextFile({
  title,
  openLabel,
  maxBytes,
}: TextFileRequest): Promise<Result<string, string> | undefined> {
  const picked = await vscode.window.showOpenDialog({ title, openLabel, canSelectMany: false });
  const uri = picked?.[0];
  return uri === undefined ? undefined : readTextFile(uri, maxBytes);
}

/** The text of a file as an editor has it, saved or not; else as {@link readTextFile} reads it. */
export async function currentText(
  uri: vscode.Uri,
  maxBytes: number,
): Promise<Result<string, string>> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  return open === undefined ? readTextFile(uri, maxBytes) : ok(open.getText());
}

/** Reads a file as {@link pickTextFile} does. */
async function readTextFile(uri: vscode.Uri, maxBytes: number): Promise<Result<string, string>> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return err(vscode.l10n.t('The file is too large.'));
    const bytes = await vscode.workspace.fs.readFile(uri);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (failure) {
    // A decoder's TypeError, or the file system's own error: neither says more than this to a user.
    return err(
      failure instanceof TypeError
        ? vscode.l10n.t('The file is not UTF-8 text.')
        : vscode.l10n.t('The file could not be read.'),
    );
  }
}

/** Closes the tabs of texts that are meant. One with unsaved text asks its user before it closes. */
export async function closeTextTabs(
  isMeant: (uri: vscode.Uri, isDirty: boolean) => boolean,
): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input, isDirty }) => input instanceof vscode.TabInputText && isMeant(input.uri, isDirty),
    );
  await vscode.window.tabGroups.close(tabs);
}
