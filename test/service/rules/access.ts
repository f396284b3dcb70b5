import { CLIENT, REFUSED_REGION, SENT_PROMPT } from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const ACCESS = 'service access';

const OUTSIDER_INTERNS = tests(
  ACCESS,
  'hides POST /interns from callers outside the programme: 404, no reason',
  'hides the chat route from callers outside the programme: 404, no reason',
  'hides GET /interns/intern_ada from callers outside the programme, reads included',
);
const OUTSIDER_VAULT = tests(
  ACCESS,
  'hides PUT /vault/secrets/{name} from callers outside the programme: 404, no reason',
  'hides GET /vault/secrets from callers outside the programme, reads included',
);
const REGIONAL = tests(
  ACCESS,
  'refuses POST /interns on a regional hostname, whatever its case and port',
  'refuses PUT /vault/secrets/{name} on a regional hostname, whatever its case and port',
  'serves chat and the key on a regional hostname',
);
const VAULT_OF_KEY = tests(
  'service PUT /vault/secrets/{name}',
  'lets the key choose the vault: the workspace, another workspace, one intern',
);

const OVERVIEW: Rule[] = section(1, 'What the service does', [
  [
    'Every route is called over HTTPS.',
    {
      why: 'The local service is for the loopback address, where the client allows plain HTTP.',
      client: tests(
        CLIENT.root,
        'takes plain HTTP on this machine alone, so that no key crosses a network in the clear',
      ),
    },
  ],
  [
    'Bodies are JSON, except the chat response, which is an event stream.',
    {
      service: [
        ...tests('service chat request', 'is refused when the body is not JSON'),
        ...tests(
          'service chat stream',
          'is an event stream of data lines, each with one chunk, that ends with [DONE]',
        ),
      ],
      client: [
        ...SENT_PROMPT,
        ...tests(
          CLIENT.streamStart,
          'tells a page or another answer with status 200 from a stream',
        ),
      ],
    },
  ],
  [
    'Create also makes the private vault of the intern.',
    {
      service: tests('service POST /interns', 'answers with the intern itself, every field of it'),
      client: tests(
        CLIENT.creating,
        'creates an intern with every field, and takes a replay for the same one',
      ),
    },
  ],
  [
    'Callers outside the programme receive 404 for every path under `/interns`.',
    {
      service: OUTSIDER_INTERNS,
      client: [
        ...tests(CLIENT.chatKinds, 'reads 404 without a reason as outsider'),
        ...tests(CLIENT.otherKinds, 'reads 404 without a reason of create as outsider'),
      ],
    },
  ],
  [
    'Every vault route, reads included, returns 404 outside the programme.',
    {
      service: OUTSIDER_VAULT,
      client: tests(CLIENT.otherKinds, 'reads 404 without a reason of secret as outsider'),
    },
  ],
  [
    'Requests on regional hostnames are refused on the create and vault routes.',
    {
      service: REGIONAL,
      client: REFUSED_REGION,
    },
  ],
  [
    'Other operations on interns and other vault routes: not shown.',
    {
      service: tests(
        ACCESS,
        'answers unknown paths with 404, and other methods with the one that exists',
      ),
    },
  ],
]);

const AUTHENTICATION: Rule[] = section(16, 'Authentication', [
  [
    'Every route takes the API key as `Authorization: Bearer`.',
    {
      service: tests(
        ACCESS,
        'refuses GET /key with another scheme: 401, no reason',
        'refuses the chat route with a key without its scheme: 401, no reason',
      ),
      client: tests(
        CLIENT.sent,
        'sends the key to the root alone, follows no redirect, and keeps no cookie or cache',
      ),
    },
  ],
  [
    'The key determines the caller, the workspace and the visible interns.',
    { service: tests(ACCESS, 'shows a key only the interns of its own workspace') },
  ],
  [
    'The key decides whether a vault route works on the workspace or on one intern in it.',
    { service: VAULT_OF_KEY },
  ],
  [
    'Membership of the programme is required for every `/interns` and vault route: 404.',
    {
      service: [...OUTSIDER_INTERNS, ...OUTSIDER_VAULT],
      client: tests(CLIENT.keys, 'tells outsider on the routes of chat, create and vault'),
    },
  ],
  [
    'A missing or invalid key gives 401.',
    {
      service: tests(
        ACCESS,
        'refuses GET /key with no key: 401, no reason',
        'refuses POST /interns with an unknown key: 401, no reason',
        'refuses PUT /vault/secrets/{name} with no key: 401, no reason',
        'refuses the chat route with an unknown key: 401, no reason',
        'takes a key away the moment it is revoked, and when it expires',
      ),
      client: tests(CLIENT.keys, 'tells signed-out on the routes of chat, create and vault'),
    },
  ],
  [
    'A key whose creator has left the organization, and which holds no grant, gives 403.',
    {
      service: tests(
        ACCESS,
        'refuses GET /key with the key of a member who left: 403, no reason',
        'refuses POST /interns with the key of a member who left: 403, no reason',
        'refuses PUT /vault/secrets/{name} with the key of a member who left: 403, no reason',
        'refuses the chat route with the key of a member who left: 403, no reason',
      ),
      client: tests(CLIENT.keys, 'tells left-organization on the routes of chat, create and vault'),
    },
  ],
  [
    'Requests on regional hostnames are refused on the create and vault routes.',
    {
      service: REGIONAL,
      client: REFUSED_REGION,
    },
  ],
  [
    'Chat rate limiting applies per user or organization that the key acts as.',
    {
      service: tests(
        'service limits',
        'allow so many turns a minute to a user or organization: 429 with the wait',
      ),
      client: tests(CLIENT.keys, 'tells that turns are limited'),
    },
  ],
  [
    'What management and provisioning keys may do: not shown.',
    { why: 'The flags are passed on as they are; nothing follows from them on either side.' },
  ],
]);

export const ACCESS_RULES: readonly Rule[] = [...OVERVIEW, ...AUTHENTICATION];
