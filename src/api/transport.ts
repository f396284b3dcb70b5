import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ServiceUrl } from './serviceUrl.ts';
import { ApiError, REASONS, type ApiErrorKind } from './errors.ts';
import { MACHINE_SLEPT, MIN_SLEEP_MS, readNetworkFailure } from './networkErrors.ts';
import { createRedactor, type Redact } from './redact.ts';
import type { OutgoingRequest } from './requests.ts';
import {
  isRedirect,
  readBoundedText,
  readRefusal,
  redirectOrigin,
  type ResponseContext,
} from './responses.ts';
import type { MalformedProblem } from './types.ts';

export interface CallOptions {
  /** Identifies the caller in the log entry, such as the ID of a conversation. */
  readonly tag?: string;
  /** Ends the call with an `aborted` error and frees its socket. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the headers of an accepted chat response have come, before its body is read. `receivedAt` returns when
   * the bytes that were read last arrived, epoch ms; undefined if that is always now.
   */
  readonly onResponse?: (receivedAt: StoredResponse['receivedAt']) => void;
  /**
   * Called with the failure before each repetition of `getKey`, `putSecret` and `createIntern`. If it throws, the call
   * fails with that error.
   */
  readonly onRetry?: ((failure: ApiError) => void) | undefined;
  /**
   * Called when a chat stream that never carried a keepalive has been silent for three keepalive intervals, and again
   * after every three more. A proxy may buffer it, so the stream continues. `quietMs` is the silence so far, in ms.
   */
  readonly onSilence?: ((quietMs: number) => void) | undefined;
  /** Called when the first bytes come after `onSilence`. */
  readonly onSilenceEnd?: (() => void) | undefined;
}

/** One finished request, safe to log: no key, no body, no message. */
export interface RequestLogEntry extends Pick<OutgoingRequest, 'route' | 'method' | 'path'> {
  /** Null if no response came. */
  readonly status: number | null;
  readonly reason: string | null;
  /** Null if the request succeeded. */
  readonly kind: ApiErrorKind | null;
  /** Milliseconds from the request to the end of its body. */
  readonly durationMs: number;
  /** Bytes of the request's body. */
  readonly sentBytes: number;
  /** Bytes of the response's body that were read, decompressed. */
  readonly receivedBytes: number;
  readonly tag: string | null;
  /** Set if the response was a stream; a failure came in it then. */
  readonly stream?: StreamSummary;
}

/** Facts about a stream, without any of its content. */
export interface StreamSummary {
  /** See `ChatEvent`. */
  readonly completionId: string | null;
  /** The number of skipped parts, by problem. */
  readonly skipped: Readonly<Partial<Record<MalformedProblem, number>>>;
}

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: 'manual';
  readonly cache: 'no-store';
  readonly credentials: 'omit';
  readonly signal: AbortSignal;
}

/** A response that may be read later than it arrived. */
export interface StoredResponse extends Response {
  /** Returns when the bytes that were read last arrived, epoch ms. */
  readonly receivedAt?: () => number;
}

/** The part of the platform's `fetch` that is used. */
export type FetchLike = (url: string, init: FetchInit) => Promise<StoredResponse>;

/** The global `fetch`, looked up at each call: editors add their proxy and certificates to it after start. */
export const globalFetch: FetchLike = (url, init) => fetch(url, init);

/** Reason of an abort that ends the reading of a response, but not the response, since its window closes. */
export const DETACHED = 'detached';

/** Code of the error of a response that was ended because no window was left to read it. */
export const RESPONSE_STOPPED = 'ERR_RESPONSE_STOPPED';

export interface TransportConfig {
  readonly root: ServiceUrl;
  /** Returns the key of the account. Called for each request. */
  readonly key: () => string | Promise<string>;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Called once for each request, when it has ended. */
  readonly log: (entry: RequestLogEntry) => void;
}

const ABORT_MESSAGES = {
  aborted: 'Canceled',
  timeout: 'No response in time',
  severed: 'The stream fell silent',
} as const;

/** Why the client ended an exchange. */
type AbortReason = keyof typeof ABORT_MESSAGES;

/** One request and its response. Becomes one log entry when the response has ended. */
export class HttpExchange {
  readonly redact: Redact;
  readonly #request: OutgoingRequest;
  readonly #config: TransportConfig;
  readonly #key: string;
  readonly #options: Pick<CallOptions, 'signal' | 'tag'>;
  readonly #controller = new AbortController();
  /** Monotonic. */
  readonly #startedMs: number;
  /** The time of the last bytes, or of the start before any came, on the wall clock (epoch ms) and the monotonic one. */
  #lastBytes: { readonly at: number; readonly monotonicMs: number };
  #deadline: Disposable | null = null;
  #abortReason: AbortReason | null = null;
  #status: number | null = null;
  #receivedBytes = 0;

  constructor(
    request: OutgoingRequest,
    config: TransportConfig,
    key: string,
    options: Pick<CallOptions, 'signal' | 'tag'>,
  ) {
    this.#request = request;
    this.#config = config;
    this.#key = key;
    this.#options = options;
    this.#startedMs = config.clock.monotonic();
    this.#lastBytes = { at: config.clock.now(), monotonicMs: this.#startedMs };
    this.redact = createRedactor({ keys: [key], values: request.secrets, names: request.names });
    options.signal?.addEventListener('abort', this.#onAbort);
    if (options.signal?.aborted === true) this.#onAbort();
  }

  get context(): ResponseContext {
    const { route } = this.#request;
    return { route, redact: this.redact, nowMs: this.#config.clock.now() };
  }

  /**
   * Sends the request and returns a successful response whose body is unread.
   *
   * @param timeoutMs time limit until the headers, and for the body until {@link clearDeadline}
   * @throws ApiError
   */
  async send(timeoutMs: number): Promise<StoredResponse> {
    const { root, fetch, clock } = this.#config;
    const { route, method, path, body } = this.#request;
    this.#deadline = clock.setTimeout(() => this.abort('timeout'), timeoutMs);
    const url = root + path;
    const response = await fetch(url, {
      method,
      headers: this.#headers(),
      body,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal: this.#controller.signal,
    });
    this.#status = response.status;
    if (isRedirect(response)) {
      this.#controller.abort();
      const message = 'The service responded with a redirect, which is not followed';
      const origin = redirectOrigin(response.headers.get('location'), url);
      const redirectedTo = origin && this.redact(origin);
      throw new ApiError({ kind: 'redirect', route, status: this.#status, message, redirectedTo });
    }
    if (!response.ok)
      throw readRefusal(response, await this.#readRefusalText(response), this.context);
    return response;
  }

  /** Reads the body of a refusal. Its status counts even if the body breaks off or never ends. */
  async #readRefusalText(response: Response): Promise<string | null> {
    try {
      return await this.readText(response);
    } catch (failure) {
      if (this.#abortReason === 'aborted') throw failure;
      return null;
    }
  }

  /** Reads the body of a response that is not a stream, see {@link readBoundedText}. */
  readText(response: Response): Promise<string | null> {
    const body = response.body as AsyncIterable<Uint8Array> | null;
    return readBoundedText(body, (bytes) => this.countReceived(bytes));
  }

  /** Adds to the received bytes of the log entry. */
  countReceived(bytes: number): void {
    if (bytes === 0) return;
    const { clock } = this.#config;
    this.#receivedBytes += bytes;
    this.#lastBytes = { at: clock.now(), monotonicMs: clock.monotonic() };
  }

  /** Removes the time limit of {@link send}. */
  clearDeadline(): void {
    this.#deadline?.dispose();
  }

  /** Ends the exchange and frees its socket. The first reason counts. */
  abort(reason: AbortReason, signal?: AbortSignal): void {
    this.#abortReason ??= reason;
    this.#controller.abort(signal?.reason);
  }

  toApiError(failure: unknown, inStream = false): ApiError {
    if (failure instanceof ApiError) return failure;
    const { route } = this.#request;
    const aborted = this.#abortReason;
    const sleptCode = inStream && this.#hasSlept ? MACHINE_SLEPT : null;
    if (aborted !== null) {
      const message = ABORT_MESSAGES[aborted];
      const code = aborted === 'severed' ? sleptCode : null;
      return new ApiError({ kind: aborted, route, message, inStream, code });
    }
    const network = readNetworkFailure(failure);
    const code = sleptCode ?? network.code;
    const message = `The connection failed${code === null ? '' : ` (${code})`}`;
    const kind = inStream ? 'severed' : network.kind;
    return new ApiError({ kind, route, message, code, inStream });
  }

  /** True if the machine slept since bytes came last. A clock that was set forward looks the same. */
  get #hasSlept(): boolean {
    const { clock } = this.#config;
    const { at, monotonicMs } = this.#lastBytes;
    const awakeMs = clock.monotonic() - monotonicMs;
    return clock.now() - at - awakeMs >= MIN_SLEEP_MS;
  }

  /**
   * Releases timers and listeners and writes the log entry.
   *
   * @param failure why the exchange failed, or the failure that its stream reported; null if it succeeded
   */
  close(failure: ApiError | null, stream?: StreamSummary): void {
    this.clearDeadline();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    const { route, method, path, body, submitted } = this.#request;
    const reason = failure?.reason ?? null;
    this.#config.log({
      route,
      method,
      path,
      status: failure?.inStream === true ? this.#status : (failure?.status ?? this.#status),
      reason: reason && createRedactor({ values: submitted, names: REASONS })(reason),
      kind: failure?.kind ?? null,
      durationMs: this.#config.clock.monotonic() - this.#startedMs,
      sentBytes: new TextEncoder().encode(body ?? '').length,
      receivedBytes: this.#receivedBytes,
      tag: this.#options.tag ?? null,
      ...(stream && { stream }),
    });
  }

  #headers(): Record<string, string> {
    const { route, headers, body } = this.#request;
    return {
      ...headers,
      accept: route === 'chat' ? 'text/event-stream' : 'application/json',
      authorization: `Bearer ${this.#key}`,
      ...(body !== null && { 'content-type': 'application/json' }),
    };
  }

  readonly #onAbort = (): void => this.abort('aborted', this.#options.signal);
}
