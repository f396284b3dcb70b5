import type { Disposable } from '../../base/disposable.ts';

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
