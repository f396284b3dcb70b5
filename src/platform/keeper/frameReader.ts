import { open, type FileHandle } from 'node:fs/promises';
import {
  FrameDecoder,
  type Frame,
  type UnreadableResponse,
} from '../../streamKeeper/responseFrames.ts';
import { ifExists } from '../storage/files.ts';

const READ_BYTES = 65_536;

/** Reads a response file while it grows. Parts of it may also come from its writer, which costs less. */
export class FrameReader {
  readonly #path: string;
  readonly #decoder = new FrameDecoder();
  #buffer: Buffer | undefined;
  #file: FileHandle | undefined;
  #isClosed = false;
  #offset = 0;
  /** True if the file may hold more than was read. */
  #isBehind: boolean;
  readonly #frames: Frame[] = [];
  #failure: UnreadableResponse | undefined;
  #isWoken = false;
  #wake: (() => void) | undefined;

  /** @param isBehind false if each part comes to {@link insert}: the file is only read after {@link recheck} */
  constructor(path: string, isBehind = true) {
    this.#path = path;
    this.#isBehind = isBehind;
  }

  /** Bytes that were read. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Returns the next frame; undefined if there is none now, until {@link insert} or {@link recheck}.
   *
   * @throws UnreadableResponse, or the system's error
   */
  async next(): Promise<Frame | undefined> {
    while (this.#frames.length === 0 && this.#isBehind && this.#failure === undefined)
      await this.#read();
    if (this.#frames.length === 0 && this.#failure !== undefined) throw this.#failure;
    return this.#frames.shift();
  }

  /** Makes {@link next} read the file again. */
  recheck(): void {
    this.#isBehind = true;
    this.#wakeUp();
  }

  /** Takes a part of the file and its offset. Skips what was read before. */
  insert(offset: number, bytes: Buffer): void {
    this.#take(offset, bytes);
    this.#wakeUp();
  }

  /** Resolves after {@link insert} or {@link recheck}, also if they were called since it resolved last. */
  async wait(): Promise<void> {
    if (!this.#isWoken) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isWoken = false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #wakeUp(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  #take(offset: number, bytes: Buffer): void {
    if (this.#isClosed || this.#failure !== undefined) return;
    if (offset + bytes.length <= this.#offset) return;
    if (offset > this.#offset) {
      this.#isBehind = true;
      return;
    }
    const more = bytes.subarray(this.#offset - offset);
    this.#offset += more.length;
    try {
      this.#decoder.push(more, this.#frames);
    } catch (failure) {
      this.#failure = failure as UnreadableResponse;
    }
  }

  async #read(): Promise<void> {
    this.#isBehind = false;
    const file = await this.#open();
    if (file === undefined) return;
    const offset = this.#offset;
    const buffer = (this.#buffer ??= Buffer.allocUnsafe(READ_BYTES));
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, offset);
    // A copy, since frames share memory with it.
    this.#take(offset, Buffer.from(buffer.subarray(0, bytesRead)));
    if (bytesRead === READ_BYTES) this.#isBehind = true;
  }

  async #open(): Promise<FileHandle | undefined> {
    if (this.#file !== undefined || this.#isClosed) return this.#file;
    const file = await ifExists(open(this.#path));
    if (file !== undefined) this.#setFile(file);
    return this.#file;
  }

  #setFile(file: FileHandle): void {
    if (this.#isClosed) void file.close();
    else this.#file = file;
  }
}
