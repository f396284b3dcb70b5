import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { readText, removeFile, replaceText } from '../storage/files.ts';
import { accountPaths } from '../storage/layout.ts';

interface DraftFile {
  readonly text: string;
  /** Epoch ms. */
  readonly changedAt: number;
}

/**
 * Texts of dialogs in editor tabs. If the query of a URI names an account, the text is a file among the account's drafts:
 * it survives a reload and is deleted with the account. Others stay in memory, since values of answers must not be
 * stored. They are files because untitled documents would ask to be saved.
 */
export class DraftFiles extends DisposableBase implements vscode.FileSystemProvider {
  readonly scheme: string;
  readonly #pathOf: (account: string) => string;
  readonly #inMemory = new Map<string, DraftFile>();
  readonly #changed = this.own(new Emitter<vscode.FileChangeEvent[]>());

  readonly onDidChangeFile = this.#changed.event;

  /** @param storageRoot absolute path of the extension's global storage */
  constructor(storageRoot: string, workspace: string, scheme = 'interns-draft') {
    super();
    this.scheme = scheme;
    this.#pathOf = (account) =>
      join(accountPaths(storageRoot, account).drafts, workspace, 'instructions.md');
    this.own(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
  }

  async has(uri: vscode.Uri): Promise<boolean> {
    return (await this.#read(uri)) !== undefined;
  }

  watch(): vscode.Disposable {
    // This provider makes every change itself and reports it.
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, changedAt } = await this.#find(uri);
    const size = Buffer.byteLength(text);
    return { type: vscode.FileType.File, ctime: changedAt, mtime: changedAt, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#find(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await this.write(uri, new TextDecoder().decode(content));
  }

  async write(uri: vscode.Uri, text: string): Promise<void> {
    if (uri.query === '') this.#inMemory.set(uri.path, { text, changedAt: systemClock.now() });
    else await replaceText(this.#pathOf(uri.query), text);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    if (uri.query === '') this.#inMemory.delete(uri.path);
    else await removeFile(this.#pathOf(uri.query));
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

  async #read({ path, query: account }: vscode.Uri): Promise<DraftFile | undefined> {
    if (account === '') return this.#inMemory.get(path);
    const file = this.#pathOf(account);
    const text = await readText(file);
    return text === undefined ? undefined : { text, changedAt: (await stat(file)).mtimeMs };
  }

  async #find(uri: vscode.Uri): Promise<DraftFile> {
    const draft = await this.#read(uri);
    if (draft === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return draft;
  }
}
