import { mkdirSync, watch } from 'node:fs';
import type { Log } from '../log/log.ts';
import { privateFolder } from './files.ts';
import type { WatchFolder } from './watch.ts';

/**
 * Watches with the platform's own watcher. VS Code's would do as well, but starts a moment later in another process and
 * does not say when: what another window writes in that moment would be missed.
 *
 * A folder that cannot be watched (a network drive, no watches left) is logged, and its changes come with the next
 * refresh.
 */
export function createFolderWatcher(log: Pick<Log, 'warn'>): WatchFolder {
  return (folder, onChange) => {
    try {
      mkdirSync(folder, privateFolder);
      const watcher = watch(folder, { persistent: false }, (_event, fileName) => {
        if (fileName !== null) onChange(fileName);
      });
      watcher.on('error', (failure) => {
        log.warn('A folder can no longer be watched', failure);
        watcher.close();
      });
      return {
        dispose: () => {
          watcher.close();
        },
      };
    } catch (failure) {
      log.warn('A folder cannot be watched', failure);
      return { dispose: () => undefined };
    }
  };
}
