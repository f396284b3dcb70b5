import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { NEVER_SENT, type StoredResponse } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import {
  KEEPER_ARGUMENT,
  OUTPUT_DESCRIPTOR,
  readLines,
  toLine,
  type FilePart,
  type FromKeeper,
  type KeeperConfig,
  type ProbeResult,
  type StartMessage,
  type ToKeeper,
} from '../../streamKeeper/keeperMessages.ts';
import { FrameReader } from './frameReader.ts';
import { fetchError, readStoredResponse } from './storedResponse.ts';

/** V8's last stage of optimization and a growing young generation cost 10 MB and save no time in a keeper. */
const NODE_FLAGS = ['--no-opt', '--semi-space-growth-factor=1'];

/** How long a keeper may take to start, in ms. An editor that cannot run one opens a second editor instead. */
const START_TIMEOUT_MS = 3_000;

/** The result of a probe whose keeper has ended. */
const NO_RESULT: ProbeResult = { status: null, code: null };

/** A response, and what the keeper has said about it. */
interface KeeperResponse {
  /** Gets the parts of the file. */
  readonly reader: FrameReader;
  refusedBody?: string;
  /** The code of the system if the file could not be created. */
  createFailure?: string | null;
}

interface KeeperProcessOptions {
  readonly script: string;
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly clock: Clock;
  /** Called if a part of a response could not be written, or its file could not be created. */
  readonly onWriteFailed: (code: string | null) => void;
}

/** The window's side of a keeper that the window started. */
export class KeeperProcess implements Disposable {
  readonly #process: ChildProcess;
  readonly #output: Readable;
  readonly #onWriteFailed: KeeperProcessOptions['onWriteFailed'];
  readonly #responses = new Map<number, KeeperResponse>();
  readonly #probes = new Map<number, (result: ProbeResult) => void>();
  #lastId = 0;
  #onHello: ((works: boolean) => void) | undefined;
  #hasEnded = false;

  private constructor({ script, folder, environment, onWriteFailed }: KeeperProcessOptions) {
    this.#onWriteFailed = onWriteFailed;
    this.#process = spawn(process.execPath, [...NODE_FLAGS, script, KEEPER_ARGUMENT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      cwd: folder,
      env: environment,
      windowsHide: true,
    });
    // These come before the pipes, which are missing if there are no free file descriptors.
    this.#process.on('error', () => this.#end()).on('close', () => this.#end());
    const { stdin, stdio } = this.#process;
    this.#output = stdio[OUTPUT_DESCRIPTOR] as Readable;
    this.#process.unref();
    for (const stream of [stdin, this.#output]) if (stream instanceof Socket) stream.unref();
    stdin?.on('error', () => undefined);
    this.#output.on('error', () => undefined);
    readLines(this.#output, (message) => this.#handleMessage(message as FromKeeper));
  }

  /** Starts a process and waits for its first message. Ends it and returns undefined if none comes in time. */
  static async start(options: KeeperProcessOptions): Promise<KeeperProcess | undefined> {
    let keeper: KeeperProcess;
    try {
      keeper = new KeeperProcess(options);
    } catch {
      return undefined;
    }
    const works = await new Promise<boolean>((resolve) => {
      // The message may be there already: a window that was busy gets its timers before its input.
      const expire = () => setImmediate(resolve, false);
      const limit = options.clock.setTimeout(expire, START_TIMEOUT_MS);
      keeper.#onHello = (works) => {
        limit.dispose();
        resolve(works);
      };
    });
    if (works) return keeper;
    keeper.#process.kill('SIGKILL');
    keeper.dispose();
    return undefined;
  }

  /** True once the process is gone and its last message was read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  configure(config: Omit<KeeperConfig, 'type'>): void {
    this.#send({ type: 'config', ...config });
  }

  /** Sends a request and reads its response. Returns undefined if the request was certainly not sent. */
  fetch(
    request: Omit<StartMessage, 'type' | 'id'>,
    signal: AbortSignal,
  ): Promise<StoredResponse | undefined> {
    const id = ++this.#lastId;
    // The body of a refusal comes over the pipe only, just before the parts of the file that tell of it.
    const reader = new FrameReader(request.path, false);
    const response: KeeperResponse = { reader };
    this.#responses.set(id, response);
    this.#send({ type: 'start', id, ...request });
    return readStoredResponse(
      {
        reader,
        wait: () => reader.wait(),
        checkLost: () =>
          // Another window took over and recorded that nothing was sent.
          response.createFailure === 'EEXIST'
            ? Promise.reject(fetchError(NEVER_SENT))
            : Promise.resolve(response.createFailure !== undefined || this.#hasEnded),
        refusedBody: () => response.refusedBody,
        stop: () => this.#send({ type: 'stop', id }),
        onEnd: () => this.#responses.delete(id),
      },
      signal,
    );
  }

  /** Sends a GET request. */
  probe(url: string, headers: Readonly<Record<string, string>>): Promise<ProbeResult> {
    if (this.#hasEnded) return Promise.resolve(NO_RESULT);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#probes.set(id, resolve);
      this.#send({ type: 'probe', id, url, headers });
    });
  }

  /** Closes the pipes. The process continues. */
  dispose(): void {
    this.#process.stdin?.end();
    this.#output.destroy();
  }

  #send(message: ToKeeper): void {
    if (this.#process.stdin?.writable === true) this.#process.stdin.write(toLine(message));
  }

  #handleMessage(message: FromKeeper): void {
    const response = 'id' in message ? this.#responses.get(message.id) : undefined;
    switch (message.type) {
      case 'hello':
        this.#onHello?.(true);
        break;
      case 'parts':
        for (const part of message.parts) this.#handlePart(part);
        break;
      case 'refused':
        if (response !== undefined) response.refusedBody = message.body;
        break;
      case 'write-failed':
        if (response === undefined) break;
        this.#onWriteFailed(message.code);
        if (message.isCreated) break;
        response.createFailure = message.code;
        // The keeper also sends the first frame, as if it were in a file.
        this.#responses.delete(message.id);
        response.reader.recheck();
        break;
      case 'probe-result':
        this.#probes.get(message.id)?.(message);
        this.#probes.delete(message.id);
        break;
    }
  }

  #handlePart([id, offset, bytes]: FilePart): void {
    const reader = this.#responses.get(id)?.reader;
    if (bytes === null) reader?.recheck();
    else reader?.insert(offset, Buffer.from(bytes, 'base64'));
  }

  #end(): void {
    this.#hasEnded = true;
    this.#onHello?.(false);
    for (const { reader } of this.#responses.values()) reader.recheck();
    for (const resolve of this.#probes.values()) resolve(NO_RESULT);
  }
}
