import type { Event } from '../../base/event.ts';

/** A set of records by id that all windows share. */
export interface Collection<T> {
  /** Every record, ordered by id. The first call reads the disk; later ones answer from memory. */
  list(): Promise<readonly T[]>;

  get(id: string): Promise<T | undefined>;

  /** Adds a record, or replaces the one with its id. */
  put(record: T): Promise<void>;

  /**
   * Replaces a record by what `change` makes of it: nothing where it returns undefined. `change` sees undefined where
   * there is no such record. Changes made in this window follow each other; of two windows the later one wins.
   *
   * @returns The record as it is now.
   */
  update(id: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined>;

  /** Removes a record. Returns whether there was one. */
  remove(id: string): Promise<boolean>;

  /** Records were added, replaced or removed, here or in another window. */
  readonly onDidChange: Event<void>;
}
