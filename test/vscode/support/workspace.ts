import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Returns a folder for a suite in the workspace of the tests. */
export function folderOfTests(suite: string): vscode.Uri {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace, 'The tests need an open folder.');
  return vscode.Uri.joinPath(workspace.uri, suite);
}

/** Writes a file and creates its folders. */
export async function writeFile(
  folder: vscode.Uri,
  name: string,
  content: string | Uint8Array,
): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder, name);
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await vscode.workspace.fs.writeFile(uri, bytes);
  return uri;
}
