import {
  CLIENT,
  ASKED_AND_ANSWERED,
  READ_INTERN,
  STORED_CREATE,
  STREAMED,
} from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const CREATE = 'service POST /interns';
const PROVISIONING = 'service provisioning';
const RUN = 'service questions in a run';
const STATES = 'service run states';
const DISCONNECTS = 'service disconnects';

const STATUSES = [
  'awaiting_slack_install',
  'queued',
  'provisioning',
  'failed',
  'stopped',
  'destroying',
  'destroy_failed',
] as const;

const PROVISIONED = tests(
  PROVISIONING,
  'starts during the create, shows its progress, and ends with a hostname',
);
const STAYS_PAUSED = tests(
  RUN,
  'stay paused when the client closes right after the [DONE] of tool_calls',
);
const DEADLINE = tests(
  RUN,
  'are cancelled with their run when the deadline passes, and not before',
);

const KNOWN_STATUSES = tests(CLIENT.intern, 'keeps a status that is not listed as text');

const INTERN_STATUS: Rule[] = section(10, 'States: Intern status', [
  ...STATUSES.map((status) => {
    const test =
      status === 'failed' ? 'fails with a message' : `ends as ${status} where the name plays that`;
    const holds = { service: tests(PROVISIONING, test), client: KNOWN_STATUSES };
    return [`\`${status}\` is a status.`, holds] as const;
  }),
  ['`running` is a status.', { service: PROVISIONED, client: KNOWN_STATUSES }],
  [
    'The transitions between statuses: not shown.',
    { why: 'The service plays one plausible path; a client must not count on any.' },
  ],
  [
    'Create with `provision` true starts provisioning.',
    {
      service: PROVISIONED,
      client: STORED_CREATE,
    },
  ],
  [
    'Create with `provision` false, the default, waits for a later provision call.',
    {
      service: tests(PROVISIONING, 'does not start without provision'),
      client: STORED_CREATE,
    },
  ],
  [
    'The status of an intern that waits for a provision call: not shown.',
    { service: tests(CREATE, 'answers with the intern itself, every field of it') },
  ],
  [
    '`last_failure_message` is meaningful when the status is `failed`.',
    {
      service: tests(PROVISIONING, 'fails with a message'),
      client: READ_INTERN,
    },
  ],
  [
    'Chat needs a running intern: 409 `intern_not_ready`.',
    {
      service: tests('service chat stream', 'needs a running intern that exists'),
      client: tests(CLIENT.chatKinds, 'reads 409 intern_not_ready as not-ready'),
    },
  ],
]);

const CHAT_RUN: Rule[] = section(11, 'States: Chat run', [
  [
    'A request whose last message is `user` starts a new run; the final chunk reports the session.',
    {
      service: tests(
        'service chat stream',
        'has the session id on the final chunk of every response, and nowhere before',
      ),
      client: tests(CLIENT.run, 'goes on in its session'),
    },
  ],
  [
    'streaming, the turn finishes: completed; `stop`, final chunk with usage, `[DONE]`.',
    {
      service: [
        ...tests(STATES, 'go from streaming to completed on finish'),
        ...tests('service chat stream', 'goes role, content, finish, final, [DONE]'),
      ],
      client: STREAMED,
    },
  ],
  [
    'streaming, the intern asks: paused; one tool call, `tool_calls`, final chunk, `[DONE]`.',
    {
      service: [
        ...tests(STATES, 'go from streaming to paused on ask'),
        ...tests(
          RUN,
          'come as one complete tool call, then tool_calls, then the final chunk, then [DONE]',
        ),
      ],
      client: ASKED_AND_ANSWERED,
    },
  ],
  [
    'paused, a matching answer that is accepted: streaming; no new run starts.',
    {
      service: [
        ...tests(STATES, 'go from paused to streaming on answer'),
        ...tests(
          RUN,
          'pause the run, which outlives the closed connection and goes on with the answer',
        ),
      ],
      client: ASKED_AND_ANSWERED,
    },
  ],
  [
    'paused, the deadline passes: cancelled.',
    { service: [...tests(STATES, 'go from paused to cancelled on deadline'), ...DEADLINE] },
  ],
  [
    'Rejected replies do not extend the deadline.',
    { service: tests(RUN, 'keep their deadline when an answer is refused') },
  ],
  [
    'paused, the client closes after the `[DONE]` of `tool_calls`: paused.',
    { service: STAYS_PAUSED },
  ],
  [
    'streaming, the client disconnects: cancelled, noticed within the keepalive interval.',
    {
      service: [
        ...tests(STATES, 'go from streaming to cancelled on disconnect'),
        ...tests(
          DISCONNECTS,
          'are noticed at the next keepalive tick: the session is busy until then, and free after it',
          'are noticed within one interval even while the intern goes on writing',
        ),
      ],
      client: tests(CLIENT.sockets, 'frees the socket when a stream is aborted'),
    },
  ],
  [
    'streaming, the intern ends the run and confirms it: ended; error 410 `run_ended`, final chunk, `[DONE]`.',
    {
      service: [
        ...tests(STATES, 'go from streaming to ended on end'),
        ...tests(
          'service runs that the intern ends',
          'tell a connected client run_ended, code 410, and close as ever',
        ),
      ],
      client: tests(CLIENT.inside, 'tells run-ended of run_ended, and keeps what came'),
    },
  ],
  [
    'streaming, the connection breaks without confirmation: ended; error `stream_severed`.',
    {
      service: [
        ...tests(STATES, 'go from streaming to ended on fail'),
        ...tests(
          'service failures in the stream',
          'tell stream_severed with code 502, the final chunk and [DONE]',
        ),
      ],
      client: tests(CLIENT.inside, 'tells severed of stream_severed, and keeps what came'),
    },
  ],
  [
    'A client that has disconnected is promised no final event.',
    {
      service: tests(DISCONNECTS, 'are noticed at the latest when the run would pause'),
      client: tests(
        CLIENT.streamEnd,
        'keeps what came where the stream ends before [DONE], and says that it was severed',
      ),
    },
  ],
  [
    'How the interaction deadline is changed: not shown.',
    { service: tests(RUN, 'have a deadline of their own each, as long as was chosen') },
  ],
]);

export const STATE_RULES: readonly Rule[] = [...INTERN_STATUS, ...CHAT_RUN];
