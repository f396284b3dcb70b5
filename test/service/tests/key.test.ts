import assert from 'node:assert/strict';
import { type Json, sendJson, useService } from './support.ts';

/** The fields of `GET /key` by JSON type (interface: Current API key information). */
const FIELDS: Readonly<Record<string, string>> = {
  string: `label creator_user_id organization_id workspace_id expires_at limit_reset`,
  boolean: `is_free_tier is_management_key is_provisioning_key include_byok_in_limit`,
  number: `limit limit_remaining usage usage_daily usage_weekly usage_monthly
    byok_usage byok_usage_daily byok_usage_weekly byok_usage_monthly`,
  object: `allowed_data_regions free_model_daily_requests rate_limit`,
};

async function information(key: string): Promise<Json> {
  const { status, json } = await sendJson('/key', { method: 'GET', key });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['data']);
  return json['data'] as Json;
}

describe('service GET /key', () => {
  useService();

  // Rules 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 4.10, 4.11, 4.12, 4.13, 4.14, 13.1, 21.16
  it('the key route returns every field of the API with its type', async () => {
    const data = await information('test-key-owner');
    const expected = Object.entries(FIELDS).flatMap(([type, names]) =>
      names.split(/\s+/).map((name) => [name, type]),
    );
    const types = Object.entries(data).map(([name, value]) => [name, typeof value]);
    assert.deepEqual(Object.fromEntries(types), Object.fromEntries(expected));
    assert.equal(data['expires_at'], '2031-01-01T00:00:00.000Z');
    assert.deepEqual(data['allowed_data_regions'], ['global']);
    for (const count of Object.values(data['free_model_daily_requests'] as Json))
      assert.ok(Number.isInteger(count));

    const limit = data['rate_limit'] as Json;
    assert.deepEqual(
      [typeof limit['interval'], Number.isInteger(limit['requests']), typeof limit['note']],
      ['string', true, 'string'],
    );
  });

  // Rule 4.15
  it('the key route returns null for the values that a key lacks', async () => {
    const exhausted = await information('test-key-exhausted');
    assert.equal(exhausted['organization_id'], null);
    assert.equal(exhausted['expires_at'], null);
    assert.equal(exhausted['limit_reset'], null);
    assert.equal(exhausted['limit_remaining'], 0);
    const unlimited = await information('test-key-unlimited');
    assert.equal(unlimited['limit'], null);
    assert.equal(unlimited['limit_remaining'], null);
  });
});
