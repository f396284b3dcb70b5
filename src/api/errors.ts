/** The four routes, by what they are for. */
export type Route = 'chat' | 'key' | 'create' | 'secret';

/** The reasons that the interface lists. The service may give others, which are kept as text. */
export const REASONS = [
  'attachment_failed',
  'bad_request',
  'busy',
  'client_closed_request',
  'interaction_not_pending',
  'interaction_unknown',
  'intern_not_ready',
  'intern_rejected',
  'intern_unreachable',
  'not_found',
  'payload_too_large',
  'rate_limited',
  'run_ended',
  'stream_severed',
  'timeout',
  'turn_failed',
] as const;

export type Reason = (typeof REASONS)[number];

/** What went wrong, one kind for each thing that a user would do about it. */
export type ApiErrorKind =
  /** 401: no key, or one that the service does not know. */
  | 'signed-out'
  /** 403 with the service's error body on the routes of chat and key: the key's creator has left the organization and it holds no grant. */
  | 'left-organization'
  /** 404 without a reason: the caller is not in the interns programme. */
  | 'outsider'
  /** 404 `not_found`. */
  | 'intern-not-found'
  /** 404 `interaction_unknown`. */
  | 'interaction-unknown'
  /** 409 `interaction_not_pending`. */
  | 'interaction-not-pending'
  /** 409 `intern_not_ready`: the intern is not running. */
  | 'not-ready'
  /** 409 `busy`: another turn runs in this session. */
  | 'busy'
  /** 503 `busy`: the intern cannot hold another run open across a question now. */
  | 'no-capacity'
  /** 409 `attachment_failed`: another request is attached to the run. */
  | 'attachment-failed'
  /** 410 `attachment_failed`: more output than the intern retains; the paused stream cannot be resumed. */
  | 'run-output-lost'
  /** 410 `run_ended`: the intern confirmed that the run was cancelled or ran out of time. */
  | 'run-ended'
  /** 413. */
  | 'payload-too-large'
  /** 429. */
  | 'rate-limited'
  /** `intern_unreachable`. */
  | 'unreachable'
  /** `intern_rejected`. */
  | 'rejected'
  /** `turn_failed`. */
  | 'turn-failed'
  /** `stream_severed`, or a stream of ours that broke, fell silent or ended before `[DONE]`. */
  | 'severed'
  /** `timeout`, or no answer to a request of ours within its budget. */
  | 'timeout'
  /** `client_closed_request`: the service saw this client leave. */
  | 'client-closed'
  /** 503 with the service's error body on the vault: writes are disabled for the caller. */
  | 'vault-writes-off'
  /** 400 `bad_request`, or another refusal of a request's contents. */
  | 'invalid-request'
  /** Another 4xx: the service's own sentence is the best that can be said. */
  | 'refused'
  /** Another 5xx, 408, or a failure in a stream whose reason is unknown. */
  | 'server-error'
  /** A stream ended with a `finish_reason` that the interface does not list, which is the error's `reason`. */
  | 'unlisted-finish'
  /** `[DONE]` came without the finish chunk or the final chunk; or one event outgrew every limit. */
  | 'broken-stream'
  /** The reader of a reply gave up: it had outgrown what is kept of one. */
  | 'reply-too-long'
  /** More tool calls in one response than any intern would make. */
  | 'too-many-calls'
  /** A run waits for an answer that nobody can give: what it asks could not be read, or came without a session. */
  | 'unanswerable'
  /** The service's answer lacks what the interface promises. */
  | 'unexpected-answer'
  /** An HTML page, or JSON of another service: the API root is wrong. */
  | 'not-the-service'
  /** A redirect, which is never followed: the key must not go elsewhere. */
  | 'redirect'
  /** No connection: no network, no such host, nobody listening. */
  | 'network'
  /** The certificate was refused, or the other side does not speak TLS. */
  | 'tls'
  /** The caller's own abort. No failure. */
  | 'aborted';

/** What {@link ApiError} is made of. */
export interface ApiErrorInit {
  readonly kind: ApiErrorKind;
  readonly route: Route;
  /** The service's own sentence, or a technical one in English. Never a key, a value, or a part of a request. */
  readonly message: string;
  /** HTTP status, or the `code` of an error in a stream; null where no response came. */
  readonly status?: number | null;
  /** One of {@link REASONS}, or unlisted text; null where none was given. */
  readonly reason?: string | null;
  /** Whether the failure came inside a stream, after the response had begun. Such a request is never repeated. */
  readonly inStream?: boolean;
  /** What `retry-after` asks for, in milliseconds. */
  readonly retryAfterMs?: number | null;
  /** The platform's name of a lost connection, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code?: string | null;
}

/**
 * The one way in which a call fails.
 *
 * It is safe to log: it holds no request, no key and no secret value, and no `cause` that might.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly route: Route;
  readonly status: number | null;
  readonly reason: string | null;
  readonly inStream: boolean;
  readonly retryAfterMs: number | null;
  readonly code: string | null;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.kind = init.kind;
    this.route = init.route;
    this.status = init.status ?? null;
    this.reason = init.reason ?? null;
    this.inStream = init.inStream ?? false;
    this.retryAfterMs = init.retryAfterMs ?? null;
    this.code = init.code ?? null;
  }
}
