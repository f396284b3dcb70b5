import { CLIENT, HOST_PARTS, READ_SECRET } from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const PUT = 'service PUT /vault/secrets/{name}';
const HOSTS = 'service hosts';

/** PUT /vault/secrets/{name}: its body, its hosts, its scope. */
export const SECRET_ROUTE_RULES: readonly Rule[] = section(
  15,
  'Endpoints: PUT /vault/secrets/{name}',
  [
    [
      'It creates or replaces a secret.',
      {
        service: tests(PUT, 'replaces a secret that exists'),
        client: tests(
          CLIENT.creating,
          'stores a secret with normalised hosts and gets a fingerprint that rewriting keeps',
        ),
      },
    ],
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
        client: tests(CLIENT.secretName, 'takes 1 to 255 characters of the pattern'),
      },
    ],
    [
      '`name` matches `^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$`.',
      {
        service: tests(PUT, 'takes the name a_1_b of 5 characters', 'refuses the name *'),
        client: tests(CLIENT.secretName, 'agrees with the pattern of the interface on any text'),
      },
    ],
    [
      '`hosts` has 1 to 100 entries.',
      {
        service: tests(HOSTS, 'are 1 to 100, counted before they collapse'),
        client: tests(CLIENT.hosts, 'takes 1 to 100 different hosts'),
      },
    ],
    [
      'A host has at most 254 characters.',
      {
        service: tests(HOSTS, 'may be 254 characters with their trailing dot, and no more'),
        client: HOST_PARTS,
      },
    ],
    [
      '`value` has 1 to 65,536 characters.',
      {
        service: tests(PUT, 'takes values of 1 to 65,536 characters'),
        client: tests(
          CLIENT.texts,
          'takes a secret value of 1 to 65536 characters and refuses one more',
          'refuses an empty secret value',
        ),
      },
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
        client: tests(CLIENT.failures, 'keeps the key and the value out of what the service says'),
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
        client: tests(
          CLIENT.secretRequest,
          'sends normalised hosts and the value, and names the value as secret',
        ),
      },
    ],
    [
      'Hosts are lowercased and lose a trailing dot.',
      {
        service: tests(HOSTS, 'are lowercased and lose one trailing dot'),
        client: tests(
          CLIENT.host,
          'lowercases and takes away one trailing dot, as the service does',
        ),
      },
    ],
    [
      'Duplicates after normalization are collapsed.',
      {
        service: tests(
          HOSTS,
          'collapse when they are equal after normalization, in the order of first mention',
        ),
        client: tests(
          CLIENT.hosts,
          'collapses duplicates after normalisation, in the order of their first mention',
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
        client: HOST_PARTS,
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
        client: HOST_PARTS,
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
        client: READ_SECRET,
      },
    ],
    [
      'When vault writes are disabled for the caller, the response is 503.',
      {
        service: tests(PUT, 'answers 503 without a reason where vault writes are off'),
        client: [
          ...tests(CLIENT.otherKinds, 'reads 503 without a reason of secret as vault-writes-off'),
          ...tests(CLIENT.retries, 'repeats no secret where vault writes are off'),
        ],
      },
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
  ],
);
