import {
  CLIENT,
  READ_INTERN,
  READ_KEY,
  SENT_PROMPT,
  SENT_REPLY,
  STORED_CREATE,
  STREAMED,
} from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const STREAM = 'service chat stream';
const CREATE = 'service POST /interns';
const AGAIN = 'service create, again';
const RUN = 'service questions in a run';
const CHOSEN_STATUSES = tests(
  CREATE,
  'uses the statuses that were chosen where the interface shows none',
);

const CHAT_ROUTE: Rule[] = section(12, 'Endpoints: POST /interns/{internId}/chat/completions', [
  [
    '`internId` names the intern to talk to.',
    {
      service: tests(STREAM, 'needs a running intern that exists'),
      client: tests(CLIENT.prompt, 'keeps the id of the intern inside one segment of the path'),
    },
  ],
  [
    'The body has at most 1,048,576 bytes.',
    {
      service: tests(STREAM, 'takes a body of 1,048,576 bytes, and not one more'),
      client: [
        ...tests(CLIENT.body, 'takes exactly 1,048,576 bytes of UTF-8 and refuses one more'),
        ...tests(CLIENT.reply, 'is not sent above 1,048,576 bytes, and its error holds none of it'),
      ],
    },
  ],
  [
    'Success is 200 with `text/event-stream`.',
    {
      service: tests(
        STREAM,
        'is an event stream of data lines, each with one chunk, that ends with [DONE]',
      ),
      client: tests(CLIENT.responseKinds, 'knows an event stream by its content type'),
    },
  ],
  [
    'The order is role, content and reasoning, one finish, final, `[DONE]`.',
    {
      service: tests(STREAM, 'goes role, content, finish, final, [DONE]'),
      client: STREAMED,
    },
  ],
  [
    'The stream is read through `[DONE]`: the session id arrives only after the finish chunk.',
    {
      service: tests(
        STREAM,
        'has the session id on the final chunk of every response, and nowhere before',
      ),
      client: tests(
        CLIENT.streamEnd,
        'ends at [DONE] though the socket stays open, and then frees it',
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
      client: SENT_PROMPT,
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
      client: SENT_REPLY,
    },
  ],
  [
    'A tool message without `session_id` is invalid: 400.',
    {
      service: tests(STREAM, 'refuses an invalid body with the reason bad_request'),
      client: SENT_REPLY,
    },
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
      client: READ_KEY,
    },
  ],
  [
    'It takes no path parameters and no body.',
    {
      service: tests(
        'service access',
        'answers unknown paths with 404, and other methods with the one that exists',
      ),
      client: tests(CLIENT.keyRequest, 'is a GET without a body'),
    },
  ],
  [
    'Errors are 401 and 500, with the error body.',
    {
      service: [
        ...tests('service access', 'refuses GET /key with no key: 401, no reason'),
        ...tests('service GET /key', 'fails with 500 and the error body where it is broken'),
      ],
      client: tests(
        CLIENT.otherKinds,
        'reads 401 without a reason of key as signed-out',
        'reads 500 without a reason of key as server-error',
      ),
    },
  ],
]);

const CREATE_ROUTE: Rule[] = section(14, 'Endpoints: POST /interns', [
  [
    'The body has at most 1,048,576 bytes.',
    {
      service: tests(CREATE, 'takes a body of 1,048,576 bytes, and not one more'),
      client: tests(CLIENT.createRequest, 'is not sent above 1,048,576 bytes'),
    },
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
      client: tests(CLIENT.internName, 'takes 2 to 17 characters of the pattern'),
    },
  ],
  [
    '`name` matches `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`.',
    {
      service: tests(CREATE, 'takes the name a1-2b-3', 'refuses a name of *'),
      client: tests(
        CLIENT.internName,
        'agrees with the pattern and the length of the interface on any text',
      ),
    },
  ],
  [
    '`name` is unique per creator within the workspace.',
    {
      service: tests(CREATE, 'keeps names unique per creator within a workspace, and only there'),
      client: tests(CLIENT.creating, "passes on the service's own sentence where a name is taken"),
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
      client: tests(
        CLIENT.texts,
        'takes a description of 1 to 2000 characters and refuses one more',
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
      client: tests(
        CLIENT.texts,
        'takes a instructions of 1 to 100000 characters and refuses one more',
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
      client: STORED_CREATE,
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
      client: [
        ...tests(CLIENT.creating, 'resumes a create that was cut off before its response'),
        ...tests(CLIENT.sent, 'sends the stored bytes of a create and its header on every attempt'),
      ],
    },
  ],
  [
    'With the same idempotency key and the same body, a completed create is replayed.',
    {
      service: tests(
        AGAIN,
        'replays a finished create with the same key and the same body, as the intern is now',
      ),
      client: tests(
        CLIENT.creating,
        'creates an intern with every field, and takes a replay for the same one',
      ),
    },
  ],
  [
    'The idempotency key has at least one character.',
    {
      service: tests(AGAIN, 'refuses an empty key'),
      client: tests(
        CLIENT.createRequest,
        'never lets the header replace one of the request, or end its line',
      ),
    },
  ],
  [
    'Without the header, a stable key is derived from the request body.',
    {
      service: tests(AGAIN, 'derives a stable key from the body where no header is sent'),
      client: STORED_CREATE,
    },
  ],
  [
    'The name of the idempotency header: not shown.',
    {
      service: tests(AGAIN, 'reads the header under the name that was chosen'),
      client: tests(
        CLIENT.header,
        'takes a token that the client does not use itself',
        'refuses the headers that carry the request itself, in any case',
      ),
    },
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
    {
      service: tests(CREATE, 'answers with the intern itself, every field of it'),
      client: READ_INTERN,
    },
  ],
  [
    'The success status codes of create, key read and secret store: not shown.',
    { service: CHOSEN_STATUSES, client: tests(CLIENT.successes, 'reads any 2xx') },
  ],
]);

export const ENDPOINT_RULES: readonly Rule[] = [...CHAT_ROUTE, ...KEY_ROUTE, ...CREATE_ROUTE];
