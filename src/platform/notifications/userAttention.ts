import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { markWindow } from '../keeper/windowMarks.ts';
import type { Log } from '../log/log.ts';
import {
  errorCode,
  makeFolder,
  fileNamesIn,
  PRIVATE_FILE_MODE,
  removeStale,
} from '../storage/files.ts';
import { toFileName } from '../storage/layout.ts';
import { isAnyAlive } from '../storage/processMark.ts';

interface UserAttentionOptions {
  /** Absolute path of a folder that all windows share. */
  readonly folder: string;
  readonly window: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Shares between windows which of them has the focus, and which shows a notification. */
export class UserAttention extends DisposableBase {
  readonly #options: UserAttentionOptions;
  readonly #focused: string;
  readonly #reserved: string;
  #mark: Disposable | undefined;
  #marks = 0;

  constructor(options: UserAttentionOptions) {
    super();
    this.#options = options;
    this.#focused = join(options.folder, 'focused');
    this.#reserved = join(options.folder, 'notified');
    this.own({ dispose: () => this.#mark?.dispose() });
    this.own(vscode.window.onDidChangeWindowState(({ focused }) => this.#setFocused(focused)));
    this.#setFocused(vscode.window.state.focused);
  }

  /** Returns whether no window has the focus. */
  async isAway(): Promise<boolean> {
    if (vscode.window.state.focused) return false;
    try {
      return !(await isAnyAlive(this.#focused));
    } catch (failure) {
      this.#options.log.warn('Could not read which window has the focus', failure);
      return true;
    }
  }

  /** Reserves a notification. Returns true in the first window that calls this for an ID, and in all if the disk fails. */
  async reserve(id: string): Promise<boolean> {
    try {
      await makeFolder(this.#reserved);
      const path = join(this.#reserved, toFileName(id));
      await writeFile(path, '', { flag: 'wx', mode: PRIVATE_FILE_MODE });
      // The questions of earlier days are over.
      for (const name of await fileNamesIn(this.#reserved))
        await removeStale(join(this.#reserved, name));
    } catch (failure) {
      if (errorCode(failure) === 'EEXIST') return false;
      this.#options.log.warn('Could not tell other windows of a notification', failure);
    }
    return true;
  }

  #setFocused(focused: boolean): void {
    if (focused === (this.#mark !== undefined)) return;
    this.#mark?.dispose();
    this.#mark = undefined;
    if (!focused) return;
    const { window, log } = this.#options;
    // Each mark has a file of its own, since the one before may still be written.
    this.#marks += 1;
    this.#mark = markWindow(this.#focused, `${window}-${this.#marks}`, log);
  }
}
