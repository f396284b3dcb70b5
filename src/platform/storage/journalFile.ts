import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable, Emitter } from '../../base/disposable.ts';
import {
  errorCode,
  makeFolder,
  PRIVATE_FILE_MODE,
  readIfExists,
  removeFile,
  retryBusy,
  wasRemoved,
} from './files.ts';
import type { WatchFolder } from './watch.ts';

/** How long an entry waits to be written together with later ones, in ms. Text should be on disk within 250 ms in all. */
const WRITE_DELAY_MS = 100;
/** First and longest wait after a failed write. Each wait doubles the last one. */
const RETRY_DELAY_MS = { first: 1_000, longest: 10_000 } as const;

/** The codes of errors if the file or its folder is gone, or something else is in its place. */
const GONE_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST']);

const LINE_BREAK_BYTE = 0x0a;

/** Unlike `a+`, does not create the file. */
const APPEND_TO_EXISTING_FLAGS = constants.O_APPEND | constants.O_RDWR;

export interface JournalOptions<T> {
  /** Absolute path. The first append creates file and folder. */
  readonly path: string;
  /** Reads a line, which is the JSON of an entry. Returns undefined for a torn or foreign line, which is skipped. */
  readonly parse: (line: string) => T | undefined;
  readonly clock: Clock;
  readonly watch: WatchFolder;
}

/**
 * A JSONL file that any number of windows append entries to.
 *
 * Each batch opens the file again in append mode, so that windows alternate by whole batches and an unused file can be
 * deleted. A line that a crash or a full disk tore is skipped; the next entry starts on a new line.
 */
export class Journal<T extends { readonly id: string }> {
  readonly #options: JournalOptions<T>;
  readonly #disposables = new DisposableStore();
  readonly #appendedElsewhere = this.#disposables.add(new Emitter<readonly T[]>());
  readonly #failureChanged = this.#disposables.add(new Emitter<Error | undefined>());
  readonly #removalChanged = this.#disposables.add(new Emitter<boolean>());
  /** Every entry read or appended here, by ID. A folder that disappeared may come back without them. */
  readonly #known = new Map<string, T>();
  #waiting: T[] = [];
  /** Bytes read so far. The next one always starts a line. */
  #offset = 0;
  #timer: Disposable | undefined;
  #failure: Error | undefined;
  #retryMs = 0;
  #watching: Disposable | undefined;
  /** True if the file was seen. It is then not created again, unless its folder is gone too. */
  #exists = false;
  /** True if file and folder are gone, or the file is back and may lack entries. */
  #hasVanished = false;
  #isRemoved = false;
  readonly #inOrder = pLimit(1);

  /** Fires with entries that another window appended since {@link read}, in the order of the file. */
  readonly onDidAppendElsewhere = this.#appendedElsewhere.event;
  /**
   * Fires when writing begins to fail (with the error) and when it works again (undefined). Meanwhile entries stay in
   * memory, and writing is tried again after 1 to 10 seconds. If the folder was gone, every entry that it lacks is
   * written again.
   */
  readonly onDidChangeFailure = this.#failureChanged.event;
  /**
   * Fires with true when another window removed the file, and with false when one restored it. Entries that were
   * appended meanwhile are written then.
   */
  readonly onDidChangeRemoval = this.#removalChanged.event;

  constructor(options: JournalOptions<T>) {
    this.#options = options;
    this.#disposables.add({ dispose: () => this.#watching?.dispose() });
  }

  /**
   * Returns every entry on disk, each ID once, in the order of the file; then those that wait to be written. Undefined
   * if there is neither a file nor an entry that waits.
   *
   * @throws the system's error if the file cannot be read
   */
  read(): Promise<readonly T[] | undefined> {
    return this.#inOrder(async () => {
      // The folder must exist to be watched from now on.
      await makeFolder(dirname(this.#options.path));
      this.#watch();
      this.#offset = 0;
      const entries = new Map<string, T>();
      for (const entry of await this.#readNewLines())
        if (!entries.has(entry.id)) entries.set(entry.id, entry);
      for (const [id, entry] of entries) this.#known.set(id, entry);
      for (const entry of this.#waiting) entries.set(entry.id, entry);
      return this.#exists || entries.size > 0 ? [...entries.values()] : undefined;
    });
  }

  /** Adds an entry, which is written 100 ms later. An entry whose ID is known here is not added again. */
  append(entry: T): void {
    if (this.#known.has(entry.id)) return;
    this.#known.set(entry.id, entry);
    if (this.#isRemoved) return;
    this.#waiting.push(entry);
    if (this.#timer === undefined) this.#writeIn(WRITE_DELAY_MS);
  }

  /** Writes the entries that wait. Returns whether everything is on disk now. */
  flush(): Promise<boolean> {
    return this.#inOrder(() => this.#write());
  }

  /** Reports what other windows have appended by now, without waiting for the watcher. */
  catchUp(): Promise<void> {
    return this.#inOrder(async () => this.#report(await this.#readNewLines()));
  }

  /** Writes the entries that wait and stops watching. Entries appended later are still written. */
  async close(): Promise<void> {
    await this.flush();
    this.#disposables.dispose();
  }

  /** Removes the file, and drops entries that wait or are appended later. */
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
    this.#isRemoved = true;
    this.#stopTimer();
    this.#waiting.length = 0;
  }

  /** Handles a missing file. If its folder is gone too, it was not removed on purpose. */
  async #handleMissing(failure: Error): Promise<void> {
    const isRemoved = await wasRemoved(this.#options.path);
    if (this.#isRemoved) return;
    if (isRemoved) {
      this.#drop();
      this.#exists = false;
      this.#removalChanged.fire(true);
    } else {
      this.#hasVanished = true;
      this.#handleFailure(failure);
    }
  }

  #handleReturn(): void {
    this.#isRemoved = false;
    this.#hasVanished = true;
    this.#writeIn(WRITE_DELAY_MS);
    this.#removalChanged.fire(false);
  }

  /** Reads a file that was gone, and queues every entry that it lacks. */
  async #restore(): Promise<void> {
    await makeFolder(dirname(this.#options.path));
    this.#watching?.dispose();
    this.#watching = undefined;
    this.#exists = false;
    this.#offset = 0;
    const onDisk = await this.#readNewLines();
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
      if (this.#hasVanished) await this.#restore();
      count = this.#waiting.length;
      await retryBusy(() => this.#appendToFile(this.#waiting.slice(0, count)));
    } catch (failure) {
      const error = failure instanceof Error ? failure : new Error('Unknown failure');
      if (GONE_CODES.has(errorCode(failure) ?? '')) await this.#handleMissing(error);
      else this.#handleFailure(error);
      return this.#isRemoved;
    }
    this.#waiting.splice(0, count);
    if (this.#failure !== undefined) {
      this.#failure = undefined;
      this.#retryMs = 0;
      this.#failureChanged.fire(undefined);
    }
    return this.#waiting.length === 0 || this.#write();
  }

  #handleFailure(failure: Error): void {
    const isFirst = this.#failure === undefined;
    this.#failure = failure;
    this.#retryMs = Math.min(
      Math.max(this.#retryMs * 2, RETRY_DELAY_MS.first),
      RETRY_DELAY_MS.longest,
    );
    this.#stopTimer();
    this.#writeIn(this.#retryMs);
    if (isFirst) this.#failureChanged.fire(failure);
  }

  async #appendToFile(entries: readonly T[]): Promise<void> {
    const { path } = this.#options;
    await makeFolder(dirname(path));
    this.#watch();
    const file = await open(
      path,
      this.#exists ? APPEND_TO_EXISTING_FLAGS : 'a+',
      PRIVATE_FILE_MODE,
    );
    this.#exists = true;
    try {
      const { size } = await file.stat();
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      const bytes = Buffer.from((await endsInsideLine(file, size)) ? `\n${lines}` : lines);
      // In one write, because another window could write between two. `appendFile` writes parts of 512 KB.
      for (let written = 0; written < bytes.length;)
        written += (await file.write(bytes, written)).bytesWritten;
      // If no other window wrote in between, our own lines need not be read back.
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
      // If the file cannot be read now, its next change is another try.
      this.catchUp().catch(() => undefined);
    });
  }

  #report(entries: readonly T[]): void {
    const added: T[] = [];
    for (const entry of entries) {
      if (this.#known.has(entry.id)) continue;
      this.#known.set(entry.id, entry);
      added.push(entry);
    }
    if (added.length > 0) this.#appendedElsewhere.fire(added);
  }

  /** Reads the whole lines after the offset, and moves the offset behind them. */
  async #readNewLines(): Promise<T[]> {
    const { path, parse } = this.#options;
    const bytes = await readFrom(path, this.#offset);
    if (bytes === undefined) {
      if (this.#exists && !this.#hasVanished)
        await this.#handleMissing(new Error('The file is gone'));
      return [];
    }
    this.#exists = true;
    if (this.#isRemoved && !this.#disposables.isDisposed) this.#handleReturn();
    const end = bytes.lastIndexOf(LINE_BREAK_BYTE) + 1;
    this.#offset += end;
    return bytes
      .toString('utf8', 0, end)
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (parse(line) ?? [])));
  }
}

async function endsInsideLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== LINE_BREAK_BYTE;
}

/** Returns the bytes of a file after an offset; undefined if there is no file. */
async function readFrom(path: string, offset: number): Promise<Buffer | undefined> {
  const file = await readIfExists(() => open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const length = Math.max(0, (await file.stat()).size - offset);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
