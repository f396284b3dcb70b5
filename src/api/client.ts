import type { GenericSchema } from 'valibot';
import { systemClock, type Clock } from '../base/clock.ts';
import type { ApiRoot } from './apiRoot.ts';
import { readChatStream } from './chatStream.ts';
import { ApiError, type Route } from './errors.ts';
import {
  chatRequest,
  createRequest,
  keyRequest,
  secretRequest,
  type OutgoingRequest,
} from './requests.ts';
import { readSuccess } from './responses.ts';
import { withRetries, type RetryableCall } from './retry.ts';
import { internSchema, keyResponseSchema, secretResponseSchema } from './schemas.ts';
import type { CallOptions, RequestLogEntry, ServiceClient } from './serviceClient.ts';
import { HttpExchange, type FetchLike, type TransportConfig } from './transport.ts';
import type {
  ChatEvent,
  ChatRequest,
  Intern,
  KeyInfo,
  SecretDraft,
  SecretMetadata,
  StoredCreate,
} from './types.ts';

/** Budget of a request that is no stream, its body included, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Budget of a create, which may provision before it answers. */
const CREATE_TIMEOUT_MS = 180_000;
/** What a client is made of. */
export interface ServiceClientConfig {
  readonly root: ApiRoot;
  /** The key of the account, asked for at each request. */
  readonly key: () => string | Promise<string>;
  /** The platform's `fetch` unless given. */
  readonly fetch?: FetchLike;
  readonly clock?: Clock;
  /** A number from 0 up to 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Called once for each request when it has ended. */
  readonly log?: (entry: RequestLogEntry) => void;
}

/** Makes a client of one account: a key and the root that it belongs to. */
export function createServiceClient(config: ServiceClientConfig): ServiceClient {
  return new HttpServiceClient(config);
}

class HttpServiceClient implements ServiceClient {
  readonly #config: TransportConfig;
  readonly #random: () => number;

  constructor({ root, key, fetch: fetchLike, clock, random, log }: ServiceClientConfig) {
    this.#random = random ?? Math.random;
    this.#config = {
      root,
      key,
      // Looked up at each call: editors put their proxy and certificates into the global one after start.
      fetch: fetchLike ?? ((url, init) => fetch(url, init)),
      clock: clock ?? systemClock,
      log: log ?? (() => undefined),
    };
  }

  streamChat(
    internId: string,
    request: ChatRequest,
    options: CallOptions = {},
  ): AsyncIterable<readonly ChatEvent[]> {
    const open = async (): Promise<HttpExchange> =>
      this.#open(chatRequest(internId, request), options);
    return readChatStream({ open, clock: this.#config.clock, options });
  }

  getKey(options: CallOptions = {}): Promise<KeyInfo> {
    return this.#call({ operation: 'key' }, keyRequest, keyResponseSchema, options);
  }

  createIntern(draft: StoredCreate, options: CallOptions = {}): Promise<Intern> {
    const request = (): OutgoingRequest => createRequest(draft);
    return this.#call({ operation: 'create' }, request, internSchema, options);
  }

  putSecret(name: string, secret: SecretDraft, options: CallOptions = {}): Promise<SecretMetadata> {
    const request = (): OutgoingRequest => secretRequest(name, secret);
    return this.#call({ operation: 'secret' }, request, secretResponseSchema, options);
  }

  /** Makes a call that answers with JSON, repeated as {@link withRetries} says. */
  async #call<T>(
    what: RetryableCall,
    prepare: () => OutgoingRequest,
    schema: GenericSchema<unknown, T>,
    options: CallOptions,
  ): Promise<T> {
    const request = prepare();
    return withRetries(what, () => this.#attempt(request, schema, options), {
      clock: this.#config.clock,
      random: this.#random,
      signal: options.signal,
      onRetry: options.onRetry,
    });
  }

  async #attempt<T>(
    request: OutgoingRequest,
    schema: GenericSchema<unknown, T>,
    options: CallOptions,
  ): Promise<T> {
    const exchange = await this.#open(request, options);
    try {
      const timeoutMs = request.route === 'create' ? CREATE_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
      const response = await exchange.send(timeoutMs);
      const body = await exchange.readText(response);
      const result = readSuccess(response, body, schema, exchange.context);
      exchange.close(null);
      return result;
    } catch (error) {
      const failure = exchange.toApiError(error);
      exchange.close(failure);
      throw failure;
    }
  }

  /** @throws ApiError `signed-out` where there is no key that a header could carry; nothing is sent then */
  async #open(request: OutgoingRequest, options: CallOptions): Promise<HttpExchange> {
    return new HttpExchange(request, this.#config, await this.#key(request.route), options);
  }

  async #key(route: Route): Promise<string> {
    let key: string;
    try {
      key = await this.#config.key();
    } catch {
      key = '';
    }
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    throw new ApiError({ kind: 'signed-out', route, message: 'There is no usable key' });
  }
}
