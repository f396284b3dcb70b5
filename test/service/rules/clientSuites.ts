import { tests } from './rule.ts';

/** The suites of the client's tests, as mocha prints them: test/unit/api. */
export const CLIENT = {
  root: 'api root: as typed',
  prompt: 'api requests: a prompt',
  reply: 'api requests: a reply',
  keyRequest: 'api requests: the key',
  createRequest: 'api requests: a create',
  secretRequest: 'api requests: a secret',
  storedCreate: 'api create: the bytes that are stored',
  header: 'api header name: the idempotency header',
  sent: 'api client: what is sent',
  failures: 'api client: failures',
  retries: 'api client: retries',
  intern: 'api schemas: intern',
  keyInfo: 'api schemas: key information',
  secret: 'api schemas: secret metadata',
  errorBody: 'api schemas: error body',
  successes: 'api responses: successes',
  refusals: 'api responses: refusals',
  responseKinds: 'api responses: kinds',
  chatKinds: 'api error kinds: the chat route',
  otherKinds: 'api error kinds: the other routes',
  said: 'api chunks: what is said',
  calls: 'api chunks: questions',
  finish: 'api chunks: the finish',
  end: 'api chunks: the final chunk',
  permission: 'api questions: permission',
  elicitation: 'api questions: elicitation',
  unreadable: 'api questions: what cannot be answered',
  cuts: 'api chunking: every recorded stream',
  streamEnd: 'api chat stream: its end',
  streamStart: 'api chat stream: before it begins',
  silence: 'api chat stream: silence',
  sockets: 'api sockets',
  watchdog: 'api watchdog',
  texts: 'api limits: each text of the interface',
  characters: 'api limits: characters',
  body: 'api limits: the body',
  internName: 'api names: the name of an intern',
  secretName: 'api names: the name of a secret',
  host: 'api hosts: one host',
  hosts: 'api hosts: the hosts of a secret',
  surface: 'api surface',
  run: 'api with the local service: a run',
  questions: 'api with the local service: questions',
  inside: 'api with the local service: failures inside a stream',
  keys: 'api with the local service: keys',
  creating: 'api with the local service: creating and storing',
} as const;

/* Tests that hold several rules each. */

export const ASKED_AND_ANSWERED = tests(
  CLIENT.questions,
  'answers a permission, and the same run goes on',
);
export const HOST_PARTS = tests(CLIENT.host, 'names the part that is no host name');
export const READ_CALL = tests(
  CLIENT.calls,
  'reads a tool call verbatim for its echo, and what it asks',
);
export const READ_EMPTY_END = tests(CLIENT.end, 'reads null where nothing was reported');
export const READ_END = tests(CLIENT.end, 'reads session, usage and model');
export const READ_INTERN = tests(
  CLIENT.intern,
  'reads every field, and leaves the names inside progress alone',
);
export const READ_KEY = tests(CLIENT.keyInfo, 'reads every field but the deprecated one');
export const READ_SECRET = tests(CLIENT.secret, 'reads every field, and the nulls of a legacy row');
export const REFUSED_REGION = tests(
  CLIENT.keys,
  "passes on the service's own sentence where a regional hostname is refused",
);
export const SENT_ANSWER = tests(
  CLIENT.reply,
  'answers an elicitation with a JSON object in a string',
);
export const SENT_PROMPT = tests(
  CLIENT.prompt,
  'goes to the intern, with the prompt alone and its mode',
);
export const SENT_REPLY = tests(
  CLIENT.reply,
  'echoes the tool call unchanged, answers it, and repeats no mode',
);
export const STORED_CREATE = tests(
  CLIENT.storedCreate,
  'writes the same characters for the same draft, fields in a fixed order',
);
export const STREAMED = tests(
  CLIENT.run,
  'streams text in the order of the interface, with usage and model',
);
