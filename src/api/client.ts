import type { GenericSchema } from 'valibot';
import { systemClock } from '../base/clock.ts';
import { readChatStream } from './chatStream.ts';
import { ApiError } from './errors.ts';
import {
  chatRequest,
  createRequest,
  keyRequest,
  secretRequest,
  sentChatRequest,
  type OutgoingRequest,
} from './requests.ts';
import { readSuccess } from './responses.ts';
import { withRetries } from './retry.ts';
import { internSchema, keyResponseSchema, secretResponseSchema } from './schemas.ts';
import { globalFetch, HttpExchange, type CallOptions, type TransportConfig } from './transport.ts';
import type {
  ChatEvent,
  ChatRequest,
  Intern,
  KeyInfo,
  SecretDraft,
  SecretMetadata,
  StoredCreate,
} from './types.ts';

/** Time limit of a request whose response is not a stream, body included, in ms. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Time limit of a create, which may provision before it returns. */
const CREATE_TIMEOUT_MS = 180_000;

interface ClientConfig extends TransportConfig {
  /** Returns a number from 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
}

export type ServiceClientConfig = Pick<ClientConfig, 'root' | 'key'> & Partial<ClientConfig>;

/** The service, for one account. Every failure is an `ApiError`. */
export type ServiceClient = Pick<
  HttpServiceClient,
  'streamChat' | 'getKey' | 'createIntern' | 'putSecret'
>;

export function createServiceClient(config: ServiceClientConfig): ServiceClient {
  return new HttpServiceClient(config);
}

class HttpServiceClient {
  readonly #config: ClientConfig;

  constructor(config: ServiceClientConfig) {
    const defaults = { fetch: globalFetch, clock: systemClock, random: Math.random };
    this.#config = { ...defaults, log: () => undefined, ...config };
  }

  /**
   * Sends a prompt or an answer (POST /interns/{internId}/chat/completions) and reads the response through `[DONE]`.
   *
   * Yields the events that each network chunk completed, never an empty array. Ends normally only if the finish chunk,
   * the final chunk and `[DONE]` came; otherwise it throws after it has yielded all that came. A `finish` event with
   * reason `error` does not throw. Nothing is repeated. Leaving the loop early frees the socket.
   *
   * @param request null if it was sent before: the client's `fetch` only reads its response, and needs no key
   * @throws ApiError
   */
  streamChat(
    internId: string,
    request: ChatRequest | null,
    options: CallOptions = {},
  ): AsyncIterable<readonly ChatEvent[]> {
    const open = async () =>
      request === null
        ? new HttpExchange(sentChatRequest(internId), this.#config, await this.#key(), options)
        : this.#open(chatRequest(internId, request), options);
    return readChatStream(open, this.#config.clock, options);
  }

  /** Reads the key's information (GET /key), repeated after a lost connection, 408, 429 and 5xx. @throws ApiError */
  async getKey(options: CallOptions = {}): Promise<KeyInfo> {
    return this.#call(keyRequest, keyResponseSchema, options);
  }

  /** Creates an intern or resumes its creation (POST /interns) with the stored bytes. @throws ApiError */
  async createIntern(draft: StoredCreate, options: CallOptions = {}): Promise<Intern> {
    return this.#call(createRequest(draft), internSchema, options);
  }

  /** Creates or replaces a secret (PUT /vault/secrets/{name}), repeated as getKey except after 503. @throws ApiError */
  async putSecret(
    name: string,
    secret: SecretDraft,
    options: CallOptions = {},
  ): Promise<SecretMetadata> {
    return this.#call(secretRequest(name, secret), secretResponseSchema, options);
  }

  #call<T>(
    request: OutgoingRequest<'key' | 'create' | 'secret'>,
    schema: GenericSchema<unknown, T>,
    options: CallOptions,
  ): Promise<T> {
    const attempt = () => this.#attempt(request, schema, options);
    return withRetries({ operation: request.route }, attempt, { ...this.#config, ...options });
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

  /** Returns the account's key; empty without one. */
  async #key(): Promise<string> {
    try {
      return await this.#config.key();
    } catch {
      return '';
    }
  }

  /** @throws ApiError `signed-out` if there is no key, or it does not fit into a header; nothing is sent then */
  async #open(request: OutgoingRequest, options: CallOptions): Promise<HttpExchange> {
    const key = await this.#key();
    if (/^[\x21-\x7e]+$/.test(key)) return new HttpExchange(request, this.#config, key, options);
    const message = 'There is no usable key';
    throw new ApiError({ kind: 'signed-out', route: request.route, message });
  }
}
