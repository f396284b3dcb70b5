import { mkdirSync, watch } from 'node:fs';
import { basename } from 'node:path';
import { DisposableStore, type Disposable, type Event } from '../../base/disposable.ts';
import type { Log } from '../log/log.ts';
import { PRIVATE_FOLDER_OPTIONS } from './files.ts';

/**
 * Watches the files directly in a folder for changes by any window, this one included. Creates the folder if needed.
 *
 * Calls back with the name of a file that may have been created, changed or deleted; with undefined if it may be any
 * file. Calls may repeat and come late.
 */
export type WatchFolder = (
  folder: string,
  onChange: (fileName: string | undefined) => void,
) => Disposable;

/**
 * Watches with Node's watcher: VS Code's starts later in another process and does not say when, so changes in between
 * would be missed. If a folder cannot be watched (a network drive, no watches left) or was removed, `onRefresh` counts as
 * a change.
 */
export function createFolderWatcher(
  log: Pick<Log, 'warn'>,
  onRefresh: Event<void>,
  watchPath = watch,
): WatchFolder {
  return (folder, onChange) => {
    const store = new DisposableStore();
    const followRefresh = (): void => {
      store.add(onRefresh(() => onChange(undefined)));
    };
    const handleFailure = (failure: unknown): void => {
      log.warn('A folder cannot be watched; it is read when the window gets the focus', failure);
      followRefresh();
    };
    try {
      mkdirSync(folder, PRIVATE_FOLDER_OPTIONS);
      const watcher = watchPath(folder, { persistent: false }, (event, fileName) => {
        onChange(fileName ?? undefined);
        // The folder itself was removed. The watcher would miss another one in its place.
        if (event !== 'rename' || basename(fileName ?? '') !== basename(folder)) return;
        watcher.close();
        followRefresh();
      });
      store.add({ dispose: () => watcher.close() });
      watcher.on('error', (failure) => {
        watcher.close();
        handleFailure(failure);
      });
    } catch (failure) {
      handleFailure(failure);
    }
    return store;
  };
}
