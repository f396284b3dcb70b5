import { CLIENT, REFUSED_REGION } from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const BEFORE = 'service failures before streaming';
const INSIDE = 'service failures in the stream';
const ACCESS = 'service access';
const STREAM = 'service chat stream';
const RUN = 'service questions in a run';
const LIMITS = 'service limits';
const CREATE = 'service POST /interns';
const PUT = 'service PUT /vault/secrets/{name}';

const CHAT_ERRORS: Rule[] = section(18, 'Errors: Chat route', [
  [
    'The reasons are a closed set of sixteen.',
    {
      service: tests(BEFORE, 'cover the closed set of sixteen reasons'),
      client: tests(CLIENT.chatKinds, 'covers every reason that the interface lists'),
    },
  ],
  [
    '400 `bad_request`: the body is invalid.',
    {
      service: tests(STREAM, 'refuses an invalid body with the reason bad_request'),
      client: tests(CLIENT.chatKinds, 'reads 400 bad_request as invalid-request'),
    },
  ],
  [
    '400 `bad_request`: the intern did not accept the answer.',
    {
      service: tests(
        RUN,
        'refuse an answer that does not fit with 400, and stay pending for a better one',
        'accept no answer to a call that cannot be understood',
      ),
      client: tests(
        CLIENT.questions,
        'is refused an option that was not offered, and may answer again',
      ),
    },
  ],
  [
    '401, no reason: no valid API key.',
    {
      service: tests(ACCESS, 'refuses the chat route with no key: 401, no reason'),
      client: tests(CLIENT.chatKinds, 'reads 401 without a reason as signed-out'),
    },
  ],
  [
    '403, no reason: the member left the organization.',
    {
      service: tests(
        ACCESS,
        'refuses the chat route with the key of a member who left: 403, no reason',
      ),
      client: tests(CLIENT.chatKinds, 'reads 403 without a reason as left-organization'),
    },
  ],
  [
    '404, no reason: the caller is outside the programme.',
    {
      service: tests(
        ACCESS,
        'hides the chat route from callers outside the programme: 404, no reason',
      ),
      client: tests(CLIENT.chatKinds, 'reads 404 without a reason as outsider'),
    },
  ],
  [
    '404 `not_found`: the intern does not exist for this key.',
    {
      service: [
        ...tests(STREAM, 'needs a running intern that exists'),
        ...tests(ACCESS, 'shows a key only the interns of its own workspace'),
      ],
      client: tests(CLIENT.chatKinds, 'reads 404 not_found as intern-not-found'),
    },
  ],
  [
    '404 `interaction_unknown`: no pending question in this session has this id.',
    {
      service: tests(RUN, 'are unknown by another id, in another session, and at another intern'),
      client: tests(CLIENT.chatKinds, 'reads 404 interaction_unknown as interaction-unknown'),
    },
  ],
  [
    '409 `intern_not_ready`: the intern is not running.',
    {
      service: [
        ...tests(STREAM, 'needs a running intern that exists'),
        ...tests(RUN, 'are kept while the intern is not running'),
      ],
      client: tests(CLIENT.chatKinds, 'reads 409 intern_not_ready as not-ready'),
    },
  ],
  [
    '409 `busy`: another turn is running in this session.',
    {
      service: [
        ...tests(RUN, 'keep the session busy for new prompts'),
        ...tests(
          'service disconnects',
          'are noticed at the next keepalive tick: the session is busy until then, and free after it',
        ),
      ],
      client: tests(CLIENT.chatKinds, 'reads 409 busy as busy'),
    },
  ],
  [
    '409 `interaction_not_pending`: the question is no longer waiting.',
    {
      service: tests(
        RUN,
        'are no longer pending once they were answered',
        'are cancelled with their run when the deadline passes, and not before',
      ),
      client: tests(
        CLIENT.chatKinds,
        'reads 409 interaction_not_pending as interaction-not-pending',
      ),
    },
  ],
  [
    '409 `attachment_failed`: another request is already attached to the run.',
    {
      service: tests(RUN, 'refuse a second request while the answer streams: attachment_failed'),
      client: tests(CLIENT.chatKinds, 'reads 409 attachment_failed as attachment-failed'),
    },
  ],
  [
    '410 `attachment_failed`: the run produced more output than the intern retains.',
    {
      service: tests(
        LIMITS,
        'retain so much output of a paused run: streamed after the answer, else 410',
      ),
      client: tests(CLIENT.chatKinds, 'reads 410 attachment_failed as run-output-lost'),
    },
  ],
  [
    '413 `payload_too_large`: the body exceeds 1,048,576 bytes.',
    {
      service: tests(STREAM, 'takes a body of 1,048,576 bytes, and not one more'),
      client: tests(CLIENT.chatKinds, 'reads 413 payload_too_large as payload-too-large'),
    },
  ],
  [
    '429 `rate_limited`: too many turns.',
    {
      service: tests(
        LIMITS,
        'allow so many turns a minute to a user or organization: 429 with the wait',
      ),
      client: tests(CLIENT.chatKinds, 'reads 429 rate_limited as rate-limited'),
    },
  ],
  [
    '502 `intern_unreachable`: the intern could not be reached.',
    {
      service: tests(BEFORE, 'give 502 intern_unreachable to "fail intern_unreachable"'),
      client: tests(CLIENT.chatKinds, 'reads 502 intern_unreachable as unreachable'),
    },
  ],
  [
    '502 `intern_rejected`: the intern rejected the request.',
    {
      service: tests(BEFORE, 'give 502 intern_rejected to "fail intern_rejected"'),
      client: tests(CLIENT.chatKinds, 'reads 502 intern_rejected as rejected'),
    },
  ],
  [
    '502 `turn_failed`: the intern refused the turn before any output.',
    {
      service: tests(BEFORE, 'give 502 turn_failed to "fail turn_failed"'),
      client: tests(CLIENT.chatKinds, 'reads 502 turn_failed as turn-failed'),
    },
  ],
  [
    "502 `stream_severed`: the intern's stream ended before the turn started.",
    {
      service: tests(BEFORE, 'give 502 stream_severed to "fail stream_severed"'),
      client: tests(CLIENT.chatKinds, 'reads 502 stream_severed as severed'),
    },
  ],
  [
    '503 `busy`: the intern cannot hold another run open across a question.',
    {
      service: tests(
        LIMITS,
        'hold so many runs open across a question: 503 busy, until one goes on',
      ),
      client: tests(CLIENT.chatKinds, 'reads 503 busy as no-capacity'),
    },
  ],
  [
    '504 `timeout`: the intern did not answer within the request budget.',
    {
      service: tests(BEFORE, 'time out when the intern says nothing within the request budget'),
      client: tests(CLIENT.chatKinds, 'reads 504 timeout as timeout'),
    },
  ],
  [
    '`run_ended` and `client_closed_request` before streaming: in the closed set, but in no row of the table.',
    {
      service: tests(
        BEFORE,
        'give 410 run_ended to "fail run_ended"',
        'give 499 client_closed_request to "fail client_closed_request"',
      ),
      client: tests(
        CLIENT.chatKinds,
        'reads 410 run_ended as run-ended',
        'reads 499 client_closed_request as client-closed',
      ),
    },
  ],
]);

const IN_STREAM: Rule[] = section(19, 'Errors: after streaming began', [
  [
    'The response is 200; the failure is a chunk with `finish_reason` `error`, then the final chunk and `[DONE]`.',
    {
      service: tests(INSIDE, 'tell *'),
      client: tests(CLIENT.inside, 'tells turn-failed of turn_failed, and keeps what came'),
    },
  ],
  [
    'The reasons used here are ten.',
    {
      service: tests(INSIDE, 'are the ten reasons that the interface lists'),
      client: tests(CLIENT.inside, 'tells *'),
    },
  ],
  ...(
    [
      ['attachment_failed', 409, 'attachment-failed'],
      ['busy', 503, 'no-capacity'],
      ['client_closed_request', 499, 'client-closed'],
      ['interaction_not_pending', 409, 'interaction-not-pending'],
      ['interaction_unknown', 404, 'interaction-unknown'],
      ['intern_unreachable', 502, 'unreachable'],
      ['run_ended', 410, 'run-ended'],
      ['stream_severed', 502, 'severed'],
      ['timeout', 504, 'timeout'],
      ['turn_failed', 502, 'turn-failed'],
    ] as const
  ).map(([reason, code, kind]) => {
    const title = `tell ${reason} with code ${code}, the final chunk and [DONE]`;
    const holds = {
      service: tests(INSIDE, title),
      client: tests(CLIENT.inside, `tells ${kind} of ${reason}, and keeps what came`),
    };
    return [`\`${reason}\` occurs inside a stream.`, holds] as const;
  }),
  [
    '`run_ended` has code 410: the intern confirmed the ending.',
    {
      service: tests(
        'service runs that the intern ends',
        'tell a connected client run_ended, code 410, and close as ever',
      ),
      client: tests(CLIENT.inside, 'tells run-ended of run_ended, and keeps what came'),
    },
  ],
  [
    '`stream_severed`: the connection was lost without that confirmation.',
    {
      service: tests(INSIDE, 'tell stream_severed with code 502, the final chunk and [DONE]'),
      client: tests(
        CLIENT.inside,
        'tells severed of stream_severed, and keeps what came',
        'keeps what came where the connection breaks in the middle of a word',
      ),
    },
  ],
  [
    'The exact code of the reasons other than `run_ended`: not shown.',
    {
      why: 'The service uses the status of the same reason before streaming; any is allowed.',
      client: tests(
        CLIENT.chatKinds,
        'goes by the reason of an error in a stream, whose code the interface leaves open',
      ),
    },
  ],
]);

const OTHER_ROUTES: Rule[] = section(20, 'Errors: Other routes', [
  [
    'GET /key: 401 without authentication.',
    {
      service: tests(ACCESS, 'refuses GET /key with no key: 401, no reason'),
      client: tests(CLIENT.otherKinds, 'reads 401 without a reason of key as signed-out'),
    },
  ],
  [
    'GET /key: 500 on an internal error.',
    {
      service: tests('service GET /key', 'fails with 500 and the error body where it is broken'),
      client: [
        ...tests(CLIENT.otherKinds, 'reads 500 without a reason of key as server-error'),
        ...tests(CLIENT.retries, 'repeats GET /key after 5xx and tells each wait'),
      ],
    },
  ],
  [
    'POST /interns: 413 when the body is larger than 1,048,576 bytes.',
    {
      service: tests(CREATE, 'takes a body of 1,048,576 bytes, and not one more'),
      client: tests(CLIENT.otherKinds, 'reads 413 without a reason of create as payload-too-large'),
    },
  ],
  [
    'POST /interns: 404 outside the programme.',
    {
      service: tests(
        ACCESS,
        'hides POST /interns from callers outside the programme: 404, no reason',
      ),
      client: tests(CLIENT.otherKinds, 'reads 404 without a reason of create as outsider'),
    },
  ],
  [
    'PUT /vault/secrets/{name}: 404 outside the programme.',
    {
      service: tests(
        ACCESS,
        'hides PUT /vault/secrets/{name} from callers outside the programme: 404, no reason',
      ),
      client: tests(CLIENT.otherKinds, 'reads 404 without a reason of secret as outsider'),
    },
  ],
  [
    'PUT /vault/secrets/{name}: 503 when vault writes are disabled.',
    {
      service: tests(PUT, 'answers 503 without a reason where vault writes are off'),
      client: tests(CLIENT.otherKinds, 'reads 503 without a reason of secret as vault-writes-off'),
    },
  ],
  [
    'The statuses of validation failures and of a duplicate name on these routes: not shown.',
    {
      service: tests(CREATE, 'uses the statuses that were chosen where the interface shows none'),
      client: tests(CLIENT.otherKinds, 'reads 409 without a reason of create as refused'),
    },
  ],
  [
    'The status of a refusal on a regional hostname: not shown.',
    {
      service: tests(
        ACCESS,
        'refuses POST /interns to a key that plays a regional hostname',
        'refuses PUT /vault/secrets/{name} to a key that plays a regional hostname',
      ),
      client: REFUSED_REGION,
    },
  ],
]);

export const ERROR_RULES: readonly Rule[] = [...CHAT_ERRORS, ...IN_STREAM, ...OTHER_ROUTES];
