import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../log/log.ts';
import type { Collection, CollectionChange } from './collection.ts';
import { makeFolder, readText, readTextNow, removeFile, replaceText } from './files.ts';
import { KeyedQueue } from './keyedQueue.ts';
import { toFileName } from './layout.ts';
import type { WatchFolder } from './watch.ts';

const EXTENSION = '.json';

/** Files read at a time: enough to keep the disk busy, few enough for every limit of open files. */
const READS_AT_ONCE = 64;

/**
 * How long the first reading of a folder goes on before it lets others have their turn, in ms: an asynchronous read of
 * a small file takes five times as long as a plain one, which makes a difference of half a second for 5,000 records.
 */
const TURN_MS = 8;

/** What a {@link JsonFolder} is made of. */
export interface JsonFolderOptions<T> {
  /** Absolute path; made when it is first read or written. */
  readonly folder: string;
  /** Fields that it does not know are dropped. */
  readonly schema: v.GenericSchema<unknown, T>;
  readonly idOf: (record: T) => string;
  readonly watch: WatchFolder;
  readonly log: Pick<Log, 'warn'>;
}

/** A record as it was read: `text` tells whether a file changed at all. */
interface Stored<T> {
  readonly text: string;
  readonly id: string;
  readonly record: T;
}

/**
 * A {@link Collection} kept as one JSON file a record, so that windows never overwrite each other's records.
 *
 * A file that is no record of this collection (corrupt, a copy under another name, of a later version) is skipped and
 * logged, and stays where it is.
 */
export class JsonFolder<T> implements Collection<T>, Disposable {
  readonly #options: JsonFolderOptions<T>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<CollectionChange>());
  readonly #queue = new KeyedQueue();
  /** By file name; filled by the first {@link list}, kept up to date from then on. */
  readonly #stored = new Map<string, Stored<T>>();
  /** Texts that were skipped, by file name, so that each is logged once. */
  readonly #skipped = new Map<string, string>();
  readonly #dirty = new Set<string>();
  #loading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #watched = false;
  #sorted: readonly T[] | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(options: JsonFolderOptions<T>) {
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
      const record = change(current?.record);
      if (record === undefined) return current?.record;
      const text = `${JSON.stringify(record, undefined, 2)}\n`;
      if (text !== current?.text) await replaceText(this.#pathOf(file), text);
      this.#remember(file, id, { text, id, record });
      return record;
    });
  }

  async remove(id: string): Promise<boolean> {
    const file = fileOf(id);
    return this.#queue.run(file, async () => {
      if ((await this.#read(file)) === undefined) return false;
      const removed = await removeFile(this.#pathOf(file));
      this.#remember(file, id, undefined);
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

  dispose(): void {
    this.#disposables.dispose();
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
    let giveWayAt = performance.now() + TURN_MS;
    for (const file of await this.#files()) {
      const path = this.#pathOf(file);
      this.#store(file, this.#parse(file, readTextNow(path) ?? (await readText(path))));
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
        this.#options.log.warn(`Could not read ${this.#name} again`, failure);
      });
    };
    this.#disposables.add(this.#options.watch(this.#options.folder, onChange));
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
      const ids = await this.#rereadAll(files);
      if (ids.length > 0) this.#changed.fire({ ids });
    }
  }

  /** Reads files again. Returns the ids of records that are not what they were. */
  async #rereadAll(files: readonly string[]): Promise<string[]> {
    const changed: string[] = [];
    const pending = files.values();
    const work = async (): Promise<void> => {
      for (const file of pending) {
        const id = await this.#queue.run(file, () => this.#reread(file));
        if (id !== undefined) changed.push(id);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
    return changed;
  }

  async #reread(file: string): Promise<string | undefined> {
    const known = this.#stored.get(file);
    const stored = await this.#read(file);
    if (stored?.text === known?.text) return undefined;
    this.#store(file, stored);
    return (stored ?? known)?.id;
  }

  async #read(file: string): Promise<Stored<T> | undefined> {
    return this.#parse(file, await readText(this.#pathOf(file)));
  }

  #parse(file: string, text: string | undefined): Stored<T> | undefined {
    if (text === undefined) return undefined;
    const record = this.#recordIn(text);
    if (record !== undefined) {
      const id = this.#options.idOf(record);
      if (fileOf(id) === file) return { text, id, record };
    }
    if (this.#skipped.get(file) !== text) {
      this.#skipped.set(file, text);
      this.#options.log.warn(`Skipped ${this.#name}/${file}: not a record of this version`);
    }
    return undefined;
  }

  #recordIn(text: string): T | undefined {
    try {
      const result = v.safeParse(this.#options.schema, JSON.parse(text));
      return result.success ? result.output : undefined;
    } catch {
      return undefined;
    }
  }

  /** Takes note of what this window wrote or removed, and tells of it. */
  #remember(file: string, id: string, stored: Stored<T> | undefined): void {
    const same = this.#stored.get(file)?.text === stored?.text;
    if (this.#loading !== undefined) {
      this.#store(file, stored);
      if (same) return;
    }
    this.#changed.fire({ ids: [id] });
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

  /** The folder's own name, for the log. */
  get #name(): string {
    return basename(this.#options.folder);
  }
}

function fileOf(id: string): string {
  return toFileName(id) + EXTENSION;
}
