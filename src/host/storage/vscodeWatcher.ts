import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { WatchFolder } from './watch.ts';

/** Watches with VS Code's own watcher, which all windows and extensions share. */
export const watchFolder: WatchFolder = (folder, onChange) => {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '*');
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const tell = ({ path }: vscode.Uri): void => {
    onChange(basename(path));
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(tell),
    watcher.onDidChange(tell),
    watcher.onDidDelete(tell),
  );
};
