import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import * as v from 'valibot';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { parseJson } from '../../base/json.ts';
import { makeFolder, readText, readTextSync, removeFile, replaceText } from './files.ts';
import { toFileName } from './layout.ts';
import { UnreadableFileError, type ReportUnreadable } from './unreadable.ts';
import type { WatchFolder } from './watch.ts';

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

/** The version of the records that are written here. One that another version wrote keeps that version's. */
export const RECORD_VERSION = 1;

/**
 * How long many files are read before others have their turn, in ms: an asynchronous read of a small file takes five
 * times as long as a plain one, which makes a difference of half a second for 5,000 records.
 */
const TURN_MS = 8;

export interface JsonFolderOptions<T> {
  /** Absolute path; made when it is first read or written. */
  readonly folder: string;
  /** What this version reads of a record; what else stands in it is kept when it is written. */
  readonly schema: v.GenericSchema<unknown, T>;
  readonly idOf: (record: T) => string;
  /** How the names of its files end; `.json` unless said. */
  readonly extension?: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
}

/** A record as it was read. */
interface Stored<T> {
  /** Tells whether the file changed at all. */
  readonly text: string;
  readonly id: string;
  readonly record: T;
  /** All that the file holds. */
  readonly fields: object;
}

/**
 * A {@link Collection} kept as one JSON file a record, so that windows never overwrite each other's records.
 *
 * A file that cannot be read as a record of this collection (corrupt, a copy under another name, of a later version, a
 * folder) is told of and left: it is in no list, and neither replaced nor removed.
 */
export class JsonFolder<T> extends DisposableBase implements Collection<T> {
  readonly #options: JsonFolderOptions<T>;
  readonly #extension: string;
  readonly #changed = this.own(new Emitter<void>());
  /** Runs the work on each file one task at a time. */
  readonly #queues = new Map<string, LimitFunction>();
  /** By file name; filled by the first {@link list}, kept up to date from then on. */
  readonly #stored = new Map<string, Stored<T>>();
  /** Names of files that are there and cannot be read. */
  readonly #unreadable = new Set<string>();
  readonly #dirty = new Set<string>();
  #loading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #watched = false;
  #sorted: readonly T[] | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(options: JsonFolderOptions<T>) {
    super();
    this.#options = options;
    this.#extension = options.extension ?? '.json';
  }

  async list(): Promise<readonly T[]> {
    await this.#load();
    this.#sorted ??= [...this.#stored.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ record }) => record);
    return this.#sorted;
  }

  async get(id: string): Promise<T | undefined> {
    const file = this.#fileOf(id);
    if (this.#loading === undefined) return (await this.#read(file))?.record;
    await this.#loading;
    return this.#stored.get(file)?.record;
  }

  /** As {@link get}, without giving way to others; undefined also where the record cannot be had now. */
  getSync(id: string): T | undefined {
    const file = this.#fileOf(id);
    return this.#parse(file, readTextSync(this.#pathOf(file)))?.record;
  }

  async put(record: T): Promise<void> {
    await this.update(this.#options.idOf(record), () => record);
  }

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
      const fields = {
        version: RECORD_VERSION,
        ...(withUnknownFields(current?.fields, current?.record, record) as object),
      };
      const text = `${JSON.stringify(fields, undefined, 2)}\n`;
      if (text !== current?.text) await replaceText(this.#pathOf(file), text);
      this.#recordWrite(file, { text, id, record, fields });
      return record;
    });
  }

  async remove(id: string): Promise<boolean> {
    const file = this.#fileOf(id);
    return this.#inOrder(file, async () => {
      if ((await this.#read(file)) === undefined) return false;
      const removed = await removeFile(this.#pathOf(file));
      this.#recordWrite(file, undefined);
      return removed;
    });
  }

  async refresh(): Promise<void> {
    if (this.#loading === undefined) return;
    await this.#loading;
    for (const file of await this.#files()) this.#dirty.add(file);
    for (const file of this.#stored.keys()) this.#dirty.add(file);
    await this.#readDirty();
  }

  /** Reads the folder once. It is watched from before that on, so that no change falls in between. */
  async #load(): Promise<void> {
    this.#loading ??= this.#loadAll().catch((failure: unknown) => {
      this.#loading = undefined;
      throw failure;
    });
    await this.#loading;
  }

  async #loadAll(): Promise<void> {
    await makeFolder(this.#options.folder);
    this.#watch();
    await this.#forEach(await this.#files(), async (file) =>
      this.#store(file, await this.#readSoon(file)),
    );
  }

  /** Does something with many files, and gives way to others every {@link TURN_MS}. */
  async #forEach(files: Iterable<string>, use: (file: string) => Promise<void>): Promise<void> {
    let giveWayAt = performance.now() + TURN_MS;
    for (const file of files) {
      await use(file);
      if (performance.now() < giveWayAt) continue;
      await nextTurn();
      giveWayAt = performance.now() + TURN_MS;
    }
  }

  #watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    const onChange = (file: string | undefined): void => {
      if (file !== undefined && !file.endsWith(this.#extension)) return;
      this.#readAgain(file).catch((failure: unknown) => {
        this.#options.reportUnreadable(this.#options.folder, failure);
      });
    };
    this.own(this.#options.watch(this.#options.folder, onChange));
  }

  #readAgain(file: string | undefined): Promise<void> {
    if (file === undefined) return this.refresh();
    this.#dirty.add(file);
    return this.#readDirty();
  }

  /** Reads the files that may have changed until there is none, and tells of all that did in as few events. */
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
      if (await this.#rereadAll(files)) this.#changed.fire();
    }
  }

  /** Reads files again. Returns whether any record is not what it was. */
  async #rereadAll(files: readonly string[]): Promise<boolean> {
    let isChanged = false;
    await this.#forEach(files, (file) =>
      this.#inOrder(file, async () => {
        const stored = await this.#readSoon(file);
        if (stored?.text === this.#stored.get(file)?.text) return;
        this.#store(file, stored);
        isChanged = true;
      }),
    );
    return isChanged;
  }

  /** As {@link #read}, at once where the disk has the file at hand. */
  async #readSoon(file: string): Promise<Stored<T> | undefined> {
    const text = readTextSync(this.#pathOf(file));
    return text === undefined ? this.#read(file) : this.#parse(file, text);
  }

  async #read(file: string): Promise<Stored<T> | undefined> {
    try {
      return this.#parse(file, await readText(this.#pathOf(file)));
    } catch (failure) {
      this.#reportUnreadable(file, failure);
      return undefined;
    }
  }

  #parse(file: string, text: string | undefined): Stored<T> | undefined {
    const stored = text === undefined ? undefined : this.#recordIn(text);
    if (text === undefined || (stored !== undefined && this.#fileOf(stored.id) === file)) {
      this.#unreadable.delete(file);
      return stored;
    }
    this.#reportUnreadable(file);
    return undefined;
  }

  #reportUnreadable(file: string, failure?: unknown): void {
    this.#unreadable.add(file);
    this.#options.reportUnreadable(this.#pathOf(file), failure);
  }

  #recordIn(text: string): Stored<T> | undefined {
    const fields = parseJson(text);
    const { success, output: record } = v.safeParse(this.#options.schema, fields);
    if (!success || typeof fields !== 'object' || fields === null) return undefined;
    return { text, id: this.#options.idOf(record), record, fields };
  }

  /** Updates the list with what this window wrote or removed, and fires. */
  #recordWrite(file: string, stored: Stored<T> | undefined): void {
    const same = this.#stored.get(file)?.text === stored?.text;
    if (this.#loading !== undefined) {
      this.#store(file, stored);
      if (same) return;
    }
    this.#changed.fire();
  }

  #store(file: string, stored: Stored<T> | undefined): void {
    if (stored === undefined) this.#stored.delete(file);
    else this.#stored.set(file, stored);
    this.#sorted = undefined;
  }

  async #files(): Promise<string[]> {
    const names = await readdir(this.#options.folder);
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

type Fields = Readonly<Record<string, unknown>>;

/**
 * A record as it is to be written: with the fields, at any depth, that stand in its file and that this version does not
 * know. A later version put them there, and finds them again.
 *
 * @param stored what the file holds, parsed
 * @param known what this version read of it
 * @param next what takes the place of `known`
 */
function withUnknownFields(stored: unknown, known: unknown, next: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(known) && Array.isArray(next))
    return next.map((item: unknown) => {
      const at = known.findIndex((before) => isSame(before, item));
      return at === -1 ? item : withUnknownFields(stored[at], known[at], item);
    });
  if (!isFields(stored) || !isFields(known) || !isFields(next)) return next;
  const written = Object.entries(next).map(([name, value]): [string, unknown] => [
    name,
    withUnknownFields(stored[name], known[name], value),
  ]);
  const unknown = Object.entries(stored).filter(
    ([name]) => !Object.hasOwn(known, name) && !Object.hasOwn(next, name),
  );
  return Object.fromEntries([...written, ...unknown]);
}

/** Whether an item of a list is the one that stood there before: by its id, else by all that it holds. */
function isSame(before: unknown, item: unknown): boolean {
  if (isFields(before) && isFields(item) && typeof item['id'] === 'string')
    return before['id'] === item['id'];
  return JSON.stringify(before) === JSON.stringify(item);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
