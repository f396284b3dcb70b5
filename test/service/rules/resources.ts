import { CLIENT, READ_INTERN, READ_KEY, READ_SECRET } from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const CREATE = 'service POST /interns';
const PROVISIONING = 'service provisioning';
const VAULT = 'service vault';
const PUT = 'service PUT /vault/secrets/{name}';
const KEY = 'service GET /key';

const EVERY_INTERN_FIELD = tests(CREATE, 'answers with the intern itself, every field of it');
const PROVISIONED = tests(
  PROVISIONING,
  'starts during the create, shows its progress, and ends with a hostname',
);
const EVERY_SECRET_FIELD = tests(
  PUT,
  'answers with the metadata under data, hosts normalized, and never with the value',
);
const EVERY_KEY_FIELD = tests(KEY, 'gives every field of the interface, under data, with its type');
const NULL_KEY_FIELDS = tests(
  KEY,
  'gives null where a key has no value, for every field but the ids',
);

const INTERN: Rule[] = section(2, 'Resources: Intern', [
  [
    '`id` is a string.',
    {
      service: EVERY_INTERN_FIELD,
      client: tests(
        CLIENT.intern,
        'reads every field, and leaves the names inside progress alone',
        'needs its ids, and nothing else',
      ),
    },
  ],
  [
    '`name` is a string, unique per creator within a workspace.',
    {
      service: tests(CREATE, 'keeps names unique per creator within a workspace, and only there'),
      client: READ_INTERN,
    },
  ],
  [
    '`description` is a string or null.',
    {
      service: EVERY_INTERN_FIELD,
      client: READ_INTERN,
    },
  ],
  [
    '`instructions` is a string or null.',
    {
      service: tests(
        CREATE,
        'takes descriptions of 2,000 and instructions of 100,000 characters, or null',
      ),
      client: READ_INTERN,
    },
  ],
  [
    '`model` is a string or null; null means the default of the workspace.',
    {
      service: EVERY_INTERN_FIELD,
      client: READ_INTERN,
    },
  ],
  [
    '`status` is one of eight values.',
    {
      service: tests(PROVISIONING, 'has an intern in each of the eight statuses from the start'),
      client: tests(
        CLIENT.intern,
        'reads every field, and leaves the names inside progress alone',
        'keeps a status that is not listed as text',
      ),
    },
  ],
  [
    '`hostname` is null until provisioning has assigned one.',
    {
      service: PROVISIONED,
      client: READ_INTERN,
    },
  ],
  [
    '`progress` is an object while provisioning is under way, and null once it has settled.',
    {
      service: PROVISIONED,
      client: READ_INTERN,
    },
  ],
  ['The fields of `progress`: not shown.', { why: 'There is nothing to hold either side to.' }],
  [
    '`last_failure_message` says why the last provisioning failed, when the status is `failed`.',
    {
      service: tests(PROVISIONING, 'fails with a message'),
      client: READ_INTERN,
    },
  ],
  [
    '`vault_id` names the vault that the intern owns, and is null before it exists.',
    {
      service: tests(
        'service create, again',
        'resumes a create that was cut off: the same intern, now with its vault',
      ),
      client: READ_INTERN,
    },
  ],
  [
    '`attached_vault_id` names a borrowed vault, and is null when there is none.',
    {
      service: EVERY_INTERN_FIELD,
      client: READ_INTERN,
    },
  ],
  [
    '`workspace_id` names the workspace that owns the intern.',
    {
      service: tests(CREATE, "takes a workspace_id that is the key's, and no other"),
      client: tests(
        CLIENT.intern,
        'reads every field, and leaves the names inside progress alone',
        'needs its ids, and nothing else',
      ),
    },
  ],
  [
    '`created_at` is an ISO 8601 timestamp.',
    {
      service: EVERY_INTERN_FIELD,
      client: READ_INTERN,
    },
  ],
  [
    '`updated_at` is an ISO 8601 timestamp.',
    {
      service: PROVISIONED,
      client: READ_INTERN,
    },
  ],
]);

const SECRET: Rule[] = section(3, 'Resources: Secret metadata', [
  [
    'The value is never returned.',
    {
      service: [...EVERY_SECRET_FIELD, ...tests(VAULT, 'keeps no value in clear')],
      client: READ_SECRET,
    },
  ],
  [
    '`name` is the name of the secret.',
    {
      service: EVERY_SECRET_FIELD,
      client: READ_SECRET,
    },
  ],
  [
    '`hosts` are the exact lowercase hostnames that it may be released to.',
    {
      service: EVERY_SECRET_FIELD,
      client: READ_SECRET,
    },
  ],
  [
    '`fingerprint` is `sha256:` and the hexadecimal HMAC-SHA-256 of the value under the data key of that vault.',
    {
      service: tests(
        VAULT,
        'writes fingerprints as sha256: and 64 hexadecimal digits, which are not the plain digest',
      ),
      client: READ_SECRET,
    },
  ],
  [
    '`created_at` is an ISO 8601 timestamp.',
    {
      service: EVERY_SECRET_FIELD,
      client: READ_SECRET,
    },
  ],
  [
    'Equal fingerprints inside one vault mean equal values.',
    {
      service: tests(
        VAULT,
        'gives equal values equal fingerprints inside one vault, and other values others',
      ),
    },
  ],
  [
    'Rewriting the same value keeps its fingerprint.',
    {
      service: tests(VAULT, 'keeps the fingerprint when the same value is written again'),
      client: tests(
        CLIENT.creating,
        'stores a secret with normalised hosts and gets a fingerprint that rewriting keeps',
      ),
    },
  ],
  [
    'The same value in two vaults has different fingerprints.',
    {
      service: [
        ...tests(VAULT, 'gives the same value another fingerprint in another vault'),
        ...tests(
          PUT,
          'lets the key choose the vault: the workspace, another workspace, one intern',
        ),
      ],
    },
  ],
  [
    '`hosts` and `fingerprint` are null only for legacy rows.',
    {
      service: tests(
        VAULT,
        'holds legacy rows with null hosts and fingerprint until they are stored again',
      ),
      client: READ_SECRET,
    },
  ],
  [
    'Storing a legacy secret again assigns hosts.',
    {
      service: tests(PUT, 'gives a legacy row hosts and a fingerprint when it is stored again'),
    },
  ],
]);

const KEY_FIELDS = [
  '`label` is a string.',
  '`creator_user_id` is a string.',
  '`organization_id` is a string or null.',
  '`workspace_id` is a string.',
  '`expires_at` is a string, ISO 8601.',
  '`allowed_data_regions` is an array of strings.',
  '`is_free_tier`, `is_management_key`, `is_provisioning_key` and `include_byok_in_limit` are booleans.',
  '`limit` and `limit_remaining` are numbers.',
  '`limit_reset` is a string.',
  '`usage`, `usage_daily`, `usage_weekly` and `usage_monthly` are numbers.',
  '`byok_usage`, `byok_usage_daily`, `byok_usage_weekly` and `byok_usage_monthly` are numbers.',
  '`free_model_daily_requests` has the integers `limit`, `remaining` and `used`.',
  '`rate_limit` has `interval`, `requests` and `note`; it is deprecated and may be ignored.',
];

const KEY_INFORMATION: Rule[] = section(4, 'Resources: Current API key information', [
  [
    'It is returned under `data`.',
    {
      service: EVERY_KEY_FIELD,
      client: tests(
        CLIENT.keyInfo,
        'reads every field but the deprecated one',
        'refuses what has no ids, which is another service',
      ),
    },
  ],
  ...KEY_FIELDS.map(
    (text) =>
      [
        text,
        {
          service: EVERY_KEY_FIELD,
          client: READ_KEY,
        },
      ] as const,
  ),
  [
    'Nullability of the fields that are not marked: not shown.',
    {
      service: NULL_KEY_FIELDS,
      client: tests(
        CLIENT.keyInfo,
        'reads null, missing and oddly typed fields as null, all but the ids',
      ),
    },
  ],
  [
    'Units of usage and limit values: not shown.',
    { why: 'The service gives bare numbers; a client that showed a unit would have invented it.' },
  ],
  [
    'The allowed values of `limit_reset` and `allowed_data_regions`: not shown.',
    { why: 'Any string is allowed, so there is no wrong one to refuse.' },
  ],
]);

export const RESOURCE_RULES: readonly Rule[] = [...INTERN, ...SECRET, ...KEY_INFORMATION];
