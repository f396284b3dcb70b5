/**
 * The stream keeper: a process of its own that sends chat requests and writes each response to a file, so that a run
 * outlives the window that started it. The window talks to it over two pipes.
 *
 * It loads nothing after its start, since an update may remove the extension's folder.
 */
import { Socket } from 'node:net';
import { join } from 'node:path';
import { readNetworkFailure } from '../api/networkErrors.ts';
import { errorCode, readText } from '../platform/storage/files.ts';
import { createProcessMark, isAnyAlive } from '../platform/storage/processMark.ts';
import { FlushTimer } from './flushTimer.ts';
import { ResponseRecorder } from './responseRecorder.ts';
import {
  OUTPUT_DESCRIPTOR,
  POLICY_FILE,
  readLines,
  toLine,
  type FilePart,
  type FromKeeper,
  type KeeperConfig,
  type KeeperPolicy,
  type KeeperTimes,
  type ProbeResult,
  type StartMessage,
  type ToKeeper,
} from './keeperMessages.ts';
import { sendRequest } from './request.ts';
import type { MemoryBudget } from './responseWriter.ts';

/** Maximum number of bytes that wait in memory for a full disk. */
const MAX_UNWRITTEN_BYTES = 64 * 1_048_576;
/** How long a probe may take, in ms. */
const PROBE_TIMEOUT_MS = 10_000;
/** How long responses may take to write their end after SIGTERM, in ms. */
const FINAL_WRITE_TIMEOUT_MS = 2_000;

const DEFAULT_TIMES: KeeperTimes = {
  idleMs: 60_000,
  // A running process keeps the editor on Windows from updating itself.
  graceMs: process.platform === 'win32' ? 15_000 : 120_000,
  windowCheckMs: 3_000,
  heartbeatMs: 15_000,
  silenceTimeoutMs: 600_000,
};

class StreamKeeper {
  readonly #output = new Socket({ fd: OUTPUT_DESCRIPTOR, readable: false, writable: true });
  /** The requests that run. Aborting stops one. */
  readonly #requests = new Map<number, AbortController>();
  readonly #work = new Set<Promise<void>>();
  readonly #memory: MemoryBudget = { limit: MAX_UNWRITTEN_BYTES, used: 0 };
  readonly #flushTimer = new FlushTimer();
  #config: KeeperConfig | undefined;
  #hasWindow = true;
  /** True if any window was open at the last check, after this keeper's own has closed. */
  #isAnyWindowOpen = false;
  #idle: NodeJS.Timeout | undefined;
  /** Parts of files that are sent to the window next. */
  #parts: FilePart[] = [];
  /** Responses whose files the window should read once it reads its pipe again. */
  readonly #unread = new Set<number>();

  start(): void {
    // The window may be gone at any time.
    this.#output.on('error', () => this.#loseWindow()).on('drain', () => this.#sendUnread());
    process.stdin.on('error', () => this.#loseWindow()).on('close', () => this.#loseWindow());
    process.once('SIGTERM', () => void this.#end());
    readLines(process.stdin, (message) => this.#handleMessage(message as ToKeeper));
    this.#send({ type: 'hello' });
    this.#exitWhenIdle();
  }

  get #times(): KeeperTimes {
    return { ...DEFAULT_TIMES, ...this.#config?.times };
  }

  #handleMessage(message: ToKeeper): void {
    switch (message.type) {
      case 'config':
        this.#config = message;
        break;
      case 'start':
        this.#track(this.#record(message));
        break;
      case 'stop':
        this.#requests.get(message.id)?.abort();
        break;
      case 'probe':
        this.#track(this.#probe(message));
        break;
    }
    this.#exitWhenIdle();
  }

  #track(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => {
      this.#work.delete(work);
      this.#exitWhenIdle();
    });
  }

  async #record(start: StartMessage): Promise<void> {
    const controller = new AbortController();
    this.#requests.set(start.id, controller);
    const keeper = await createProcessMark(this.#config?.window ?? '');
    let recorder: ResponseRecorder | undefined;
    try {
      recorder = new ResponseRecorder(start, {
        keeper,
        times: this.#times,
        memory: this.#memory,
        flushTimer: this.#flushTimer,
        controller,
        // Another window may continue to read, and shows the user how long the service is silent.
        hasWindow: () => this.#hasWindow || this.#isAnyWindowOpen,
        send: (message) => this.#send(message),
        onBytes: (id, offset, bytes) => this.#deliver(id, offset, bytes),
      });
    } catch (failure) {
      const code = errorCode(failure) ?? null;
      this.#send({ type: 'write-failed', id: start.id, code, isCreated: false });
    }
    await recorder?.run();
    this.#requests.delete(start.id);
  }

  async #probe({ id, url, headers }: Extract<ToKeeper, { type: 'probe' }>): Promise<void> {
    let result: ProbeResult;
    try {
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
      const request = { url, method: 'GET', headers, body: null };
      const { status, body } = await sendRequest(request, signal);
      body.destroy();
      result = { status, code: null };
    } catch (failure) {
      result = { status: null, code: readNetworkFailure(failure).code };
    }
    this.#send({ type: 'probe-result', id, ...result });
  }

  #send(message: FromKeeper): void {
    if (this.#hasWindow) this.#output.write(toLine(message));
  }

  /** Sends the window a part of a file, in one message with the others of this turn of the event loop. */
  #deliver(id: number, offset: number, bytes: Buffer): void {
    if (!this.#hasWindow) return;
    // A window that hangs does not read its pipe.
    if (this.#output.writableNeedDrain) {
      this.#unread.add(id);
      return;
    }
    if (this.#parts.length === 0) setImmediate(() => this.#sendParts());
    this.#parts.push([id, offset, bytes.toString('base64')]);
  }

  #sendParts(): void {
    this.#send({ type: 'parts', parts: this.#parts });
    this.#parts = [];
  }

  #sendUnread(): void {
    if (this.#unread.size === 0) return;
    const parts = Array.from(this.#unread, (id): FilePart => [id, 0, null]);
    this.#unread.clear();
    this.#send({ type: 'parts', parts });
  }

  #exitWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#work.size > 0) return;
    if (!this.#hasWindow) process.exit();
    this.#idle = setTimeout(() => process.exit(), this.#times.idleMs);
  }

  #loseWindow(): void {
    if (!this.#hasWindow) return;
    this.#hasWindow = false;
    this.#exitWhenIdle();
    if (this.#config !== undefined) void this.#endAfterWindows(this.#config.windowsFolder);
  }

  /** Ends the process after the grace time without a window. Time that the machine sleeps does not count. */
  async #endAfterWindows(folder: string): Promise<void> {
    const { graceMs, windowCheckMs } = this.#times;
    let unattendedMs = 0;
    while (unattendedMs < graceMs) {
      await new Promise((resolve) => setTimeout(resolve, windowCheckMs));
      // If the disk fails, it may come back.
      this.#isAnyWindowOpen = await isAnyAlive(folder).catch(() => true);
      const mayContinue = this.#isAnyWindowOpen || (await mayOutliveWindows(folder));
      unattendedMs = mayContinue ? 0 : unattendedMs + windowCheckMs;
    }
    await this.#end();
  }

  async #end(): Promise<void> {
    for (const controller of this.#requests.values()) controller.abort();
    setTimeout(() => process.exit(), FINAL_WRITE_TIMEOUT_MS);
    await Promise.allSettled(this.#work);
    process.exit();
  }
}

/** Returns whether the user lets runs outlive all windows; true if the disk fails. */
async function mayOutliveWindows(folder: string): Promise<boolean> {
  const untilClosed: KeeperPolicy = 'untilClosed';
  const policy = await readText(join(folder, POLICY_FILE)).catch(() => undefined);
  return policy !== untilClosed;
}

new StreamKeeper().start();
