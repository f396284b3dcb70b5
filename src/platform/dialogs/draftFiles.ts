import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { readText, removeFile, replaceText } from '../storage/files.ts';
import { accountPaths } from '../storage/layout.ts';

/** Texts whose address names an account in its query, since that shows in no tab. */
export const DRAFT_SCHEME = 'interns-draft';

interface DraftFile {
  readonly text: string;
  /** Epoch ms. */
  readonly changedAt: number;
}

/** Where texts are kept. */
interface DraftStore {
  read(uri: vscode.Uri): Promise<DraftFile | undefined>;
  write(uri: vscode.Uri, text: string): Promise<unknown>;
  remove(uri: vscode.Uri): Promise<unknown>;
}

/**
 * Keeps one text in the folder of each account, so that a reload of the window loses nothing, and deleting the account
 * leaves nothing.
 *
 * @param storageRoot Absolute path of the extension's global storage.
 * @param workspace Names this workspace's folder among the drafts of an account.
 */
export function inAccounts(storageRoot: string, workspace: string): DraftStore {
  const pathOf = ({ query: account }: vscode.Uri) =>
    join(accountPaths(storageRoot, account).drafts, workspace, 'instructions.md');
  return {
    read: async (uri) => {
      const path = pathOf(uri);
      const text = await readText(path);
      return text === undefined ? undefined : { text, changedAt: (await stat(path)).mtimeMs };
    },
    write: (uri, text) => replaceText(pathOf(uri), text),
    remove: (uri) => removeFile(pathOf(uri)),
  };
}

/**
 * Keeps texts for as long as the window lives.
 *
 * @param now Epoch ms.
 */
export function inMemory(now: () => number): DraftStore {
  const kept = new Map<string, DraftFile>();
  return {
    read: (uri) => Promise.resolve(kept.get(uri.toString())),
    write: (uri, text) => {
      kept.set(uri.toString(), { text, changedAt: now() });
      return Promise.resolve();
    },
    remove: (uri) => {
      kept.delete(uri.toString());
      return Promise.resolve();
    },
  };
}

/**
 * Texts that are written in an editor for a dialog: files of a scheme of their own, which save without a word, where
 * untitled documents would nag.
 */
export class DraftFiles extends DisposableBase implements vscode.FileSystemProvider {
  readonly scheme: string;
  readonly #store: DraftStore;
  readonly #changed = this.own(new Emitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.#changed.event;

  constructor(scheme: string, store: DraftStore) {
    super();
    this.scheme = scheme;
    this.#store = store;
    this.own(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
  }

  async has(uri: vscode.Uri): Promise<boolean> {
    return (await this.#store.read(uri)) !== undefined;
  }

  watch(): vscode.Disposable {
    // Every change is made through this provider, which tells of it.
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, changedAt } = await this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: changedAt,
      mtime: changedAt,
      size: new TextEncoder().encode(text).byteLength,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#file(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await this.#store.write(uri, new TextDecoder().decode(content));
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    await this.#store.remove(uri);
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

  async #file(uri: vscode.Uri): Promise<DraftFile> {
    const file = await this.#store.read(uri);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}
