/** The owner of an API key, and what the key simulates. */
export interface KeyProfile {
  key: string;
  label: string;
  creatorUserId: string;
  organizationId: string | null;
  workspaceId: string;
  /** A description for the README and `--help`. */
  simulates: string;
  /** A member of the interns program. Others get 404 under /interns and on every vault route. */
  program: boolean;
  /** The creator left the organization and the key holds no grant: 403. */
  left: boolean;
  /** Requests with this key count as made on a regional hostname. */
  regional: boolean;
  /** If false, storing a secret gets 503. */
  vaultWrites: boolean;
  /** The intern whose vault the key is bound to; null for the workspace's vault. */
  vaultOfIntern: string | null;
  /** `GET /key` fails with 500. */
  broken: boolean;
  /** Turns per minute; null for the service's limit. */
  turnsPerMinute: number | null;
  /** The lifetime from the start of the service, in ms; null for no end. */
  validForMs: number | null;
  /** The spend limit and its rest; null for no limit. */
  limit: number | null;
  limitRemaining: number | null;
}

const DAY_MS = 86_400_000;

type Role = Omit<KeyProfile, 'key' | 'label' | 'simulates'>;

const MEMBER: Role = {
  creatorUserId: 'user_olive',
  organizationId: 'org_orchard',
  workspaceId: 'ws_orchard',
  program: true,
  left: false,
  regional: false,
  vaultWrites: true,
  vaultOfIntern: null,
  broken: false,
  turnsPerMinute: null,
  validForMs: 365 * DAY_MS,
  limit: 100,
  limitRemaining: 62.5,
};

function profileOf(
  key: string,
  label: string,
  simulates: string,
  simulated: Partial<Role> = {},
): KeyProfile {
  return { ...MEMBER, key, label, simulates, ...simulated };
}

/** A member in the workspace of the seeded interns. */
export function memberKey(key: string): KeyProfile {
  return profileOf(key, 'Orchard', 'a member of the program');
}

function ownedBy(name: string, organization: string): Partial<Role> {
  return {
    creatorUserId: `user_${name}`,
    organizationId: `org_${organization}`,
    workspaceId: `ws_${organization}`,
  };
}

/** The keys that always exist. Each simulates one rule of the interface. */
export const SIMULATING_KEYS: readonly KeyProfile[] = [
  memberKey('test-key-owner'),
  profileOf('test-key-rotated', 'Orchard, rotated', 'another key of the same creator'),
  profileOf(
    'test-key-second',
    'Harbour',
    'a member in a second workspace, who sees none of the seeded interns',
    ownedBy('hugo', 'harbour'),
  ),
  profileOf('test-key-outsider', 'Outside', 'outside the program: 404 under /interns and /vault', {
    ...ownedBy('otto', 'outside'),
    program: false,
  }),
  profileOf('test-key-left', 'Left', 'the creator left: 403 everywhere', { left: true }),
  profileOf('test-key-regional', 'Orchard, regional', 'regional: creates and secrets are refused', {
    regional: true,
  }),
  profileOf('test-key-vault-off', 'Orchard, read-only vault', 'storing a secret gives 503', {
    vaultWrites: false,
  }),
  profileOf('test-key-vault-ada', "Ada's vault", 'uses the vault of intern_ada', {
    vaultOfIntern: 'intern_ada',
  }),
  profileOf('test-key-expiring', 'Orchard, expiring', 'expires after three days: 401', {
    validForMs: 3 * DAY_MS,
  }),
  profileOf(
    'test-key-exhausted',
    'Exhausted',
    'a spend limit with nothing left, and null in every field that may lack a value',
    { creatorUserId: 'user_emma', organizationId: null, validForMs: null, limitRemaining: 0 },
  ),
  profileOf('test-key-unlimited', 'Unlimited', 'no spend limit: null in its three fields', {
    limit: null,
    limitRemaining: null,
  }),
  profileOf('test-key-slow-down', 'Orchard, throttled', 'one turn a minute, then 429', {
    creatorUserId: 'user_theo',
    organizationId: 'org_throttled',
    turnsPerMinute: 1,
  }),
  profileOf('test-key-broken', 'Broken', 'GET /key fails with 500', { broken: true }),
];

/** The response of `GET /key` (interface: Current API key information). @param startedAt ms since the epoch */
export function keyInformation(profile: KeyProfile, startedAt: number): Record<string, unknown> {
  const spent = (profile.limit ?? 100) - (profile.limitRemaining ?? 62.5);
  return {
    label: profile.label,
    creator_user_id: profile.creatorUserId,
    organization_id: profile.organizationId,
    workspace_id: profile.workspaceId,
    expires_at: expiry(profile, startedAt),
    allowed_data_regions: ['global'],
    is_free_tier: false,
    is_management_key: false,
    is_provisioning_key: false,
    include_byok_in_limit: false,
    limit: profile.limit,
    limit_remaining: profile.limitRemaining,
    limit_reset: profile.limit === null || profile.organizationId === null ? null : 'monthly',
    usage: spent,
    usage_daily: spent / 25,
    usage_weekly: spent / 5,
    usage_monthly: spent,
    byok_usage: 3,
    byok_usage_daily: 0.25,
    byok_usage_weekly: 1,
    byok_usage_monthly: 3,
    free_model_daily_requests: { limit: 1000, remaining: 958, used: 42 },
    rate_limit: { interval: '10s', requests: -1, note: 'Deprecated and safe to ignore.' },
  };
}

/** @param now ms since the epoch */
export function hasExpired(profile: KeyProfile, startedAt: number, now: number): boolean {
  return profile.validForMs !== null && now >= startedAt + profile.validForMs;
}

function expiry({ validForMs }: KeyProfile, startedAt: number): string | null {
  return validForMs === null ? null : new Date(startedAt + validForMs).toISOString();
}
