import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Returns a folder in the workspace for a suite, which is deleted after its last test. */
export function useFolder(suite: string): vscode.Uri {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(workspace, 'The tests need an open folder.');
  const folder = vscode.Uri.joinPath(workspace.uri, suite);
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));
  return folder;
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
