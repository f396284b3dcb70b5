import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

export const DRAFT_SCHEME = 'interns-draft';

interface DraftFile {
  readonly content: Uint8Array;
  readonly changedAt: number;
}

/**
 * Texts that are written in an editor for a dialog: files of a scheme of their own, which save without a word, where
 * untitled documents would nag. They are kept in the workspace's state, so that a reload of the window loses nothing.
 */
export class DraftFiles implements vscode.FileSystemProvider, Disposable {
  readonly #state: vscode.Memento;
  readonly #now: () => number;
  readonly #changed = new Emitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  readonly onDidChangeFile = this.#changed.event;

  /** @param now Epoch ms. */
  constructor(state: vscode.Memento, now: () => number) {
    this.#state = state;
    this.#now = now;
    this.#registration = vscode.workspace.registerFileSystemProvider(DRAFT_SCHEME, this, {
      isCaseSensitive: true,
    });
  }

  has(uri: vscode.Uri): boolean {
    return isKept(this.#state.get(keyOf(uri)));
  }

  watch(): vscode.Disposable {
    // Every change is made through this provider, which tells of it.
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { content, changedAt } = this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: changedAt,
      mtime: changedAt,
      size: content.byteLength,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#file(uri).content;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(content);
    await this.#state.update(keyOf(uri), { text, changedAt: this.#now() });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    await this.#state.update(keyOf(uri), undefined);
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #file(uri: vscode.Uri): DraftFile {
    const kept: unknown = this.#state.get(keyOf(uri));
    if (!isKept(kept)) throw vscode.FileSystemError.FileNotFound(uri);
    return { content: new TextEncoder().encode(kept.text), changedAt: kept.changedAt };
  }
}

function keyOf(uri: vscode.Uri): string {
  return `draft:${uri.path}?${uri.query}`;
}

function isKept(kept: unknown): kept is { readonly text: string; readonly changedAt: number } {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'text' in kept &&
    typeof kept.text === 'string' &&
    'changedAt' in kept &&
    typeof kept.changedAt === 'number'
  );
}
