import { encodeFrame, FILE_START, type Frame } from './responseFrames.ts';

/** Maximum number of bytes of a frame with a part of the body. Readers refuse frames that are too large. */
const MAX_CHUNK_BYTES = 1_048_576;

/** The bytes of all responses together that wait in memory to be written. */
export interface MemoryBudget {
  readonly limit: number;
  used: number;
}

interface ResponseWriterOptions {
  /** Writes to the file and returns how many bytes were written. */
  readonly write: (bytes: Buffer, position: number) => number;
  readonly memory: MemoryBudget;
  /** Called when {@link ResponseWriter.flush} should be called soon. */
  readonly onPending: () => void;
  /** Gets each byte once with its offset in the file, even if it is not on disk yet. */
  readonly onBytes: (offset: number, bytes: Buffer) => void;
}

/**
 * Writes the frames of one response.
 *
 * Keeps what could not be written for the next attempt. Each write has a position, so one that failed halfway is
 * overwritten with the same bytes.
 */
export class ResponseWriter {
  readonly #options: ResponseWriterOptions;
  #pending: Buffer[] = [];
  #chunks: Uint8Array[] = [];
  #chunkBytes = 0;
  /** When the first of the chunks came, epoch ms. */
  #chunksAt = 0;
  /** Bytes in the file. */
  #offset = 0;
  /** Bytes given to `onBytes`. */
  #reported = 0;
  #failure: unknown;
  #onFinished: (() => void) | undefined;

  constructor(options: ResponseWriterOptions) {
    this.#options = options;
    this.#push(FILE_START);
  }

  /** Why the last write failed; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  /** True if the body should pause until the next {@link flush}. It does not pause for a full disk. */
  get isBehind(): boolean {
    return this.#failure === undefined && this.#chunkBytes > MAX_CHUNK_BYTES;
  }

  add(frame: Frame): void {
    this.#frameChunks();
    this.#push(encodeFrame(frame));
    this.#options.onPending();
  }

  /** Adds a part of the body. Those that come before the next write become one frame, unless it would be too large. */
  addChunk(bytes: Uint8Array): void {
    if (this.#chunks.length === 0) this.#chunksAt = Date.now();
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length;
    this.#options.memory.used += bytes.length;
    this.#options.onPending();
  }

  /** Writes everything so far. Returns whether that succeeded. */
  flush(): boolean {
    this.#frameChunks();
    const bytes = Buffer.concat(this.#pending);
    const end = this.#offset + bytes.length;
    if (end > this.#reported)
      this.#options.onBytes(this.#reported, bytes.subarray(this.#reported - this.#offset));
    this.#reported = end;
    const written = this.#write(bytes);
    this.#offset += written;
    this.#options.memory.used -= written;
    this.#pending = written === bytes.length ? [] : [bytes.subarray(written)];
    if (this.#pending.length > 0) return false;
    this.#onFinished?.();
    return true;
  }

  /** Resolves when everything is written, or after {@link giveUp}. */
  async finish(): Promise<void> {
    if (!this.flush()) await new Promise<void>((resolve) => (this.#onFinished = resolve));
  }

  /** Tries once more to write, and drops what cannot be written. */
  giveUp(): void {
    this.flush();
    for (const { length } of this.#pending) this.#options.memory.used -= length;
    this.#pending = [];
    this.#onFinished?.();
  }

  #push(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#options.memory.used += bytes.length;
  }

  #frameChunks(): void {
    if (this.#chunks.length === 0) return;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#chunkBytes = 0;
    this.#options.memory.used -= bytes.length;
    for (let start = 0; start < bytes.length; start += MAX_CHUNK_BYTES) {
      const part = bytes.subarray(start, start + MAX_CHUNK_BYTES);
      this.#push(encodeFrame({ type: 'chunk', at: this.#chunksAt, bytes: part }));
    }
  }

  /** Writes until nothing is left or a write fails. Returns how many bytes were written. */
  #write(bytes: Buffer): number {
    let written = 0;
    this.#failure = undefined;
    try {
      while (written < bytes.length)
        written += this.#options.write(bytes.subarray(written), this.#offset + written);
    } catch (failure) {
      this.#failure = failure;
    }
    return written;
  }
}
