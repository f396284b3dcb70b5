import { mkdirSync, watch } from 'node:fs';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Log } from '../log/log.ts';
import { privateFolder } from './files.ts';
import type { WatchFolder } from './watch.ts';

/** What a folder watcher is made of. */
export interface FolderWatcherPorts {
  readonly log: Pick<Log, 'warn'>;
  /** The user turned to this window: the moment to look for changes where none are told. */
  readonly onDidGlance: Event<void>;
  /** The platform's watcher. */
  readonly watch?: typeof watch;
}

/**
 * Watches with the platform's own watcher. VS Code's would do as well, but starts a moment later in another process and
 * does not say when: what another window writes in that moment would be missed.
 *
 * A folder that cannot be watched (a network drive, no watches left) is logged, and may have changed whenever the user
 * turns to this window.
 */
export function createFolderWatcher(ports: FolderWatcherPorts): WatchFolder {
  const { log, onDidGlance, watch: watchPath = watch } = ports;
  return (folder, onChange) => {
    const store = new DisposableStore();
    const lookInstead = (failure: unknown): void => {
      log.warn('A folder cannot be watched; it is read again when its user comes back', failure);
      store.add(onDidGlance(() => onChange(undefined)));
    };
    try {
      mkdirSync(folder, privateFolder);
      const watcher = watchPath(folder, { persistent: false }, (_event, fileName) =>
        onChange(fileName ?? undefined),
      );
      store.add({ dispose: () => watcher.close() });
      watcher.on('error', (failure) => {
        watcher.close();
        lookInstead(failure);
      });
    } catch (failure) {
      lookInstead(failure);
    }
    return store;
  };
}
