/** The refusals in the tables of the interface. The messages are this service's own. */
const PROBLEMS = {
  badRequest: [400, 'bad_request', 'The request body is not valid.'],
  unauthorized: [401, undefined, 'No valid API key was given.'],
  leftOrganization: [403, undefined, 'The creator of this API key has left the organization.'],
  hidden: [404, undefined, 'Not found.'],
  internUnknown: [404, 'not_found', 'This API key can see no intern with that id.'],
  interactionUnknown: [404, 'interaction_unknown', 'This session has no such question.'],
  internNotReady: [409, 'intern_not_ready', 'The intern isn’t running.'],
  sessionBusy: [409, 'busy', 'Another run is active in this session.'],
  interactionNotPending: [409, 'interaction_not_pending', 'The question is no longer pending.'],
  attachedElsewhere: [409, 'attachment_failed', 'Another request is already attached to this run.'],
  outputLost: [410, 'attachment_failed', 'The run produced too much output to be resumed.'],
  runEnded: [410, 'run_ended', 'The run has ended.'],
  payloadTooLarge: [413, 'payload_too_large', 'The request body is larger than 1048576 bytes.'],
  rateLimited: [429, 'rate_limited', 'Too many turns for this user or organization. Retry later.'],
  clientClosed: [499, 'client_closed_request', 'The client closed the request.'],
  broken: [500, undefined, 'Something went wrong in the service.'],
  internUnreachable: [502, 'intern_unreachable', 'The intern could not be reached.'],
  internRejected: [502, 'intern_rejected', 'The intern refused the request.'],
  turnFailed: [502, 'turn_failed', 'The intern refused the prompt before any output.'],
  streamSevered: [502, 'stream_severed', "The intern's stream ended before the turn started."],
  noRoomForQuestion: [503, 'busy', 'The intern holds too many runs open. Retry later.'],
  vaultWritesOff: [503, undefined, 'Vault writes are disabled for this caller.'],
  timeout: [504, 'timeout', 'The intern did not answer within the request budget.'],
} as const satisfies Record<string, readonly [number, string | undefined, string]>;

export type Reason = NonNullable<(typeof PROBLEMS)[ProblemName][1]>;

type Row = readonly [status: number, reason: Reason | undefined, message: string];

const ROWS = Object.values<Row>(PROBLEMS);

/** All values of `metadata.reason` (interface: Errors). */
export const REASONS = [...new Set(ROWS.flatMap(([, reason]) => reason ?? []))].sort();

/**
 * The reasons inside a stream, with their `code` (interface: Errors after streaming began). The interface only shows
 * the 410 of `run_ended`; the others have the status that the chat route gives the same reason before streaming.
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

export type ProblemName = keyof typeof PROBLEMS;

/** Headers of a response, by their lower-case names. */
type Headers = Readonly<Record<string, string>>;

/** A refusal before streaming. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly reason: Reason | undefined;
  readonly headers: Headers;

  constructor([status, reason, message]: Row, headers: Headers = {}) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.headers = headers;
  }

  body(): unknown {
    const metadata = this.reason === undefined ? {} : { metadata: { reason: this.reason } };
    return { error: { code: this.status, message: this.message, ...metadata } };
  }
}

/**
 * Returns a refusal from the interface's tables.
 * @param said a message instead of the usual one
 * @param retryAfter the time in seconds after which the client should try again
 */
export function problem(name: ProblemName, said?: string, retryAfter?: number): Problem {
  const [status, reason, message]: Row = PROBLEMS[name];
  const headers = retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` };
  return new Problem([status, reason, said ?? message], headers);
}

/** Returns a refusal without a reason, whose status the interface does not show (see choices.ts). */
export function unlistedProblem(status: number, message: string, headers?: Headers): Problem {
  return new Problem([status, undefined, message], headers);
}

/** Returns the refusals with `reason`: two for `busy` and `attachment_failed`, one for others. */
export function problemsOf(reason: Reason): Problem[] {
  return ROWS.filter(([, each]) => each === reason).map((row) => new Problem(row));
}
