import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ApiRoot } from './apiRoot.ts';
import { ApiError, REASONS, type ApiErrorKind, type Route } from './errors.ts';
import { readNetworkFailure } from './networkErrors.ts';
import { redactor, type Redact } from './redact.ts';
import type { OutgoingRequest } from './requests.ts';
import { isRedirect, readBoundedText, readRefusal, type ResponseContext } from './responses.ts';
import type { CallOptions, RequestLogEntry, StreamFacts } from './serviceClient.ts';

/** What is asked of `fetch`; the platform's own will do. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: 'manual';
  readonly cache: 'no-store';
  readonly credentials: 'omit';
  readonly signal: AbortSignal;
}

export type FetchLike = (url: string, init: FetchInit) => Promise<Response>;

/** What a transport needs of the world. */
export interface TransportConfig {
  readonly root: ApiRoot;
  readonly key: () => string | Promise<string>;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly log: (entry: RequestLogEntry) => void;
}

/** Why this side ended an exchange. */
type AbortReason = Extract<ApiErrorKind, 'aborted' | 'timeout' | 'severed'>;

const MESSAGE_OF_ENDING: Readonly<Record<AbortReason, string>> = {
  aborted: 'Cancelled',
  timeout: 'No answer in time',
  severed: 'The stream fell silent',
};

/** One request and its response, from the first byte to the last. Ends once, in a line of the log. */
export class HttpExchange {
  readonly redact: Redact;
  readonly #request: OutgoingRequest;
  readonly #config: TransportConfig;
  readonly #key: string;
  readonly #caller: AbortSignal | undefined;
  readonly #tag: string | null;
  readonly #controller = new AbortController();
  readonly #startedMs: number;
  #deadline: Disposable | null = null;
  #ending: AbortReason | null = null;
  #status: number | null = null;
  #receivedBytes = 0;

  constructor(
    request: OutgoingRequest,
    config: TransportConfig,
    key: string,
    { signal, tag }: Pick<CallOptions, 'signal' | 'tag'>,
  ) {
    this.#request = request;
    this.#config = config;
    this.#key = key;
    this.#caller = signal;
    this.#tag = tag ?? null;
    this.#startedMs = config.clock.monotonic();
    this.redact = redactor({ keys: [key], values: request.secrets, names: request.names });
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted === true) this.#onAbort();
  }

  get route(): Route {
    return this.#request.route;
  }

  get context(): ResponseContext {
    return { route: this.route, redact: this.redact, nowMs: this.#config.clock.now() };
  }

  /**
   * Sends the request and answers with a response that is a success, its body unread.
   *
   * @param timeoutMs budget until the headers, and until {@link clearDeadline} for the body
   * @throws ApiError
   */
  async send(timeoutMs: number): Promise<Response> {
    this.#deadline = this.#config.clock.setTimeout(() => {
      this.abort('timeout');
    }, timeoutMs);
    const response = await this.#config.fetch(this.#config.root + this.#request.path, {
      method: this.#request.method,
      headers: this.#headers(),
      body: this.#request.body,
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      signal: this.#controller.signal,
    });
    this.#status = response.status;
    if (isRedirect(response)) {
      this.#controller.abort();
      const message = 'The service answered with a redirect, which is not followed';
      throw new ApiError({ kind: 'redirect', route: this.route, status: this.#status, message });
    }
    if (!response.ok) throw readRefusal(response, await this.readText(response), this.context);
    return response;
  }

  /** Reads the body of a response that is no stream, see {@link readBoundedText}. */
  readText(response: Response): Promise<string | null> {
    return readBoundedText(response, (bytes) => {
      this.countReceived(bytes);
    });
  }

  /** Takes note of so many bytes of the response's body, for the log. */
  countReceived(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Ends the budget of {@link send}: the rest may take as long as it takes. */
  clearDeadline(): void {
    this.#deadline?.dispose();
  }

  /** Ends the exchange from this side and frees its socket. The first reason counts. */
  abort(ending: AbortReason): void {
    this.#ending ??= ending;
    this.#controller.abort();
  }

  /** The one error that a failure of this exchange amounts to. */
  toApiError(failure: unknown, inStream = false): ApiError {
    if (failure instanceof ApiError) return failure;
    const { route } = this;
    if (this.#ending !== null) {
      const message = MESSAGE_OF_ENDING[this.#ending];
      return new ApiError({ kind: this.#ending, route, message, inStream });
    }
    const { kind, code } = readNetworkFailure(failure);
    const message = `The connection failed${code === null ? '' : ` (${code})`}`;
    return new ApiError({ kind: inStream ? 'severed' : kind, route, message, code, inStream });
  }

  /**
   * Lets go of timers and listeners and writes the line of the log.
   *
   * @param failure why the exchange failed, or what its stream told of a failure; null where all went well
   */
  close(failure: ApiError | null, stream?: StreamFacts): void {
    this.clearDeadline();
    this.#caller?.removeEventListener('abort', this.#onAbort);
    const { route, method, path, body, submitted } = this.#request;
    const reason = failure?.reason ?? null;
    this.#config.log({
      route,
      method,
      path,
      status: failure?.inStream === true ? this.#status : (failure?.status ?? this.#status),
      reason: reason && redactor({ values: submitted, names: REASONS })(reason),
      kind: failure?.kind ?? null,
      durationMs: this.#config.clock.monotonic() - this.#startedMs,
      sentBytes: new TextEncoder().encode(body ?? '').length,
      receivedBytes: this.#receivedBytes,
      tag: this.#tag,
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

  readonly #onAbort = (): void => {
    this.abort('aborted');
  };
}
