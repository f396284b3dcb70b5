import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** A folder of a suite's own inside the workspace that the tests are run in. */
export function folderOfTests(suite: string): vscode.Uri {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace, 'The tests need an open folder.');
  return vscode.Uri.joinPath(workspace.uri, suite);
}

/** Writes a file and makes the folders that it needs. */
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
