import { CLIENT, HOST_PARTS, READ_KEY } from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const REQUEST = 'service chat request';
const STREAM = 'service chat stream';
const CREATE = 'service POST /interns';
const PUT = 'service PUT /vault/secrets/{name}';
const HOSTS = 'service hosts';
const SERVICE_LIMITS = 'service limits';
const RUN = 'service questions in a run';

const LIMITS: Rule[] = section(21, 'Limits', [
  [
    'A request body has at most 1,048,576 bytes on the chat and create routes.',
    {
      service: [
        ...tests(STREAM, 'takes a body of 1,048,576 bytes, and not one more'),
        ...tests(CREATE, 'takes a body of 1,048,576 bytes, and not one more'),
      ],
      client: tests(CLIENT.body, 'takes exactly 1,048,576 bytes of UTF-8 and refuses one more'),
    },
  ],
  [
    'A body limit of the vault route: not shown.',
    { service: tests(PUT, 'reads no more of a body than was chosen') },
  ],
  [
    'The text of a prompt has at most 32,000 characters.',
    {
      service: tests(REQUEST, 'allows a prompt of 32,000 characters, and not one more'),
      client: tests(CLIENT.texts, 'takes a prompt of 1 to 32000 characters and refuses one more'),
    },
  ],
  [
    '`session_id` and `model` have 1 to 256 characters.',
    {
      service: tests(
        REQUEST,
        'allows ids and models at their limits',
        'is refused with a session_id of 257 characters',
        'is refused with a model of 257 characters',
      ),
      client: tests(CLIENT.texts, 'takes a session id of 1 to 256 characters and refuses one more'),
    },
  ],
  [
    '`tool_call_id` and the id of an echo have 1 to 128 characters.',
    {
      service: tests(
        REQUEST,
        'allows ids and models at their limits',
        'is refused with a tool_call_id of 129 characters',
        'is refused with an echo whose id has 129 characters',
      ),
      client: tests(
        CLIENT.texts,
        'takes a tool call id of 1 to 128 characters and refuses one more',
      ),
    },
  ],
  [
    'A question waits for 5 minutes by default; its run is cancelled then.',
    {
      service: tests(RUN, 'are cancelled with their run when the deadline passes, and not before'),
      client: tests(CLIENT.surface, "tells the interface's limits"),
    },
  ],
  [
    'A keepalive comes after 30 seconds of silence.',
    {
      service: tests(
        'service keepalives',
        'come after every 30 seconds of silence, and not before',
      ),
      client: tests(CLIENT.watchdog, 'waits three keepalive intervals'),
    },
  ],
  [
    'The name of an intern has 2 to 17 characters.',
    {
      service: tests(
        CREATE,
        'takes the name ab',
        'takes the name aaaaaaaaaaaaaaaaa',
        'refuses a name of one character',
        'refuses a name of 18 characters',
      ),
      client: tests(CLIENT.internName, 'takes 2 to 17 characters of the pattern'),
    },
  ],
  [
    'A description has at most 2,000 characters.',
    {
      service: tests(CREATE, 'refuses a description of 2,001 characters'),
      client: tests(
        CLIENT.texts,
        'takes a description of 1 to 2000 characters and refuses one more',
      ),
    },
  ],
  [
    'Instructions have at most 100,000 characters.',
    {
      service: tests(CREATE, 'refuses instructions of 100,001 characters'),
      client: tests(
        CLIENT.texts,
        'takes a instructions of 1 to 100000 characters and refuses one more',
      ),
    },
  ],
  [
    'The name of a secret has 1 to 255 characters.',
    {
      service: tests(
        PUT,
        'takes the name aaaaaaaaaa of 255 characters',
        'refuses the name "aaaaaaaaaa" of 256 characters',
        'refuses an empty name',
      ),
      client: tests(CLIENT.secretName, 'takes 1 to 255 characters of the pattern'),
    },
  ],
  [
    'A secret has 1 to 100 hosts, each of up to 254 characters.',
    {
      service: tests(
        HOSTS,
        'are 1 to 100, counted before they collapse',
        'may be 254 characters with their trailing dot, and no more',
      ),
      client: [...tests(CLIENT.hosts, 'takes 1 to 100 different hosts'), ...HOST_PARTS],
    },
  ],
  [
    'The value of a secret has 1 to 65,536 characters.',
    {
      service: tests(PUT, 'takes values of 1 to 65,536 characters'),
      client: tests(
        CLIENT.texts,
        'takes a secret value of 1 to 65536 characters and refuses one more',
      ),
    },
  ],
  [
    'Turns per user or organization are limited: 429; the threshold is not shown.',
    {
      service: tests(
        SERVICE_LIMITS,
        'allow so many turns a minute to a user or organization: 429 with the wait',
        'count prompts, not answers',
        'send no retry-after where that was chosen',
      ),
      client: tests(CLIENT.chatKinds, 'reads 429 rate_limited as rate-limited'),
    },
  ],
  [
    'The intern retains a bounded amount of output: 410; the size is not shown.',
    {
      service: tests(
        SERVICE_LIMITS,
        'retain so much output of a paused run: streamed after the answer, else 410',
      ),
      client: tests(
        CLIENT.questions,
        'tells that the run produced more output than the intern retains',
      ),
    },
  ],
  [
    'The key information exposes a spend limit with its reset, and a daily allowance for free models.',
    {
      service: tests(
        'service GET /key',
        'gives every field of the interface, under data, with its type',
      ),
      client: READ_KEY,
    },
  ],
  [
    'The maximum number of interns: not shown.',
    { why: 'The service sets none; nothing can be held.' },
  ],
]);

const VERSIONING: Rule[] = section(22, 'Versioning', [
  [
    'The API root carries the version prefix `/api/v1`.',
    {
      service: tests(
        'service access',
        'answers outside the API root with a page, as a wrong API root would',
      ),
      client: tests(CLIENT.root, 'trims white space and every trailing slash'),
    },
  ],
  [
    '`rate_limit` in the key information is deprecated and safe to ignore.',
    {
      why: 'The service sends it still; a client that reads it nowhere ignores it.',
      client: READ_KEY,
    },
  ],
  [
    'Deprecation and version policy: not shown.',
    { why: 'There is nothing to hold either side to.' },
  ],
]);

export const LIMIT_RULES: readonly Rule[] = [...LIMITS, ...VERSIONING];
