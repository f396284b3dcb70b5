import { section, tests, type Rule } from './rule.ts';

const STREAM = 'service chat stream';
const CREATE = 'service POST /interns';
const AGAIN = 'service create, again';
const PUT = 'service PUT /vault/secrets/{name}';
const HOSTS = 'service hosts';
const RUN = 'service questions in a run';

const CHOSEN_STATUSES = tests(
  CREATE,
  'uses the statuses that were chosen where the interface shows none',
);

const CHAT_ROUTE: Rule[] = section(12, 'Endpoints: POST /interns/{internId}/chat/completions', [
  [
    '`internId` names the intern to talk to.',
    { service: tests(STREAM, 'needs a running intern that exists') },
  ],
  [
    'The body has at most 1,048,576 bytes.',
    { service: tests(STREAM, 'takes a body of 1,048,576 bytes, and not one more') },
  ],
  [
    'Success is 200 with `text/event-stream`.',
    {
      service: tests(
        STREAM,
        'is an event stream of data lines, each with one chunk, that ends with [DONE]',
      ),
    },
  ],
  [
    'The order is role, content and reasoning, one finish, final, `[DONE]`.',
    { service: tests(STREAM, 'goes role, content, finish, final, [DONE]') },
  ],
  [
    'The stream is read through `[DONE]`: the session id arrives only after the finish chunk.',
    {
      service: tests(
        STREAM,
        'has the session id on the final chunk of every response, and nowhere before',
      ),
    },
  ],
  [
    'A run is started by a last message with role `user`.',
    {
      service: tests(
        'service chat request',
        'is refused with an assistant last',
        'is refused with a system message last',
      ),
    },
  ],
  [
    'An answer has the same `session_id`, the echo, and a last tool message with the id of the call.',
    {
      service: tests(
        RUN,
        'pause the run, which outlives the closed connection and goes on with the answer',
        'are unknown by another id, in another session, and at another intern',
      ),
    },
  ],
  [
    'A tool message without `session_id` is invalid: 400.',
    { service: tests(STREAM, 'refuses an invalid body with the reason bad_request') },
  ],
]);

const KEY_ROUTE: Rule[] = section(13, 'Endpoints: GET /key', [
  [
    'It returns the information on the key under `data`.',
    {
      service: tests(
        'service GET /key',
        'gives every field of the interface, under data, with its type',
      ),
    },
  ],
  [
    'It takes no path parameters and no body.',
    {
      service: tests(
        'service access',
        'answers unknown paths with 404, and other methods with the one that exists',
      ),
    },
  ],
  [
    'Errors are 401 and 500, with the error body.',
    {
      service: [
        ...tests('service access', 'refuses GET /key with no key: 401, no reason'),
        ...tests('service GET /key', 'fails with 500 and the error body where it is broken'),
      ],
    },
  ],
]);

const CREATE_ROUTE: Rule[] = section(14, 'Endpoints: POST /interns', [
  [
    'The body has at most 1,048,576 bytes.',
    { service: tests(CREATE, 'takes a body of 1,048,576 bytes, and not one more') },
  ],
  [
    '`name` is required, 2 to 17 characters.',
    {
      service: tests(
        CREATE,
        'takes the name ab',
        'takes the name aaaaaaaaaaaaaaaaa',
        'refuses a name of one character',
        'refuses a name of 18 characters',
        'refuses a name of nothing',
      ),
    },
  ],
  [
    '`name` matches `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`.',
    { service: tests(CREATE, 'takes the name a1-2b-3', 'refuses a name of *') },
  ],
  [
    '`name` is unique per creator within the workspace.',
    {
      service: tests(CREATE, 'keeps names unique per creator within a workspace, and only there'),
    },
  ],
  [
    '`description` is a string of at most 2,000 characters, or null.',
    {
      service: tests(
        CREATE,
        'takes descriptions of 2,000 and instructions of 100,000 characters, or null',
        'refuses a description of 2,001 characters',
        'refuses a description that is no string',
      ),
    },
  ],
  [
    '`instructions` is a string of at most 100,000 characters, or null.',
    {
      service: tests(
        CREATE,
        'takes descriptions of 2,000 and instructions of 100,000 characters, or null',
        'refuses instructions of 100,001 characters',
      ),
    },
  ],
  [
    '`provision` is a boolean; default false; true starts provisioning in this operation.',
    {
      service: [
        ...tests(CREATE, 'refuses provision that is no boolean', 'refuses provision that is null'),
        ...tests(
          'service provisioning',
          'starts during the create, shows its progress, and ends with a hostname',
          'does not start without provision',
        ),
      ],
    },
  ],
  [
    "`workspace_id` defaults to the key's workspace, and must match it when given.",
    { service: tests(CREATE, "takes a workspace_id that is the key's, and no other") },
  ],
  [
    'The request field that attaches a borrowed vault: not shown.',
    { service: tests(CREATE, 'ignores fields that the interface does not name') },
  ],
  [
    'With the same idempotency key and the same body, a retry resumes unfinished work.',
    {
      service: tests(
        AGAIN,
        'resumes a create that was cut off: the same intern, now with its vault',
      ),
    },
  ],
  [
    'With the same idempotency key and the same body, a completed create is replayed.',
    {
      service: tests(
        AGAIN,
        'replays a finished create with the same key and the same body, as the intern is now',
      ),
    },
  ],
  [
    'The idempotency key has at least one character.',
    { service: tests(AGAIN, 'refuses an empty key') },
  ],
  [
    'Without the header, a stable key is derived from the request body.',
    { service: tests(AGAIN, 'derives a stable key from the body where no header is sent') },
  ],
  [
    'The name of the idempotency header: not shown.',
    { service: tests(AGAIN, 'reads the header under the name that was chosen') },
  ],
  [
    'The same idempotency key with another body: not shown.',
    { service: tests(AGAIN, 'refuses the same key with another body') },
  ],
  [
    'The key selects the caller and the workspace; there is no fallback.',
    { service: tests(AGAIN, 'keeps the keys of two creators apart') },
  ],
  [
    'The response is the intern, not wrapped in `data`.',
    { service: tests(CREATE, 'answers with the intern itself, every field of it') },
  ],
  [
    'The success status codes of create, key read and secret store: not shown.',
    { service: CHOSEN_STATUSES },
  ],
]);

const SECRET_ROUTE: Rule[] = section(15, 'Endpoints: PUT /vault/secrets/{name}', [
  ['It creates or replaces a secret.', { service: tests(PUT, 'replaces a secret that exists') }],
  [
    '`name` has 1 to 255 characters.',
    {
      service: tests(
        PUT,
        'takes the name a of 1 characters',
        'takes the name aaaaaaaaaa of 255 characters',
        'refuses the name "aaaaaaaaaa" of 256 characters',
        'refuses an empty name',
      ),
    },
  ],
  [
    '`name` matches `^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$`.',
    { service: tests(PUT, 'takes the name a_1_b of 5 characters', 'refuses the name *') },
  ],
  [
    '`hosts` has 1 to 100 entries.',
    { service: tests(HOSTS, 'are 1 to 100, counted before they collapse') },
  ],
  [
    'A host has at most 254 characters.',
    { service: tests(HOSTS, 'may be 254 characters with their trailing dot, and no more') },
  ],
  [
    '`value` has 1 to 65,536 characters.',
    { service: tests(PUT, 'takes values of 1 to 65,536 characters') },
  ],
  [
    'The value is encrypted at rest and never returned.',
    {
      service: [
        ...tests('service vault', 'keeps no value in clear'),
        ...tests(
          PUT,
          'answers with the metadata under data, hosts normalized, and never with the value',
        ),
      ],
    },
  ],
  [
    'Whether each body field is required: not shown.',
    {
      service: tests(
        PUT,
        'takes values of 1 to 65,536 characters',
        'refuses hosts that break a rule, naming their place and not the value',
      ),
    },
  ],
  [
    'Hosts are lowercased and lose a trailing dot.',
    { service: tests(HOSTS, 'are lowercased and lose one trailing dot') },
  ],
  [
    'Duplicates after normalization are collapsed.',
    {
      service: tests(
        HOSTS,
        'collapse when they are equal after normalization, in the order of first mention',
      ),
    },
  ],
  [
    'Schemes, ports, paths, wildcards and empty values are rejected.',
    {
      service: tests(
        HOSTS,
        'are refused with a scheme',
        'are refused with a port',
        'are refused with a path',
        'are refused with a wildcard',
        'are refused with nothing',
      ),
    },
  ],
  [
    'Hosts are exact DNS hostnames.',
    {
      service: tests(
        HOSTS,
        'are refused with an empty label',
        'are refused with a label of 64 characters',
        'are refused with letters outside ASCII',
      ),
    },
  ],
  [
    'Matching is exact: never the parent domain or any other hostname.',
    { service: tests(PUT, 'releases a secret to an intern for exactly its hosts') },
  ],
  [
    'The response is the metadata under `data`.',
    {
      service: tests(
        PUT,
        'answers with the metadata under data, hosts normalized, and never with the value',
      ),
    },
  ],
  [
    'When vault writes are disabled for the caller, the response is 503.',
    { service: tests(PUT, 'answers 503 without a reason where vault writes are off') },
  ],
  [
    'The key chooses the scope; there is no fallback to another.',
    {
      service: tests(
        PUT,
        'lets the key choose the vault: the workspace, another workspace, one intern',
      ),
    },
  ],
]);

export const ENDPOINT_RULES: readonly Rule[] = [
  ...CHAT_ROUTE,
  ...KEY_ROUTE,
  ...CREATE_ROUTE,
  ...SECRET_ROUTE,
];
