import { DETACHED, RESPONSE_STOPPED, type StoredResponse } from '../../api/index.ts';
import type {
  Frame,
  Opening,
  ResponseEnd,
  ResponseHead,
} from '../../streamKeeper/responseFrames.ts';
import type { FrameReader } from './frameReader.ts';

/** Code of a response whose keeper has died. Its request may have been received. */
export const KEEPER_LOST = 'ERR_KEEPER_LOST';

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response file, and how its reader learns that it grew. */
interface ResponseFile {
  readonly reader: FrameReader;
  /** Resolves when there may be more, or when {@link FrameReader.wait} does. */
  readonly wait: () => Promise<void>;
  /** Returns whether no more will come: the keeper is gone. */
  readonly checkLost: (opening: Opening | undefined) => Promise<boolean>;
  /** Returns the body of a refusal, if it came over the pipe. */
  readonly refusedBody: () => string | undefined;
  /** Ends the request. */
  readonly stop: () => void;
  /** Called when the response has ended. */
  readonly onEnd?: () => void;
}

/**
 * Reads a response from its file, as `fetch` would have returned it.
 *
 * @returns undefined if the keeper died before it sent the request
 * @throws the reason of the abort, or an Error whose cause has the code of the failure
 */
export function readStoredResponse(
  file: ResponseFile,
  signal: AbortSignal,
): Promise<StoredResponse | undefined> {
  return new StoredResponseReader(file, signal).open();
}

class StoredResponseReader {
  readonly #file: ResponseFile;
  readonly #signal: AbortSignal;
  #opening: Opening | undefined;
  #receivedAt = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(file: ResponseFile, signal: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
  }

  async open(): Promise<StoredResponse | undefined> {
    this.#signal.addEventListener('abort', this.#onAbort);
    if (this.#signal.aborted) this.#onAbort();
    try {
      return await this.#readHead();
    } catch (failure) {
      this.#release();
      throw failure;
    }
  }

  async #readHead(): Promise<StoredResponse | undefined> {
    for (;;) {
      const frame = await this.#next();
      if (frame?.type === 'opened') this.#opening = frame;
      else if (frame?.type === 'head') return this.#respond(frame);
      else if (frame?.type === 'end') throw failureOf(frame);
      else if (frame === undefined && this.#opening !== undefined) throw fetchError(KEEPER_LOST);
      else if (frame === undefined) {
        this.#release();
        return undefined;
      }
    }
  }

  #respond({ status, headers, refusal }: ResponseHead): StoredResponse {
    const body = refusal === undefined ? this.#body() : this.#refusedBody(status, refusal);
    const response = new Response(BODILESS.has(status) ? null : body, { status, headers });
    return Object.assign(response, { receivedAt: () => this.#receivedAt });
  }

  #refusedBody(status: number, summary: NonNullable<ResponseHead['refusal']>): string {
    const body = this.#file.refusedBody();
    this.#release();
    return body ?? bodyOf(status, summary);
  }

  #body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => {
          this.#file.stop();
          this.#release();
        },
      },
      // Reads nothing ahead, so that the time of the last frame is that of the bytes which were read last.
      { highWaterMark: 0 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for (;;) {
        const frame = await this.#next();
        if (frame?.type === 'chunk') {
          controller.enqueue(frame.bytes);
          return;
        }
        if (frame === undefined) throw fetchError(KEEPER_LOST);
        if (frame.type !== 'end') continue;
        if (frame.outcome !== 'complete') throw failureOf(frame);
        this.#release();
        controller.close();
        return;
      }
    } catch (failure) {
      this.#release();
      throw failure;
    }
  }

  /** Returns undefined if the keeper is gone and all was read. */
  async #next(): Promise<Frame | undefined> {
    const { reader, checkLost, wait } = this.#file;
    for (let lost = false; ;) {
      this.#signal.throwIfAborted();
      const frame = await reader.next();
      if (frame !== undefined) {
        this.#receivedAt = frame.at;
        return frame;
      }
      if (lost) return undefined;
      lost = await checkLost(this.#opening);
      if (lost) reader.recheck();
      else await wait();
    }
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal.reason;
    if (reason !== DETACHED) this.#file.stop();
    this.#controller?.error(reason);
    this.#release();
    this.#file.reader.recheck();
  };

  #release(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    void this.#file.reader.close();
    if (this.#signal.reason !== DETACHED) this.#file.onEnd?.();
  }
}

/** Makes an error like that of `fetch`. */
export function fetchError(code: string | undefined): TypeError {
  const cause = Object.assign(new Error('The request of the stream keeper failed'), { code });
  return new TypeError('fetch failed', { cause });
}

function failureOf({ outcome, code }: ResponseEnd): TypeError {
  return fetchError(outcome === 'stopped' ? RESPONSE_STOPPED : code);
}

/** Makes the body of a refusal from what is kept of it. */
function bodyOf(status: number, summary: NonNullable<ResponseHead['refusal']>): string {
  if (summary === 'empty') return '';
  if (summary === 'foreign') return '…';
  const { code, reason } = summary;
  const metadata = reason === undefined ? null : { reason };
  return JSON.stringify({ error: { code, message: `HTTP ${status}`, metadata } });
}
