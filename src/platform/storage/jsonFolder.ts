import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import * as v from 'valibot';
import { DisposableBase, type Disposable, Emitter } from '../../base/disposable.ts';
import { isObject, parseJson } from '../../base/json.ts';
import {
  ifExists,
  makeFolder,
  readText,
  readTextSync,
  removeFile,
  removeStale,
  replaceText,
  TEMPORARY_EXTENSION,
} from './files.ts';
import { toFileName } from './layout.ts';
import { UnreadableFileError, type ReportUnreadable } from './unreadable.ts';
import type { WatchFolder } from './watch.ts';

/** The version written into new records. A record that another version wrote keeps its number. */
export const RECORD_VERSION = 1;

/**
 * How long files are read before other work gets a turn, in ms. Many small files are read synchronously, which takes a
 * fifth of the time: half a second less for 5,000 records.
 */
const MAX_TURN_MS = 8;

export interface JsonFolderOptions<T> {
  /** Absolute path; created on first use. */
  readonly folder: string;
  /** The known fields. Others are kept when a record is written. */
  readonly schema: v.GenericSchema<unknown, T>;
  readonly idOf: (record: T) => string;
  /** Extension of the files; default `.json`. */
  readonly extension?: string;
  /** True if records can be made again, so that a damaged file is not reported. */
  readonly canBeRemade?: boolean;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
}

interface Stored<T> {
  readonly text: string;
  readonly record: T;
  readonly fields: object;
}

export type Collection<T> = Pick<
  JsonFolder<T>,
  'list' | 'get' | 'put' | 'update' | 'remove' | 'onDidChange'
>;

/**
 * Records by ID, shared by all windows. Each is one JSON file, so that windows don't overwrite each other's records.
 *
 * A damaged file, which is not JSON, is reported and counts as missing. It can be replaced and removed. Another file that
 * is not a readable record (a copy under another name, of a later version, a folder) is reported and left alone: it is
 * not listed, replaced or removed.
 */
export class JsonFolder<T> extends DisposableBase {
  readonly #options: JsonFolderOptions<T>;
  readonly #extension: string;
  readonly #changed = this.own(new Emitter<void>());
  readonly #queues = new Map<string, LimitFunction>();
  /** Records by file name. The first {@link list} fills it, and it is kept up to date from then on. */
  readonly #stored = new Map<string, Stored<T>>();
  readonly #unreadable = new Set<string>();
  readonly #dirty = new Set<string>();
  #loading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #watcher: Disposable | undefined;
  #sorted: readonly T[] | undefined;

  /** Fires when records were added, replaced or removed, in this window or another. */
  readonly onDidChange = this.#changed.event;

  constructor(options: JsonFolderOptions<T>) {
    super();
    this.#options = options;
    this.#extension = options.extension ?? '.json';
  }

  /** Returns every record, ordered by ID. The first call reads the disk; later ones use memory. */
  async list(): Promise<readonly T[]> {
    await this.#load();
    const { idOf } = this.#options;
    this.#sorted ??= this.known.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    return this.#sorted;
  }

  /** The records in memory: all of them after {@link list}, none before. */
  get known(): readonly T[] {
    return [...this.#stored.values()].map(({ record }) => record);
  }

  async get(id: string): Promise<T | undefined> {
    const file = this.#fileOf(id);
    if (this.#loading === undefined) return (await this.#read(file))?.record;
    await this.#loading;
    return this.#stored.get(file)?.record;
  }

  /** Reads a record synchronously; undefined if it cannot be read. */
  getSync(id: string): T | undefined {
    const file = this.#fileOf(id);
    return this.#parse(file, readTextSync(this.#pathOf(file)))?.record;
  }

  /** Adds a record, or replaces the one with its ID. @throws UnreadableFileError */
  async put(record: T): Promise<void> {
    await this.update(this.#options.idOf(record), () => record);
  }

  /**
   * Replaces a record by the result of `change`, unless that is undefined. Changes of this window run one after the
   * other; of two windows, the later one wins. Returns the current record.
   *
   * @throws UnreadableFileError
   */
  async update(
    id: string,
    change: (current: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const file = this.#fileOf(id);
    return this.#inOrder(file, async () => {
      const current = await this.#read(file);
      if (this.#unreadable.has(file)) throw new UnreadableFileError(this.#pathOf(file));
      const record = change(current?.record);
      if (record === undefined) return current?.record;
      const written = withUnknownFields(current?.fields, current?.record, record) as object;
      const fields = { version: RECORD_VERSION, ...written };
      const text = `${JSON.stringify(fields, undefined, 2)}\n`;
      if (text !== current?.text) await replaceText(this.#pathOf(file), text);
      this.#handleOwnWrite(file, { text, record, fields });
      return record;
    });
  }

  /** Removes a record. Returns whether there was one. */
  async remove(id: string): Promise<boolean> {
    const file = this.#fileOf(id);
    return this.#inOrder(file, async () => {
      await this.#read(file);
      if (this.#unreadable.has(file)) return false;
      const removed = await removeFile(this.#pathOf(file));
      if (removed) this.#handleOwnWrite(file, undefined);
      return removed;
    });
  }

  /** Reads the records again for changes that no watcher reported. Does nothing before the first {@link list}. */
  async refresh(): Promise<void> {
    if (this.#loading === undefined) return;
    await this.#loading;
    const names = await readdir(this.#options.folder);
    for (const file of this.#recordsIn(names)) this.#dirty.add(file);
    for (const file of this.#stored.keys()) this.#dirty.add(file);
    await this.#readDirty();
  }

  /** Reads the folder once. Watching starts before, so that no change is missed. */
  async #load(): Promise<void> {
    this.#loading ??= this.#loadAll().catch((failure: unknown) => {
      this.#loading = undefined;
      throw failure;
    });
    await this.#loading;
  }

  async #loadAll(): Promise<void> {
    const { folder, watch } = this.#options;
    await makeFolder(folder);
    this.#watcher ??= this.own(watch(folder, (file) => this.#handleFileChange(file)));
    const names = await readdir(folder);
    await this.#forEach(this.#recordsIn(names), async (file) =>
      this.#store(file, await this.#readFast(file)),
    );
    for (const name of names)
      // If it cannot be removed now, the next window tries again.
      if (name.endsWith(TEMPORARY_EXTENSION))
        removeStale(join(folder, name)).catch(() => undefined);
  }

  /** Calls `use` for each file, and lets other work run every {@link MAX_TURN_MS}. */
  async #forEach(files: Iterable<string>, use: (file: string) => Promise<void>): Promise<void> {
    let turnEndsAt = performance.now() + MAX_TURN_MS;
    for (const file of files) {
      await use(file);
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + MAX_TURN_MS;
    }
  }

  #handleFileChange(file: string | undefined): void {
    if (file !== undefined && !file.endsWith(this.#extension)) return;
    if (file !== undefined) this.#dirty.add(file);
    const reading = file === undefined ? this.refresh() : this.#readDirty();
    // A sign-out may have deleted the folder.
    ifExists(reading).catch((failure: unknown) => {
      this.#options.reportUnreadable(this.#options.folder, failure);
    });
  }

  #readDirty(): Promise<void> {
    this.#refreshing ??= this.#drainDirty().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #drainDirty(): Promise<void> {
    await this.#loading;
    while (this.#dirty.size > 0) {
      const files = [...this.#dirty];
      this.#dirty.clear();
      let changes = 0;
      await this.#forEach(files, (file) =>
        this.#inOrder(file, async () => {
          const stored = await this.#readFast(file);
          if (stored?.text === this.#stored.get(file)?.text) return;
          this.#store(file, stored);
          changes += 1;
        }),
      );
      if (changes > 0) this.#changed.fire();
    }
  }

  /** Reads synchronously, which is faster; asynchronously if that fails. */
  async #readFast(file: string): Promise<Stored<T> | undefined> {
    const text = readTextSync(this.#pathOf(file));
    return text === undefined ? this.#read(file) : this.#parse(file, text);
  }

  async #read(file: string): Promise<Stored<T> | undefined> {
    try {
      return this.#parse(file, await readText(this.#pathOf(file)));
    } catch (failure) {
      this.#reportUnreadable(file, failure);
      // A network drive may fail for a moment.
      return this.#stored.get(file);
    }
  }

  #parse(file: string, text: string | undefined): Stored<T> | undefined {
    const stored = text === undefined ? undefined : this.#recordIn(file, text);
    if (stored !== undefined || text === undefined) this.#unreadable.delete(file);
    else if (parseJson(text) === undefined) this.#handleDamaged(file);
    else this.#reportUnreadable(file);
    return stored;
  }

  /** Handles a file that a power cut or the disk damaged. Nothing in it can be read by any version. */
  #handleDamaged(file: string): void {
    this.#unreadable.delete(file);
    const { canBeRemade, reportUnreadable } = this.#options;
    if (canBeRemade !== true) reportUnreadable(this.#pathOf(file));
  }

  #reportUnreadable(file: string, failure?: unknown): void {
    this.#unreadable.add(file);
    this.#options.reportUnreadable(this.#pathOf(file), failure);
  }

  /** Returns undefined for text that is not a record, or is the record of another file. */
  #recordIn(file: string, text: string): Stored<T> | undefined {
    const { schema, idOf } = this.#options;
    const fields = parseJson(text);
    const { success, output: record } = v.safeParse(schema, fields);
    if (!success || !isObject(fields) || this.#fileOf(idOf(record)) !== file) return undefined;
    return { text, record, fields };
  }

  #handleOwnWrite(file: string, stored: Stored<T> | undefined): void {
    const isSame = this.#stored.get(file)?.text === stored?.text;
    if (this.#loading !== undefined) {
      this.#store(file, stored);
      if (isSame) return;
    }
    this.#changed.fire();
  }

  #store(file: string, stored: Stored<T> | undefined): void {
    if (stored === undefined) this.#stored.delete(file);
    else this.#stored.set(file, stored);
    this.#sorted = undefined;
  }

  #recordsIn(names: readonly string[]): readonly string[] {
    return names.filter((name) => name.endsWith(this.#extension));
  }

  #fileOf(id: string): string {
    return toFileName(id) + this.#extension;
  }

  async #inOrder<R>(file: string, task: () => Promise<R>): Promise<R> {
    const queue = this.#queues.get(file) ?? pLimit(1);
    this.#queues.set(file, queue);
    try {
      return await queue(task);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) this.#queues.delete(file);
    }
  }

  #pathOf(file: string): string {
    return join(this.#options.folder, file);
  }
}

/**
 * Returns `next` with the fields, at any depth, that its file holds and this version does not know. They belong to a
 * later version.
 *
 * @param stored the parsed file
 * @param known the part of it that this version has read
 */
function withUnknownFields(stored: unknown, known: unknown, next: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(known) && Array.isArray(next))
    return next.map((item: unknown) => {
      const index = known.findIndex((before) => isSame(before, item));
      return index === -1 ? item : withUnknownFields(stored[index], known[index], item);
    });
  if (!isObject(stored) || !isObject(known) || !isObject(next)) return next;
  const written = Object.entries(next).map(([name, value]): [string, unknown] => [
    name,
    withUnknownFields(stored[name], known[name], value),
  ]);
  const unknown = Object.entries(stored).filter(
    ([name]) => !Object.hasOwn(known, name) && !Object.hasOwn(next, name),
  );
  return Object.fromEntries([...written, ...unknown]);
}

/** Compares items of a list by ID; items without one by content. */
function isSame(before: unknown, item: unknown): boolean {
  if (isObject(before) && isObject(item) && typeof item['id'] === 'string')
    return before['id'] === item['id'];
  return JSON.stringify(before) === JSON.stringify(item);
}
