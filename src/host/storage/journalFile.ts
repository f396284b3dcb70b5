import type { Event } from '../../base/event.ts';

/** How the entries of a journal are written, one a line. */
export interface EntryCodec<T> {
  /** Undefined for a line that is torn or foreign, which is skipped. */
  readonly parse: (line: string) => T | undefined;
  /** One line, without its line break. */
  readonly format: (entry: T) => string;
}

/** A file of entries that is only ever appended to, by any number of windows. */
export interface Journal<T extends { readonly id: string }> {
  /** Every entry on disk, each id once, in the order of the file; then those that wait to be written. */
  read(): Promise<readonly T[]>;

  /** Adds an entry, which is on disk at most 250 ms later. One whose id is in the file already is not added again. */
  append(entry: T): void;

  /** Writes what waits. Returns whether everything is on disk now. */
  flush(): Promise<boolean>;

  /** Entries that another window appended. */
  readonly onDidAppendElsewhere: Event<readonly T[]>;

  /** Writing failed, or works again (undefined). Entries are kept in memory and tried again meanwhile. */
  readonly onDidChangeFailure: Event<Error | undefined>;

  /** Flushes, and lets go of the file. */
  close(): Promise<void>;
}
