import assert from 'node:assert/strict';
import {
  assertError,
  type Json,
  type JsonResponse,
  sendJson,
  service,
  useService,
} from './support.ts';

const VALUE = 'a value that stays in the vault';

interface Put {
  name?: string;
  hosts?: unknown;
  value?: unknown;
  key?: string;
}

function put(secret: Put = {}): Promise<JsonResponse> {
  const { name = 'api_key', key = 'test-key-owner', ...given } = secret;
  const body = { hosts: ['api.example.com'], value: VALUE, ...given };
  const path = `/vault/secrets/${encodeURIComponent(name)}`;
  return sendJson(path, { method: 'PUT', key, body });
}

describe('service PUT /vault/secrets/{name}', () => {
  useService();

  // Rules 3.1, 3.2, 3.3, 3.5, 15.7, 15.14
  it('storing a secret returns its metadata and never its value', async () => {
    const { status, json } = await put({ hosts: ['API.Example.com.', 'api.example.com'] });
    assert.equal(status, 200);
    const data = json['data'] as Json;
    assert.deepEqual(data, {
      name: 'api_key',
      hosts: ['api.example.com'],
      fingerprint: data['fingerprint'],
      created_at: '2030-01-01T00:00:00.000Z',
    });
    assert.match(data.fingerprint as string, /^sha256:[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(json).includes(VALUE));
  });

  for (const name of ['a', 'a1', 'a_b', 'a_1_b', 'a'.repeat(255)])
    // Rules 15.2, 15.3, 21.11
    it(`a secret takes the name ${name.slice(0, 10)} (length ${name.length})`, async () => {
      assert.equal((await put({ name })).status, 200);
    });

  for (const name of ['A', '1a', '_a', 'a_', 'a__b', 'a-b', 'a b', 'ä', 'a\n', 'a'.repeat(256)])
    it(`a secret refuses the name ${JSON.stringify(name.slice(0, 10))} (length ${name.length})`, async () => {
      assertError(await put({ name }), 400);
    });

  // Rules 15.6, 15.8, 21.13
  it('a secret takes values of 1 to 65,536 characters', async () => {
    assert.equal((await put({ value: 'v' })).status, 200);
    assert.equal((await put({ value: '🙂'.repeat(65_536) })).status, 200);
    for (const value of ['', 'x'.repeat(65_537), 7, null, undefined])
      assertError(await put({ value }), 400);
  });

  // Rule 15.8
  it('the service refuses invalid hosts without quoting the value of the secret', async () => {
    for (const hosts of [[], ['*.a.test'], ['https://a.test'], 'a.test', undefined]) {
      const response = await put({ hosts });
      assertError(response, 400);
      assert.match((response.json['error'] as Json)['message'] as string, /hosts/);
      assert.ok(!JSON.stringify(response.json).includes(VALUE));
    }
    assert.ok(!service.state.secrets('ws_orchard').some(({ name }) => name === 'api_key'));
  });

  // Rules 3.8, 15.16, 16.3
  it('the key selects the vault of a secret', async () => {
    const prints = new Set<unknown>();
    for (const key of ['test-key-owner', 'test-key-second', 'test-key-vault-ada'])
      prints.add(((await put({ key })).json['data'] as Json)['fingerprint']);

    assert.equal(prints.size, 3);
    const rotated = (await put({ key: 'test-key-rotated' })).json['data'] as Json;
    assert.ok(prints.has(rotated['fingerprint']));
    service.state.keys.change('test-key-vault-ada', { vaultOfIntern: 'intern_nobody' });
    assertError(await put({ key: 'test-key-vault-ada' }), 404);
  });
});
