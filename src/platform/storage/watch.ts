import { mkdirSync, watch } from 'node:fs';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Log } from '../log/log.ts';
import { privateFolder } from './files.ts';

/**
 * Watches the files directly in a folder, which is made where it does not exist, for changes by anyone, this
 * window included.
 *
 * Calls back with the name of a file that may have been created, changed or deleted; with undefined where it may be any
 * of them. Calls may repeat and come late.
 */
export type WatchFolder = (
  folder: string,
  onChange: (fileName: string | undefined) => void,
) => Disposable;

/**
 * Watches with the platform's own watcher. VS Code's would do as well, but starts a moment later in another process and
 * does not say when: what another window writes in that moment would be missed.
 *
 * A folder that cannot be watched (a network drive, no watches left) is logged, and may have changed whenever the user
 * turns to this window.
 *
 * @param onDidTrigger The user turned to this window: the moment to look for changes where none are reported.
 */
export function createFolderWatcher(
  log: Pick<Log, 'warn'>,
  onDidTrigger: Event<void>,
  watchPath = watch,
): WatchFolder {
  return (folder, onChange) => {
    const store = new DisposableStore();
    const followTriggers = (failure: unknown): void => {
      log.warn('A folder cannot be watched; it is read again when its user comes back', failure);
      store.add(onDidTrigger(() => onChange(undefined)));
    };
    try {
      mkdirSync(folder, privateFolder);
      const watcher = watchPath(folder, { persistent: false }, (_event, fileName) =>
        onChange(fileName ?? undefined),
      );
      store.add({ dispose: () => watcher.close() });
      watcher.on('error', (failure) => {
        watcher.close();
        followTriggers(failure);
      });
    } catch (failure) {
      followTriggers(failure);
    }
    return store;
  };
}
