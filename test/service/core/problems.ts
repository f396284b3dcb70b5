/** The closed set of `metadata.reason` (interface: Errors). */
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

/**
 * The reasons that occur inside a stream, each with its `code` (interface: Errors after streaming began). Only the 410 of
 * `run_ended` is shown there; the others are the status that the chat route gives the same reason before streaming.
 */
export const IN_STREAM_CODES = {
  attachment_failed: 409,
  busy: 503,
  client_closed_request: 499,
  interaction_not_pending: 409,
  interaction_unknown: 404,
  intern_unreachable: 502,
  run_ended: 410,
  stream_severed: 502,
  timeout: 504,
  turn_failed: 502,
} as const satisfies Partial<Record<Reason, number>>;

export type InStreamReason = keyof typeof IN_STREAM_CODES;

export function isReason(text: string): text is Reason {
  return (REASONS as readonly string[]).includes(text);
}

export function isInStreamReason(text: string): text is InStreamReason {
  return Object.hasOwn(IN_STREAM_CODES, text);
}

interface Row {
  status: number;
  reason?: Reason;
  message: string;
}

/** Every refusal that the interface's tables show, by what happened. The messages are this service's own. */
const PROBLEMS = {
  badRequest: { status: 400, reason: 'bad_request', message: 'The request body is not valid.' },
  unauthorized: { status: 401, message: 'No valid API key was given.' },
  leftOrganization: {
    status: 403,
    message: 'The member who created this API key has left the organization.',
  },
  hidden: { status: 404, message: 'Not found.' },
  internUnknown: {
    status: 404,
    reason: 'not_found',
    message: 'This API key can see no intern with that id.',
  },
  interactionUnknown: {
    status: 404,
    reason: 'interaction_unknown',
    message: 'No question in this session has that tool_call_id.',
  },
  internNotReady: {
    status: 409,
    reason: 'intern_not_ready',
    message: 'The intern is not running.',
  },
  sessionBusy: {
    status: 409,
    reason: 'busy',
    message: 'Another turn is running in this session.',
  },
  interactionNotPending: {
    status: 409,
    reason: 'interaction_not_pending',
    message: 'The question is no longer waiting for an answer.',
  },
  attachedElsewhere: {
    status: 409,
    reason: 'attachment_failed',
    message: 'Another request is already attached to this run.',
  },
  outputLost: {
    status: 410,
    reason: 'attachment_failed',
    message: 'The run produced more output than the intern retains, so it cannot be resumed.',
  },
  runEnded: { status: 410, reason: 'run_ended', message: 'The run has ended.' },
  payloadTooLarge: {
    status: 413,
    reason: 'payload_too_large',
    message: 'The request body is larger than 1048576 bytes.',
  },
  rateLimited: {
    status: 429,
    reason: 'rate_limited',
    message: 'Too many turns for this user or organization. Retry later.',
  },
  clientClosed: {
    status: 499,
    reason: 'client_closed_request',
    message: 'The client closed the request.',
  },
  broken: { status: 500, message: 'Something went wrong in the service.' },
  internUnreachable: {
    status: 502,
    reason: 'intern_unreachable',
    message: 'The intern could not be reached.',
  },
  internRejected: {
    status: 502,
    reason: 'intern_rejected',
    message: 'The intern rejected the request.',
  },
  turnFailed: {
    status: 502,
    reason: 'turn_failed',
    message: 'The intern refused the turn before any output.',
  },
  streamSevered: {
    status: 502,
    reason: 'stream_severed',
    message: "The intern's stream ended before the turn started.",
  },
  noRoomForQuestion: {
    status: 503,
    reason: 'busy',
    message: 'The intern cannot hold another run open across a question now. Retry later.',
  },
  vaultWritesOff: { status: 503, message: 'Vault writes are disabled for this caller.' },
  timeout: {
    status: 504,
    reason: 'timeout',
    message: 'The intern did not answer within the request budget.',
  },
} as const satisfies Record<string, Row>;

export type ProblemName = keyof typeof PROBLEMS;

/** A refusal before streaming: an HTTP status and the error body of the interface. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly reason: Reason | undefined;
  /** Seconds for a `retry-after` header, where waiting is known to help. */
  readonly retryAfter: number | undefined;

  constructor(row: Row, retryAfter?: number) {
    super(row.message);
    this.status = row.status;
    this.reason = row.reason;
    this.retryAfter = retryAfter;
  }

  /** The body: `{error: {code, message, metadata?}}`; `code` equals the status. */
  body(): unknown {
    const metadata = this.reason === undefined ? {} : { metadata: { reason: this.reason } };
    return { error: { code: this.status, message: this.message, ...metadata } };
  }
}

export interface ProblemDetails {
  message?: string;
  /** Seconds. */
  retryAfter?: number;
}

/** A refusal of the interface's tables, with its own message or a better one. */
export function problem(name: ProblemName, details: ProblemDetails = {}): Problem {
  const row: Row = PROBLEMS[name];
  return new Problem({ ...row, message: details.message ?? row.message }, details.retryAfter);
}

/** A refusal whose status the interface does not show (see choices.ts): a code and a message, no reason. */
export function unlistedProblem(status: number, message: string): Problem {
  return new Problem({ status, message });
}

/** The refusals before streaming that carry `reason`: one for most, two for `busy` and `attachment_failed`. */
export function problemsOf(reason: Reason): Problem[] {
  return Object.values<Row>(PROBLEMS)
    .filter((row) => row.reason === reason)
    .map((row) => new Problem(row));
}
