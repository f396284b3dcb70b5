import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  errorBodySchema,
  internSchema,
  keyResponseSchema,
  secretResponseSchema,
} from '../../../src/api/schemas.ts';
import { INTERN_STATUSES, isInternStatus } from '../../../src/api/types.ts';

const INTERN = {
  id: 'intern_1',
  name: 'ada',
  description: 'Reads',
  instructions: 'Read.',
  model: 'vendor/model',
  status: 'running',
  hostname: 'ada.example',
  progress: { current_step: 2 },
  last_failure_message: 'none',
  vault_id: 'vault_1',
  attached_vault_id: 'vault_2',
  workspace_id: 'workspace_1',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
};

/** Returns the fields in camel case. */
function renamed(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

const BARE = { id: 'intern_1', workspace_id: 'workspace_1' };
const EMPTY = {
  ...renamed(Object.fromEntries(Object.keys(INTERN).map((name) => [name, null]))),
  ...renamed(BARE),
};

const KEY_INFO = {
  label: 'laptop',
  creator_user_id: 'user_1',
  organization_id: 'org_1',
  workspace_id: 'workspace_1',
  expires_at: '2027-01-01T00:00:00Z',
  allowed_data_regions: ['eu', 'us'],
  is_free_tier: false,
  is_management_key: true,
  is_provisioning_key: false,
  include_byok_in_limit: true,
  limit: 100,
  limit_remaining: 74.5,
  limit_reset: 'monthly',
  usage: 25.5,
  usage_daily: 1,
  usage_weekly: 2,
  usage_monthly: 3,
  byok_usage: 4,
  byok_usage_daily: 5,
  byok_usage_weekly: 6,
  byok_usage_monthly: 7,
  free_model_daily_requests: { limit: 50, remaining: 49, used: 1 },
};

describe('internSchema', () => {
  // Rules 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.10, 2.11, 2.12, 2.13, 2.14, 2.15, 10.13, 14.17
  it('the schema of an intern reads every field, and keeps the names inside progress', () => {
    assert.deepEqual(v.parse(internSchema, { ...INTERN, extra: 1 }), renamed(INTERN));
  });

  // Rules 2.1, 2.13
  it('the schema of an intern requires only the IDs', () => {
    assert.deepEqual(v.parse(internSchema, BARE), EMPTY);
    for (const id of [undefined, null, '', 7]) {
      assert.equal(v.safeParse(internSchema, { ...BARE, id }).success, false);
      assert.equal(v.safeParse(internSchema, { ...BARE, workspace_id: id }).success, false);
    }
  });

  it('the schema of an intern reads a field with an unexpected type as null', () => {
    const odd = Object.fromEntries(Object.keys(INTERN).map((name) => [name, 7]));
    assert.deepEqual(v.parse(internSchema, { ...odd, ...BARE }), EMPTY);
  });

  // Rules 2.6, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8, 10.12
  it('the schema of an intern keeps an unlisted status', () => {
    assert.equal(v.parse(internSchema, { ...INTERN, status: 'hibernating' }).status, 'hibernating');
    assert.equal(isInternStatus('hibernating'), false);
    assert.equal(isInternStatus(null), false);
    assert.equal(INTERN_STATUSES.every(isInternStatus), true);
    const statuses =
      'awaiting_slack_install queued provisioning running failed stopped destroying destroy_failed';
    assert.equal(INTERN_STATUSES.join(' '), statuses);
  });
});

describe('keyResponseSchema', () => {
  // Rules 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 4.10, 4.11, 4.12, 4.13, 4.14, 13.1, 21.16
  // Rules 22.2
  it('the schema of a key reads every field except the deprecated one', () => {
    const deprecated = { rate_limit: { interval: '10s', requests: 5, note: 'deprecated' } };
    const data = { ...KEY_INFO, ...deprecated };
    assert.deepEqual(v.parse(keyResponseSchema, { data }), renamed(KEY_INFO));
  });

  // Rule 4.15
  it('the schema of a key reads null, missing and invalid fields as null', () => {
    const ids = { workspace_id: 'workspace_1' };
    const nulls = Object.fromEntries(Object.keys(KEY_INFO).map((name) => [name, null]));
    const odd = Object.fromEntries(
      Object.entries(KEY_INFO).map(([name, field]) => [
        name,
        typeof field === 'boolean' ? 7 : true,
      ]),
    );
    const fromNothing = v.parse(keyResponseSchema, { data: ids });
    assert.deepEqual(v.parse(keyResponseSchema, { data: { ...nulls, ...ids } }), fromNothing);
    assert.deepEqual(v.parse(keyResponseSchema, { data: { ...odd, ...ids } }), fromNothing);
    const { workspaceId, ...rest } = fromNothing;
    assert.equal(workspaceId, 'workspace_1');
    assert.equal(Object.keys(rest).length, 21);
    assert.ok(Object.values(rest).every((field) => field === null));
  });

  it('the schema of a key reads an allowance without its counts', () => {
    const data = { ...KEY_INFO, free_model_daily_requests: { used: 3 } };
    assert.deepEqual(v.parse(keyResponseSchema, { data }).freeModelDailyRequests, {
      limit: null,
      remaining: null,
      used: 3,
    });
  });

  // Rule 4.1
  it('the schema of a key refuses the information on a key without a workspace', () => {
    for (const body of [undefined, {}, { data: null }, { data: {} }, KEY_INFO, []])
      assert.equal(v.safeParse(keyResponseSchema, body).success, false);
    const data = { ...KEY_INFO, workspace_id: undefined };
    assert.equal(v.safeParse(keyResponseSchema, { data }).success, false);
  });
});

describe('secretResponseSchema', () => {
  // Rules 3.1, 3.2, 3.3, 3.4, 3.5, 3.9, 15.14
  it('the schema of a secret reads every field, also of a legacy row', () => {
    const data = {
      name: 'github_token',
      hosts: ['api.github.com'],
      fingerprint: 'sha256:00ff',
      created_at: '2026-01-01T00:00:00Z',
      value: 'never sent',
    };
    assert.deepEqual(v.parse(secretResponseSchema, { data }), {
      name: 'github_token',
      hosts: ['api.github.com'],
      fingerprint: 'sha256:00ff',
      createdAt: '2026-01-01T00:00:00Z',
    });
    assert.deepEqual(
      v.parse(secretResponseSchema, { data: { name: 'a', hosts: null, fingerprint: null } }),
      { name: 'a', hosts: null, fingerprint: null, createdAt: null },
    );
  });

  it('the schema of a secret refuses metadata without a name', () => {
    assert.equal(v.safeParse(secretResponseSchema, { data: { hosts: [] } }).success, false);
  });
});

describe('errorBodySchema', () => {
  // Rule 9.1
  it('the schema of an error reads code, message and reason', () => {
    const error = { code: 409, message: 'Busy', metadata: { reason: 'busy', more: 1 } };
    const read = v.parse(errorBodySchema, { error });
    assert.deepEqual([read.code, read.message, read.reason], [409, 'Busy', 'busy']);
  });

  // Rule 9.1
  it('the schema of an error reads a body without a reason', () => {
    for (const metadata of [undefined, null, {}, { reason: null }, { reason: 7 }, 'text']) {
      const read = v.parse(errorBodySchema, { error: { code: 401, message: 'No', metadata } });
      assert.equal(read.reason, null);
    }
  });

  it('the schema of an error refuses the error bodies of other services', () => {
    for (const body of [
      { message: 'Unauthorized' },
      { error: 'Not found' },
      { error: { message: 'Incorrect API key', code: 'invalid_api_key' } },
      { error: { message: 'x', code: 1.5 } },
      { error: { code: 404 } },
      null,
    ])
      assert.equal(v.safeParse(errorBodySchema, body).success, false);
  });
});
