import { close, closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import * as v from 'valibot';
import { isReason } from '../api/errors.ts';
import { MACHINE_SLEPT, MIN_SLEEP_MS, readNetworkFailure } from '../api/networkErrors.ts';
import { MAX_REPLY_CHARACTERS } from '../api/limits.ts';
import { isEventStream, readBoundedText } from '../api/responses.ts';
import { errorBodySchema } from '../api/schemas.ts';
import { parseJson } from '../base/json.ts';
import { errorCode, fileExists, PRIVATE_FILE_MODE, wasRemoved } from '../platform/storage/files.ts';
import type { FlushTimer } from './flushTimer.ts';
import type { Opening, RefusalSummary, ResponseEnd, ResponseHead } from './responseFrames.ts';
import type { FromKeeper, KeeperTimes, StartMessage } from './keeperMessages.ts';
import { codedError, sendRequest } from './request.ts';
import { ResponseWriter, type MemoryBudget } from './responseWriter.ts';

/** Interval of checks whether a file was removed, in ms. */
const REMOVAL_CHECK_INTERVAL_MS = 500;

/** Headers that the client reads. */
const RECORDED_HEADERS = ['content-type', 'retry-after'] as const;

/**
 * Maximum number of bytes of a stream. A window stops at {@link MAX_REPLY_CHARACTERS}, but there may be none. An event
 * has about 250 bytes and at least a character, so this is enough for two million events.
 */
const MAX_STREAM_BYTES = 32 * MAX_REPLY_CHARACTERS;

interface ResponseRecorderOptions {
  readonly keeper: Opening['keeper'];
  readonly times: Pick<KeeperTimes, 'heartbeatMs' | 'silenceTimeoutMs'>;
  readonly memory: MemoryBudget;
  readonly flushTimer: FlushTimer;
  /** Ends the request when it is aborted. */
  readonly controller: AbortController;
  readonly maxStreamBytes?: number;
  /** Returns whether a window is open that may read the response. */
  readonly hasWindow: () => boolean;
  /** Sends a message to the window, if it is there. */
  readonly send: (message: FromKeeper) => void;
  /** Gives the window what is added to the file. */
  readonly onBytes: (id: number, offset: number, bytes: Buffer) => void;
}

/** One request, and the file that its response is written to. */
export class ResponseRecorder {
  readonly #start: StartMessage;
  readonly #file: number;
  readonly #options: ResponseRecorderOptions;
  readonly #writer: ResponseWriter;
  /** Aborted when the service was silent for too long. */
  readonly #silence = new AbortController();
  #silentMs = 0;
  #body: Readable | undefined;
  /** When the machine was last known to be awake, epoch ms. */
  #awakeAt = Date.now();
  /** True if the machine slept and no bytes have come since. */
  #hasSlept = false;

  /** Creates the file. Nothing is sent before. @throws the system's error */
  constructor(start: StartMessage, options: ResponseRecorderOptions) {
    const file = openSync(start.path, 'wx', PRIVATE_FILE_MODE);
    const { keeper, memory, flushTimer, onBytes } = options;
    this.#file = file;
    this.#start = start;
    this.#options = options;
    this.#writer = new ResponseWriter({
      // The process has nothing to do while it waits for the disk, and a pool of threads costs ten times as much.
      write: (bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
      memory,
      onPending: () => flushTimer.add(this),
      onBytes: (offset, bytes) => onBytes(start.id, offset, bytes),
    });
    this.#writer.add({ type: 'opened', at: Date.now(), keeper });
    if (this.#writer.flush()) return;
    const { failure } = this.#writer;
    this.#writer.giveUp();
    closeSync(file);
    rmSync(start.path, { force: true });
    throw failure;
  }

  /** Writes what has come. Returns whether that succeeded. */
  flush(): boolean {
    const isWritten = this.#writer.flush();
    this.#body?.resume();
    if (isWritten) return true;
    const code = errorCode(this.#writer.failure) ?? null;
    this.#options.send({ type: 'write-failed', id: this.#start.id, code, isCreated: true });
    return false;
  }

  /** Sends the request and writes the response. Resolves when the file is complete. */
  async run(): Promise<void> {
    const { times, controller } = this.#options;
    const heartbeat = setInterval(() => this.#addHeartbeat(), times.heartbeatMs);
    const removalCheck = setInterval(() => void this.#stopIfRemoved(), REMOVAL_CHECK_INTERVAL_MS);
    const end = await this.#sendAndRecord();
    clearInterval(heartbeat);
    this.#writer.add({ type: 'end', at: Date.now(), ...end });
    // A stopped response does not wait for space on the disk.
    const giveUp = () => this.#writer.giveUp();
    if (controller.signal.aborted) giveUp();
    else controller.signal.addEventListener('abort', giveUp);
    await this.#writer.finish();
    clearInterval(removalCheck);
    close(this.#file, () => undefined);
  }

  #addHeartbeat(): void {
    this.#writer.add({ type: 'heartbeat', at: Date.now() });
    const { times, hasWindow } = this.#options;
    this.#checkSleep();
    // Timers do not run while the machine sleeps, so that time does not count.
    this.#silentMs = hasWindow() ? 0 : this.#silentMs + times.heartbeatMs;
    if (this.#silentMs > times.silenceTimeoutMs) this.#silence.abort();
  }

  /** Detects from missing heartbeats that the machine slept. On some systems, no clock stops meanwhile. */
  #checkSleep(): void {
    const now = Date.now();
    const { heartbeatMs } = this.#options.times;
    if (now - this.#awakeAt > heartbeatMs + MIN_SLEEP_MS) this.#hasSlept = true;
    this.#awakeAt = now;
  }

  async #sendAndRecord(): Promise<ResponseEnd> {
    const { controller } = this.#options;
    const { signal } = controller;
    const silence = this.#silence.signal;
    try {
      const either = AbortSignal.any([signal, silence]);
      const { status, headers, body } = await sendRequest(this.#start, either);
      this.#silentMs = 0;
      const head = { at: Date.now(), status, headers: recordedHeaders(headers) };
      const isSuccess = status >= 200 && status < 300;
      if (!isSuccess || !isEventStream(headers['content-type'])) {
        await this.#recordRefusal(head, body);
        return { outcome: 'complete' };
      }
      this.#writer.add({ type: 'head', ...head });
      await this.#recordBody(body);
      return { outcome: 'complete' };
    } catch (failure) {
      if (signal.aborted) return { outcome: 'stopped' };
      this.#checkSleep();
      const isSleep = this.#hasSlept && this.#body !== undefined;
      if (isSleep) return { outcome: 'failed', code: MACHINE_SLEPT };
      if (silence.aborted) return { outcome: 'failed', code: 'ETIMEDOUT' };
      const { code } = readNetworkFailure(failure);
      return { outcome: 'failed', ...(code !== null && { code }) };
    }
  }

  async #recordBody(body: Readable): Promise<void> {
    const { memory, maxStreamBytes = MAX_STREAM_BYTES } = this.#options;
    let size = 0;
    this.#body = body;
    body.on('data', (bytes: Buffer) => {
      this.#silentMs = 0;
      // The connection outlived the sleep.
      this.#awakeAt = Date.now();
      this.#hasSlept = false;
      size += bytes.length;
      this.#writer.addChunk(bytes);
      if (size > maxStreamBytes) body.destroy(codedError('ERR_RESPONSE_TOO_LARGE'));
      else if (memory.used > memory.limit)
        body.destroy(codedError(errorCode(this.#writer.failure) ?? 'ENOSPC'));
      else if (this.#writer.isBehind) body.pause();
    });
    await finished(body);
  }

  /** Gives the body to the window, and writes only a summary of it. */
  async #recordRefusal(head: Omit<ResponseHead, 'refusal'> & { at: number }, body: Readable) {
    const { controller, times } = this.#options;
    addAbortSignal(AbortSignal.timeout(times.heartbeatMs), body);
    const text = await readBoundedText(body as AsyncIterable<Buffer>).catch((failure: unknown) => {
      if (controller.signal.aborted) throw failure;
      // The status counts although the body broke or does not end.
      return null;
    });
    // Without a body, a 401 would count as the service's own, and blame the key.
    if (text !== null) this.#options.send({ type: 'refused', id: this.#start.id, body: text });
    this.#writer.add({ type: 'head', ...head, refusal: summaryOf(text) });
  }

  /** Stops the request if its file was removed. That is how any window stops a response. */
  async #stopIfRemoved(): Promise<void> {
    const { path } = this.#start;
    if (await fileExists(path)) return;
    // If the folder was only moved away, for example with a disk, the response continues.
    if (this.#hasNoName() || (await wasRemoved(path))) this.#options.controller.abort();
  }

  /** Windows keeps the name of a removed file until it is closed, but no longer opens it. */
  #hasNoName(): boolean {
    try {
      return fstatSync(this.#file).nlink === 0;
    } catch {
      return false;
    }
  }
}

function recordedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = RECORDED_HEADERS.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    kept.filter((each): each is [(typeof each)[0], string] => each[1] !== undefined),
  );
}

/** @param body null if it is too large */
function summaryOf(body: string | null): RefusalSummary {
  if (body === '') return 'empty';
  const { success, output } = v.safeParse(errorBodySchema, parseJson(body ?? ''));
  if (!success) return 'foreign';
  const { code, reason } = output;
  return { code, ...(reason !== null && { reason: isReason(reason) ? reason : '' }) };
}
