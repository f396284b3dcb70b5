export type Route = 'chat' | 'key' | 'create' | 'secret';

/** The kind of a failure (interface: Errors). Kinds differ if a user would do different things about them. */
export type ApiErrorKind =
  /** 401: no key, or an unknown one. */
  | 'signed-out'
  /** 403 with the service's error body on the routes of chat and key: the key's creator has left the organization. */
  | 'left-organization'
  /** 404 without a reason: the caller is not in the interns program. */
  | 'outsider'
  | 'intern-not-found'
  | 'interaction-unknown'
  | 'interaction-not-pending'
  /** 409 `intern_not_ready`. */
  | 'not-ready'
  /** 409 `busy`: another turn runs in this session. */
  | 'busy'
  /** 503 `busy`: the intern cannot hold another run open across a question now. */
  | 'no-capacity'
  /** 409 `attachment_failed`: another request is attached to the run. */
  | 'attachment-failed'
  /** 410 `attachment_failed`: more output than the intern retains; the paused stream cannot be resumed. */
  | 'run-output-lost'
  /** Another 410: the run was canceled or ran out of time. */
  | 'run-ended'
  | 'payload-too-large'
  | 'rate-limited'
  | 'unreachable'
  | 'rejected'
  | 'turn-failed'
  /** `stream_severed`, or a stream that broke, fell silent or ended before `[DONE]`. */
  | 'severed'
  /** `timeout`, or no response within the client's time limit. */
  | 'timeout'
  /** `client_closed_request`: the service saw this client leave. */
  | 'client-closed'
  /** 503 with the service's error body on the vault: writes are disabled for the caller. */
  | 'vault-writes-off'
  /** 400 `bad_request`, or another refusal of a request's contents. */
  | 'invalid-request'
  /** Another 4xx, described best by the service's own sentence. */
  | 'refused'
  /** Another 5xx, 408, or a failure in a stream whose reason is unknown. */
  | 'server-error'
  /** A stream ended with an unlisted `finish_reason`, which is the error's `reason`. */
  | 'unlisted-finish'
  /** `[DONE]` came without the finish chunk or the final chunk, or an event was too large. */
  | 'broken-stream'
  /** The reply is longer than what is kept of one. */
  | 'reply-too-long'
  /** A response holds more tool calls than any intern would make. */
  | 'too-many-calls'
  /** A run waits for an answer that cannot be given: its question is unreadable or came without a session. */
  | 'unanswerable'
  /** The response lacks what the API promises. Stored records use this older name, with "answer" for a response. */
  | 'unexpected-answer'
  /** An HTML page, or JSON of another service: the service URL is wrong. */
  | 'not-the-service'
  /** A redirect, which is never followed: the key must not go elsewhere. */
  | 'redirect'
  /** There is no connection: no network, no such host, no server. */
  | 'network'
  /** The certificate was refused, or the server does not speak TLS. */
  | 'tls'
  /** The caller aborted the call, which is not a failure. */
  | 'aborted';

/** The kind of each listed reason (interface: Errors). {@link kindOfRefusal} also considers the status and the route. */
const KIND_OF_REASON = {
  attachment_failed: 'attachment-failed',
  bad_request: 'invalid-request',
  busy: 'busy',
  client_closed_request: 'client-closed',
  interaction_not_pending: 'interaction-not-pending',
  interaction_unknown: 'interaction-unknown',
  intern_not_ready: 'not-ready',
  intern_rejected: 'rejected',
  intern_unreachable: 'unreachable',
  not_found: 'intern-not-found',
  payload_too_large: 'payload-too-large',
  rate_limited: 'rate-limited',
  run_ended: 'run-ended',
  stream_severed: 'severed',
  timeout: 'timeout',
  turn_failed: 'turn-failed',
} as const satisfies Readonly<Record<string, ApiErrorKind>>;

/** A reason that the API lists. The service may give others. */
export type Reason = keyof typeof KIND_OF_REASON;

export const REASONS = Object.keys(KIND_OF_REASON) as readonly Reason[];

/** Reasons that mean something else under another status. */
const KIND_OF_REASON_AND_STATUS: Readonly<Record<string, ApiErrorKind>> = {
  'attachment_failed 410': 'run-output-lost',
  'busy 503': 'no-capacity',
};

const KIND_OF_STATUS: ReadonlyMap<number, ApiErrorKind> = new Map([
  [400, 'invalid-request'],
  [401, 'signed-out'],
  [408, 'timeout'],
  [413, 'payload-too-large'],
  [422, 'invalid-request'],
  [429, 'rate-limited'],
  [504, 'timeout'],
]);

/** A failure that the service reported, before a stream or in one. */
type Refusal = Pick<ApiError, 'route' | 'status' | 'reason'>;

/**
 * Returns the kind of a failure by the API's tables of statuses and reasons (interface: Errors).
 *
 * Only on the routes of chat and key does a 403 mean that the key's creator has left: create and vault also refuse
 * regional hostnames and perhaps some kinds of key, under statuses that the API does not list.
 */
export function kindOfRefusal({ route, status, reason }: Refusal): ApiErrorKind {
  if (isReason(reason) && !(reason === 'not_found' && route !== 'chat'))
    return KIND_OF_REASON_AND_STATUS[`${reason} ${status ?? ''}`] ?? KIND_OF_REASON[reason];
  if (status === null) return 'server-error';
  // Interns and vault return 404 to callers outside the program; the key's route exists for everyone.
  if (status === 404 && route === 'key') return 'not-the-service';
  if (status === 404 && (reason === null || reason === 'not_found')) return 'outsider';
  if (status === 403 && reason === null && (route === 'chat' || route === 'key'))
    return 'left-organization';
  // Both reasons that come with a 410 mean that the run is over.
  if (status === 410 && route === 'chat') return 'run-ended';
  if (status === 503 && route === 'secret') return 'vault-writes-off';
  return kindOfStatus(status);
}

/** Returns the kind of a failure from its status alone, which a load balancer may have set. */
export function kindOfStatus(status: number): ApiErrorKind {
  return KIND_OF_STATUS.get(status) ?? (status >= 400 && status < 500 ? 'refused' : 'server-error');
}

export function isReason(reason: string | null): reason is Reason {
  return reason !== null && Object.hasOwn(KIND_OF_REASON, reason);
}

/** The fields of an {@link ApiError}. Those that are left out are null, or false. */
export type ApiErrorInit = Pick<ApiError, 'kind' | 'route' | 'message'> &
  Partial<
    Pick<ApiError, 'status' | 'reason' | 'inStream' | 'retryAfterMs' | 'code' | 'redirectedTo'>
  >;

/**
 * The one error that calls throw.
 *
 * It is safe to log: it holds no request, no key and no secret value, and no `cause` that might. Its message is the
 * service's own sentence, or a technical one in English.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly route: Route;
  /** HTTP status, or the `code` of an error in a stream; null if no response came. */
  readonly status: number | null;
  /** One of {@link REASONS}, or unlisted text; null if none was given. */
  readonly reason: string | null;
  readonly inStream: boolean;
  /** The wait that `retry-after` asks for, in ms. */
  readonly retryAfterMs: number | null;
  /** The platform's name of a lost connection, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code: string | null;
  /** The origin that a redirect leads to, if it is known. */
  readonly redirectedTo: string | null;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.kind = init.kind;
    this.route = init.route;
    this.status = init.status ?? null;
    this.reason = init.reason ?? null;
    this.inStream = init.inStream ?? false;
    this.retryAfterMs = init.retryAfterMs ?? null;
    this.code = init.code ?? null;
    this.redirectedTo = init.redirectedTo ?? null;
  }
}
