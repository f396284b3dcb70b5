import type { ApiError, ApiErrorKind, Route } from './errors.ts';
import type {
  ChatEvent,
  ChatRequest,
  Intern,
  KeyInfo,
  MalformedProblem,
  SecretDraft,
  SecretMetadata,
  StoredCreate,
} from './types.ts';

/** What a caller may say about one call. */
export interface CallOptions {
  /** Goes into the log entry, to match it with what asked: the id of a conversation, for one. */
  readonly tag?: string;
  /** Ends the call with an `aborted` error and frees its socket. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the headers of an accepted chat response have come, before its body is read. */
  readonly onResponse?: () => void;
  /** Called with the failure before each repetition of `getKey`, `putSecret` and `createIntern`. */
  readonly onRetry?: ((failure: ApiError) => void) | undefined;
  /**
   * Called when a chat stream has been silent for three keepalive intervals and cannot be told from one that a proxy
   * buffers, because it never carried a keepalive; `quietMs` is the silence so far in milliseconds. The stream goes on.
   */
  readonly onSilence?: (quietMs: number) => void;
  /** Called when bytes of the stream come again after `onSilence`. */
  readonly onSilenceEnd?: () => void;
}

/** One finished request, safe to log: no key, no body, no message. */
export interface RequestLogEntry {
  readonly route: Route;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path under the API root, with ids. */
  readonly path: string;
  /** Null where no response came. */
  readonly status: number | null;
  readonly reason: string | null;
  /** Null where the request succeeded. */
  readonly kind: ApiErrorKind | null;
  /** Milliseconds from the request to its end; a stream's end is that of its body. */
  readonly durationMs: number;
  /** Bytes of the request's body. */
  readonly sentBytes: number;
  /** Bytes of the response's body that were read, decompressed. */
  readonly receivedBytes: number;
  /** The caller's own; null where it gave none. */
  readonly tag: string | null;
  /** Where the response was a stream: the failure, if there was one, came in it. */
  readonly stream?: StreamFacts;
}

/** What a stream was about, without anything that was said in it. */
export interface StreamFacts {
  /** What the service calls the response; null where it gave no id of 1 to 256 characters. */
  readonly completionId: string | null;
  /** How many parts were skipped, by what was wrong with them. */
  readonly skipped: Readonly<Partial<Record<MalformedProblem, number>>>;
}

/** The service, as this program uses it. Every failure is an `ApiError`. */
export interface ServiceClient {
  /**
   * Sends a prompt or an answer (POST /interns/{internId}/chat/completions) and reads the response through `[DONE]`.
   *
   * Yields, for each network chunk, the events that it completed; never an empty array. Ends normally only where the
   * finish chunk, the final chunk and `[DONE]` came; else it throws after everything that came was yielded.
   * A `finish` event with reason `error` is no throw: the stream goes on to its end. Nothing is repeated by itself.
   * Leaving the loop early frees the socket.
   *
   * @throws ApiError
   */
  streamChat(
    internId: string,
    request: ChatRequest,
    options?: CallOptions,
  ): AsyncIterable<readonly ChatEvent[]>;

  /** Reads the key's information (GET /key), repeated after a lost connection, 408, 429 and 5xx. @throws ApiError */
  getKey(options?: CallOptions): Promise<KeyInfo>;

  /** Creates an intern or resumes its creation (POST /interns) with the stored bytes. @throws ApiError */
  createIntern(draft: StoredCreate, options?: CallOptions): Promise<Intern>;

  /** Creates or replaces a secret (PUT /vault/secrets/{name}), repeated as getKey but for 503. @throws ApiError */
  putSecret(name: string, secret: SecretDraft, options?: CallOptions): Promise<SecretMetadata>;
}
