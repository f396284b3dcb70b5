import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { errorCode, makeFolder, PRIVATE_FILE, removeFile, retryBusy, wasRemoved } from './files.ts';
import type { WatchFolder } from './watch.ts';

/** Longest time that an entry waits for others to be written with it: with all else, text is on disk within 250 ms. */
const BATCH_MS = 100;
/** First and longest wait after a write that failed; each wait doubles the last. */
const RETRY_MS = { first: 1_000, longest: 10_000 } as const;

/** What the system says where a file or its folder is gone, or something else in its place. */
const GONE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST']);

const LINE_BREAK = 0x0a;

/** Opens a file to be appended to, but only where it is there. */
const APPEND_TO_EXISTING = constants.O_APPEND | constants.O_RDWR;

/** How the entries of a journal are written, one a line. */
export interface EntryCodec<T> {
  /** Undefined for a line that is torn or foreign, which is skipped. */
  readonly parse: (line: string) => T | undefined;
  /** One line, without its line break. */
  readonly format: (entry: T) => string;
}

export interface JournalOptions<T> {
  /** Absolute path; file and folder are made by the first append. */
  readonly path: string;
  readonly codec: EntryCodec<T>;
  readonly clock: Clock;
  readonly watch: WatchFolder;
  /** Settles when other windows may read what waits. */
  readonly ready?: () => Promise<unknown>;
}

/**
 * A JSONL file of entries that is only ever appended to, by any number of windows.
 *
 * The file is opened anew for every batch, in append mode: windows take turns by whole batches, and a file that nobody
 * holds can be deleted everywhere. A line that a crash or a full disk tore is skipped, and never grows into the next.
 */
export class Journal<T extends { readonly id: string }> {
  readonly #options: JournalOptions<T>;
  readonly #disposables = new DisposableStore();
  readonly #appendedElsewhere = this.#disposables.add(new Emitter<readonly T[]>());
  readonly #failureChanged = this.#disposables.add(new Emitter<Error | undefined>());
  readonly #removedElsewhere = this.#disposables.add(new Emitter<void>());
  /** All entries that were read or appended here, by id: a folder that was gone may come back without them. */
  readonly #known = new Map<string, T>();
  #waiting: T[] = [];
  /** Bytes of the file that were read: always the start of a line. */
  #offset = 0;
  #timer: Disposable | undefined;
  #failure: Error | undefined;
  #retryMs = 0;
  #watching: Disposable | undefined;
  /** Whether the file was seen: from then on it is not made again, unless its folder was gone too. */
  #exists = false;
  #hasVanished = false;
  #removed = false;
  /** Runs the work on the file one task at a time. */
  readonly #inOrder = pLimit(1);

  /** Entries that another window appended since {@link read}, in the order of the file. */
  readonly onDidAppendElsewhere = this.#appendedElsewhere.event;
  /**
   * Writing began to fail (the error), or works again (undefined). Entries are kept in memory meanwhile, and tried
   * again after 1 to 10 seconds; where the folder was gone, all that it has lost is written into it.
   */
  readonly onDidChangeFailure = this.#failureChanged.event;
  /** Somebody else removed the file. What is appended from then on is dropped, so that nothing is brought back in part. */
  readonly onDidRemoveElsewhere = this.#removedElsewhere.event;

  constructor(options: JournalOptions<T>) {
    this.#options = options;
    this.#disposables.add({ dispose: () => this.#watching?.dispose() });
  }

  /**
   * Every entry on disk, each id once, in the order of the file; then those that wait to be written. Undefined where
   * there is neither a file nor anything that waits.
   *
   * @throws The system's error where there is something that cannot be read.
   */
  read(): Promise<readonly T[] | undefined> {
    return this.#inOrder(async () => {
      // A watcher of a folder that is not there yet would start late.
      await makeFolder(dirname(this.#options.path));
      this.#watch();
      this.#offset = 0;
      const entries = new Map<string, T>();
      for (const entry of await this.#readOn())
        if (!entries.has(entry.id)) entries.set(entry.id, entry);
      for (const [id, entry] of entries) this.#known.set(id, entry);
      for (const entry of this.#waiting) entries.set(entry.id, entry);
      return this.#exists || entries.size > 0 ? [...entries.values()] : undefined;
    });
  }

  /** Adds an entry, which is on disk 100 ms later or soon after. One whose id was read or appended here is not added again. */
  append(entry: T): void {
    if (this.#removed || this.#known.has(entry.id)) return;
    this.#known.set(entry.id, entry);
    this.#waiting.push(entry);
    if (this.#timer === undefined) this.#writeIn(BATCH_MS);
  }

  /** Writes what waits. Returns whether everything is on disk now. */
  flush(): Promise<boolean> {
    return this.#inOrder(() => this.#write());
  }

  /** Tells of what other windows have appended by now, however late the watcher is. */
  catchUp(): Promise<void> {
    return this.#inOrder(async () => this.#report(await this.#readOn()));
  }

  /** Writes what waits and stops following the file. Entries appended after that are still written. */
  async close(): Promise<void> {
    await this.flush();
    this.#disposables.dispose();
  }

  /** Drops what waits and what is appended from now on, and removes the file. */
  async remove(): Promise<void> {
    await this.#inOrder(async () => {
      this.#drop();
      this.#disposables.dispose();
      await removeFile(this.#options.path);
    });
  }

  #writeIn(ms: number): void {
    this.#timer = this.#options.clock.setTimeout(() => void this.flush(), ms);
  }

  #drop(): void {
    this.#removed = true;
    this.#stopTimer();
    this.#waiting.length = 0;
  }

  /** The file cannot be found. Where its folder is gone as well, nobody meant to remove it. */
  async #handleMissing(failure: Error): Promise<void> {
    const isRemoved = await wasRemoved(this.#options.path);
    if (this.#removed) return;
    if (isRemoved) {
      this.#drop();
      this.#removedElsewhere.fire();
    } else {
      this.#hasVanished = true;
      this.#handleFailure(failure);
    }
  }

  /** Reads what is there of a file whose folder was gone; all else waits to be written. */
  async #restore(): Promise<void> {
    await makeFolder(dirname(this.#options.path));
    this.#watching?.dispose();
    this.#watching = undefined;
    this.#exists = false;
    this.#offset = 0;
    const onDisk = await this.#readOn();
    const ids = new Set(onDisk.map(({ id }) => id));
    this.#waiting = [...this.#known.values()].filter(({ id }) => !ids.has(id));
    this.#report(onDisk);
    this.#hasVanished = false;
  }

  #stopTimer(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  async #write(): Promise<boolean> {
    this.#stopTimer();
    if (this.#waiting.length === 0 && !this.#hasVanished) return true;
    let count = 0;
    try {
      await this.#options.ready?.();
      if (this.#hasVanished) await this.#restore();
      count = this.#waiting.length;
      await retryBusy(() => this.#appendToFile(this.#waiting.slice(0, count)));
    } catch (failure) {
      const error = failure instanceof Error ? failure : new Error('Unknown failure');
      if (GONE_CODES.has(errorCode(failure) ?? '')) await this.#handleMissing(error);
      else this.#handleFailure(error);
      return this.#removed;
    }
    this.#waiting.splice(0, count);
    if (this.#failure !== undefined) {
      this.#failure = undefined;
      this.#retryMs = 0;
      this.#failureChanged.fire(undefined);
    }
    return this.#waiting.length === 0;
  }

  #handleFailure(failure: Error): void {
    const first = this.#failure === undefined;
    this.#failure = failure;
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, RETRY_MS.first), RETRY_MS.longest);
    this.#stopTimer();
    this.#writeIn(this.#retryMs);
    if (first) this.#failureChanged.fire(failure);
  }

  async #appendToFile(entries: readonly T[]): Promise<void> {
    const { path, codec } = this.#options;
    await makeFolder(dirname(path));
    this.#watch();
    const file = await open(path, this.#exists ? APPEND_TO_EXISTING : 'a+', PRIVATE_FILE);
    this.#exists = true;
    try {
      const { size } = await file.stat();
      const lines = entries.map((entry) => `${codec.format(entry)}\n`).join('');
      const bytes = Buffer.from((await endsInsideLine(file, size)) ? `\n${lines}` : lines);
      await file.appendFile(bytes);
      // Where nobody else wrote meanwhile, our own lines need not be read back.
      const { size: newSize } = await file.stat();
      if (size === this.#offset && newSize === size + bytes.length) this.#offset = newSize;
    } finally {
      await file.close();
    }
  }

  #watch(): void {
    const { path, watch } = this.#options;
    if (this.#disposables.isDisposed) return;
    this.#watching ??= watch(dirname(path), (fileName) => {
      if (fileName !== undefined && fileName !== basename(path)) return;
      // A file that cannot be read now is read at its next change.
      this.catchUp().catch(() => undefined);
    });
  }

  /** Fires for those entries on disk that are new here. */
  #report(entries: readonly T[]): void {
    const news: T[] = [];
    for (const entry of entries) {
      if (this.#known.has(entry.id)) continue;
      this.#known.set(entry.id, entry);
      news.push(entry);
    }
    if (news.length > 0) this.#appendedElsewhere.fire(news);
  }

  /** Reads the whole lines after the offset, and moves it behind them. */
  async #readOn(): Promise<T[]> {
    const { path, codec } = this.#options;
    const bytes = await readFrom(path, this.#offset);
    if (bytes === undefined) {
      if (this.#exists && !this.#hasVanished)
        await this.#handleMissing(new Error('The file is gone'));
      return [];
    }
    this.#exists = true;
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    this.#offset += end;
    return bytes
      .toString('utf8', 0, end)
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (codec.parse(line) ?? [])));
  }
}

/** Whether the last line of a file lacks its line break. */
async function endsInsideLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== LINE_BREAK;
}

/** The bytes of a file from a place on, none where the file ends before it; undefined where there is no file. */
async function readFrom(path: string, offset: number): Promise<Buffer | undefined> {
  try {
    const file = await retryBusy(() => open(path, 'r'));
    try {
      const { size } = await file.stat();
      if (size <= offset) return Buffer.alloc(0);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(size - offset),
        0,
        size - offset,
        offset,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return undefined;
    throw failure;
  }
}
