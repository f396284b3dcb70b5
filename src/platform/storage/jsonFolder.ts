import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { parseJson } from '../../base/json.ts';
import type { Collection } from './collection.ts';
import { makeFolder, readText, readTextNow, removeFile, replaceText } from './files.ts';
import { toFileName } from './layout.ts';
import { withUnknownFields } from './unknownFields.ts';
import { UnreadableFileError, type ReportUnreadable } from './unreadable.ts';
import type { WatchFolder } from './watch.ts';

const EXTENSION = '.json';

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
  readonly #changed = this.own(new Emitter<void>());
  readonly #queue = new KeyedQueue();
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
  }

  async list(): Promise<readonly T[]> {
    await this.#load();
    this.#sorted ??= [...this.#stored.values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ record }) => record);
    return this.#sorted;
  }

  async get(id: string): Promise<T | undefined> {
    const file = fileOf(id);
    if (this.#loading === undefined) return (await this.#read(file))?.record;
    await this.#loading;
    return this.#stored.get(file)?.record;
  }

  /** As {@link get}, without giving way to others; undefined also where the record cannot be had now. */
  getNow(id: string): T | undefined {
    const file = fileOf(id);
    return this.#parse(file, readTextNow(this.#pathOf(file)))?.record;
  }

  async put(record: T): Promise<void> {
    await this.update(this.#options.idOf(record), () => record);
  }

  async update(
    id: string,
    change: (current: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const file = fileOf(id);
    return this.#queue.run(file, async () => {
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
    const file = fileOf(id);
    return this.#queue.run(file, async () => {
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
      if (file !== undefined && !file.endsWith(EXTENSION)) return;
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
      this.#queue.run(file, async () => {
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
    const text = readTextNow(this.#pathOf(file));
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
    if (text === undefined || (stored !== undefined && fileOf(stored.id) === file)) {
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
    return names.filter((name) => name.endsWith(EXTENSION));
  }

  #pathOf(file: string): string {
    return join(this.#options.folder, file);
  }
}

function fileOf(id: string): string {
  return toFileName(id) + EXTENSION;
}

/** Runs tasks of the same key one after the other, those of different keys side by side. */
class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs a task when all earlier ones of its key have ended, however they ended. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
