import { dirname, join } from 'node:path';
import {
  globalFetch,
  NEVER_SENT,
  readNetworkFailure,
  wasNeverSent,
  type FetchInit,
  type FetchLike,
  type StoredResponse,
} from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import {
  POLICY_FILE,
  type KeeperPolicy,
  type KeeperTimes,
  type ProbeResult,
} from '../../streamKeeper/keeperMessages.ts';
import type { Log } from '../log/log.ts';
import { makeFolder, removeFile, replaceText } from '../storage/files.ts';
import { watchForeignKeeper } from './foreignKeeper.ts';
import { FrameReader } from './frameReader.ts';
import { keeperEnvironment, type ProxySetting } from './keeperEnvironment.ts';
import { KeeperProcess } from './keeperProcess.ts';
import { fetchError, KEEPER_LOST, readStoredResponse } from './storedResponse.ts';
import { markWindow, unattendedSince } from './windowMarks.ts';

/** Interval of checks for more of a response of another window's keeper, in ms. */
const POLL_INTERVAL_MS = 100;
/** How many keepers a request is given to, if each ends before it takes the request. */
const MAX_ATTEMPTS = 2;
/** How long no keeper is used after one did not start or did not reach the service, in ms. */
const RETRY_INTERVAL_MS = 60_000;
/** How many processes in a row may fail to start. An editor that cannot run one may open a window instead. */
const MAX_FAILED_STARTS = 3;
const PROXY_AUTHENTICATION_REQUIRED = 407;
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export interface StreamKeeperClientOptions {
  /** Absolute path of the extension's storage. */
  readonly folder: string;
  /** Absolute path of the keeper's bundle. */
  readonly script: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly policy: () => 'always' | 'untilClosed' | 'never';
  /** Returns the proxy of the editor's settings, if there is one. */
  readonly proxy: () => ProxySetting | undefined;
  /** Sends a request from this window. */
  readonly fetch?: FetchLike;
  /** ID of this window. */
  readonly window: string;
  /** Called when a response cannot be written because the disk is full. May repeat. */
  readonly onFullDisk?: () => void;
  /** Times of the keeper that tests shorten. */
  readonly times?: Partial<KeeperTimes>;
}

/** Sends chat requests through a process that outlives this window, and reads the responses from its files. */
export class StreamKeeperClient extends DisposableBase {
  readonly #options: StreamKeeperClientOptions;
  /** The service URLs that were tried. */
  readonly #reachability = new Map<string, Reachability>();
  /** Processes in a row that did not start. */
  #failedStarts = 0;
  /** When a process was started last, on the monotonic clock. */
  #startedAt = 0;
  #starting: Promise<KeeperProcess | undefined> | undefined;
  #process: KeeperProcess | undefined;

  /** When the last window before this one closed, see {@link unattendedSince}. */
  readonly unattendedSince: number | undefined;

  constructor(options: StreamKeeperClientOptions) {
    super();
    this.#options = options;
    this.unattendedSince = unattendedSince(this.#windowsFolder);
    this.own(markWindow(this.#windowsFolder, options.window, options.log));
    this.updatePolicy();
    this.own({ dispose: () => this.#process?.dispose() });
  }

  /**
   * Returns a fetch whose request the keeper sends, and whose response it writes to `path`. If no keeper works, the
   * window sends the request, but only if the keeper certainly has not.
   *
   * @param onFallback called before the window sends the request itself
   */
  fetchTo(path: string, onFallback: () => void = () => undefined): FetchLike {
    return async (url, init) => {
      const response = await this.#fetchByKeeper({ path, url, init });
      if (response !== undefined) return response;
      onFallback();
      return this.#fetchInWindow(url, init);
    };
  }

  /**
   * Returns a fetch that sends nothing and reads the response at `path` from its start.
   *
   * Fails with the code `NEVER_SENT` if there is no file, and reserves the file so that no keeper sends the request
   * later.
   */
  fetchFrom(path: string): FetchLike {
    return async (_url, { signal }) => {
      const { clock, window } = this.#options;
      const reader = new FrameReader(path);
      const checkLost = watchForeignKeeper(path, clock, window);
      const response = await readStoredResponse(
        {
          reader,
          wait: async () => {
            const timer = clock.setTimeout(() => reader.recheck(), POLL_INTERVAL_MS);
            await reader.wait();
            timer.dispose();
          },
          checkLost: (opening) => checkLost(opening, reader.offset),
          refusedBody: () => undefined,
          stop: () => this.#stop(path),
        },
        signal,
      );
      if (response === undefined) throw fetchError(KEEPER_LOST);
      return response;
    };
  }

  /** The state of this window's keeper, for diagnostics. */
  get status(): 'running' | 'stopped' | 'unavailable' {
    if (this.#failedStarts > 0) return 'unavailable';
    return this.#process?.hasEnded === false ? 'running' : 'stopped';
  }

  /**
   * Has the keeper send a GET request for a check. The next chat request tries the keeper again.
   *
   * @returns `off` if the user turned keepers off, `unavailable` if none can run
   */
  async probe(
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<ProbeResult | 'off' | 'unavailable'> {
    if (this.#options.policy() === 'never') return 'off';
    this.#reachability.clear();
    const keeper = await this.#ensureProcess();
    return keeper === undefined ? 'unavailable' : keeper.probe(url, headers);
  }

  /** Writes the policy for all keepers, also those whose window is gone. Called after it has changed. */
  updatePolicy(): void {
    const policy: KeeperPolicy = this.#options.policy() === 'always' ? 'always' : 'untilClosed';
    replaceText(join(this.#windowsFolder, POLICY_FILE), policy).catch((failure: unknown) => {
      this.#options.log.warn('Could not write whether runs continue', failure);
    });
  }

  get #windowsFolder(): string {
    return join(this.#options.folder, 'windows');
  }

  async #fetchInWindow(url: string, init: FetchInit): Promise<StoredResponse> {
    const { fetch = globalFetch } = this.#options;
    try {
      return await fetch(url, init);
    } catch (failure) {
      this.#reachability.delete(rootOf(url));
      throw failure;
    }
  }

  /** Returns undefined if the keeper has certainly not sent the request. */
  async #fetchByKeeper(request: KeeperRequest): Promise<StoredResponse | undefined> {
    const { signal } = request.init;
    if (this.#options.policy() === 'never') return undefined;
    if (!(await unlessAborted(this.#reaches(request), signal))) return undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const keeper = await unlessAborted(this.#ensureProcess(), signal);
      if (keeper === undefined) break;
      const response = await this.#send(keeper, request);
      if (response !== undefined || !keeper.hasEnded) return response;
    }
    return undefined;
  }

  /** Returns whether the keeper reaches the service. Tried once per service URL, until a connection fails. */
  #reaches({ url, init }: KeeperRequest): Promise<boolean> {
    const root = rootOf(url);
    const known = this.#reachability.get(root);
    if (known !== undefined && !this.#isDue(known.failedAt)) return known.works;
    const probed: Reachability = { works: this.#probe(root, init) };
    this.#reachability.set(root, probed);
    void probed.works.then((works) => {
      if (!works) probed.failedAt = this.#options.clock.monotonic();
    });
    return probed.works;
  }

  async #probe(root: string, { headers }: FetchInit): Promise<boolean> {
    const keeper = await this.#ensureProcess();
    if (keeper === undefined) return false;
    const { authorization = '' } = headers;
    const { status } = await keeper.probe(`${root}/key`, {
      authorization,
      accept: 'application/json',
    });
    const works = status !== null && status !== PROXY_AUTHENTICATION_REQUIRED;
    if (!works) this.#options.log.warn('The stream keeper does not reach the service');
    return works;
  }

  /** Returns the process of this window. Starts one if none runs; undefined if it cannot. */
  async #ensureProcess(): Promise<KeeperProcess | undefined> {
    if (this.isDisposed) return undefined;
    const mayRetry = this.#failedStarts > 0 && this.#failedStarts < MAX_FAILED_STARTS;
    if (mayRetry && this.#isDue(this.#startedAt)) this.#starting = undefined;
    const starting = (this.#starting ??= this.#start());
    const keeper = await starting;
    if (keeper?.hasEnded !== true) return keeper;
    if (this.#starting === starting) this.#starting = undefined;
    return this.#ensureProcess();
  }

  /** Returns whether to try again. @param failedAt when the last try failed, if it did */
  #isDue(failedAt = Infinity): boolean {
    return this.#options.clock.monotonic() - failedAt >= RETRY_INTERVAL_MS;
  }

  async #start(): Promise<KeeperProcess | undefined> {
    const { folder, script, clock, proxy, log, window, times } = this.#options;
    this.#startedAt = clock.monotonic();
    const environment = keeperEnvironment(process.env, proxy());
    const keeper = await KeeperProcess.start({
      folder,
      script,
      clock,
      environment,
      onWriteFailed: (code) => this.#reportWriteFailure(code),
    });
    this.#process = keeper;
    this.#failedStarts = keeper === undefined ? this.#failedStarts + 1 : 0;
    if (keeper === undefined) {
      log.warn('No stream keeper can run here, so requests end with their window');
      return undefined;
    }
    if (this.isDisposed) keeper.dispose();
    keeper.configure({ window, windowsFolder: this.#windowsFolder, ...(times && { times }) });
    log.info(`Started a stream keeper, process ${keeper.pid ?? 0}`);
    return keeper;
  }

  /** Returns undefined if the request was certainly not sent. */
  async #send(
    keeper: KeeperProcess,
    { path, url, init }: KeeperRequest,
  ): Promise<StoredResponse | undefined> {
    const { method, headers, body, signal } = init;
    try {
      await makeFolder(dirname(path));
    } catch (failure) {
      this.#options.log.warn('The folder of a response could not be created', failure, path);
      return undefined;
    }
    try {
      return await keeper.fetch({ path, url, method, headers, body }, signal);
    } catch (failure) {
      if (signal.aborted) throw failure;
      this.#reachability.delete(rootOf(url));
      const network = readNetworkFailure(failure);
      if (!wasNeverSent(network) || network.code === NEVER_SENT) throw failure;
      this.#options.log.warn('The stream keeper could not connect to the service', failure);
      await removeFile(path);
      return undefined;
    }
  }

  #reportWriteFailure(code: string | null): void {
    const failure = code === null ? undefined : fetchError(code);
    this.#options.log.warn('A response could not be written', failure);
    if (code !== null && DISK_FULL_CODES.has(code)) this.#options.onFullDisk?.();
  }

  /** Stops a response that any keeper writes. */
  #stop(path: string): void {
    removeFile(path).catch((failure: unknown) => {
      this.#options.log.warn('Could not remove a response', failure, path);
    });
  }
}

interface Reachability {
  /** Resolves to true if the keeper reaches the service. */
  readonly works: Promise<boolean>;
  /** When it failed to, on the monotonic clock. */
  failedAt?: number;
}

interface KeeperRequest {
  readonly path: string;
  readonly url: string;
  readonly init: FetchInit;
}

/** Returns the service URL of a chat request. */
function rootOf(url: string): string {
  const end = url.lastIndexOf('/interns/');
  return end === -1 ? url : url.slice(0, end);
}

/** Resolves like a promise, or rejects with the reason of the abort. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
