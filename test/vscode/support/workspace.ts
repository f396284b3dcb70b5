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

/** A memento that lasts as long as it is held. */
export class MemoryMemento implements vscode.Memento {
  readonly #values = new Map<string, unknown>();

  readonly get = ((key: string, fallback?: unknown) =>
    this.#values.get(key) ?? fallback) as vscode.Memento['get'];

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    // What a real memento gives back has been through JSON.
    else this.#values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

/** How often a condition is looked at again, in ms. */
const pollMs = 25;

/** Waits for what VS Code brings about in its own time and tells no event of; the test's own limit ends it. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, pollMs));
}
