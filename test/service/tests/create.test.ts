import assert from 'node:assert/strict';
import { INTERN_STATUSES } from '../core/interns.ts';
import {
  assertError,
  clock,
  type Json,
  type JsonResponse,
  padded,
  type Send,
  sendJson,
  service,
  restart,
  useService,
} from './support.ts';

function create(body: unknown, options: Send = {}): Promise<JsonResponse> {
  return sendJson('/interns', { ...options, body });
}

describe('service POST /interns', () => {
  useService();

  // Rules 1.3, 2.1, 2.3, 2.5, 2.12, 2.14, 10.12, 14.17, 14.18
  it('creating an intern returns every field of it', async () => {
    const { status, json } = await create({ name: 'zoe', description: 'd' });
    assert.equal(status, 201);
    assert.match(json['id'] as string, /^intern_/);
    assert.match(json['vault_id'] as string, /^vault_/);
    assert.deepEqual(json, {
      id: json['id'],
      name: 'zoe',
      description: 'd',
      instructions: null,
      model: null,
      status: 'stopped',
      hostname: null,
      progress: null,
      last_failure_message: null,
      vault_id: json['vault_id'],
      attached_vault_id: null,
      workspace_id: 'ws_orchard',
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
    });
  });

  for (const name of ['ab', 'a1', 'a-b', 'a1-2b-3', 'a'.repeat(17)])
    // Rules 14.2, 14.3, 21.8
    it(`the service takes the intern name ${name}`, async () => {
      assert.equal((await create({ name })).status, 201);
    });

  for (const [what, name] of [
    ['one character', 'a'],
    ['18 characters', 'a'.repeat(18)],
    ['a capital', 'Zoe'],
    ['a digit first', '1ab'],
    ['a hyphen last', 'ab-'],
    ['two hyphens in a row', 'a--b'],
    ['an underscore', 'a_b'],
    ['a line break last', 'abc\n'],
    ['a number as its value', 12],
    ['no value', undefined],
  ] as const)
    it(`the service refuses an intern name with ${what}`, async () => {
      assertError(await create({ name }), 400);
      assert.ok(!service.state.interns().some((intern) => intern.name === name));
    });

  // Rules 2.4, 14.5, 14.6
  it('an intern takes a description of 2,000 and instructions of 100,000 characters', async () => {
    const long = { description: 'ü'.repeat(2_000), instructions: 'ü'.repeat(100_000) };
    assert.equal((await create({ name: 'zoe', ...long })).status, 201);
    const nothing = { name: 'zac', description: null, instructions: null };
    assert.equal((await create(nothing)).status, 201);
  });

  // Rules 14.5, 14.6, 14.7, 21.9, 21.10
  for (const [what, fields] of [
    ['a description of 2,001 characters', { description: 'x'.repeat(2_001) }],
    ['instructions of 100,001 characters', { instructions: 'x'.repeat(100_001) }],
    ['a description that is no string', { description: 1 }],
    ['provision that is no boolean', { provision: 'true' }],
    ['provision that is null', { provision: null }],
    ['a workspace_id that is no string', { workspace_id: 1 }],
  ] as const)
    it(`the service refuses an intern with ${what}`, async () => {
      assertError(await create({ name: 'zoe', ...fields }), 400);
    });

  // Rules 2.13, 14.8
  it('an intern takes no workspace_id but that of the key', async () => {
    const own = await create({ name: 'zoe', workspace_id: 'ws_orchard' });
    assert.equal(own.json['workspace_id'], 'ws_orchard');
    assertError(await create({ name: 'zac', workspace_id: 'ws_harbour' }), 403);
  });

  // Rule 14.9
  it('creating an intern ignores fields that the API does not name', async () => {
    const response = await create({ name: 'zoe', borrowed: 'vault_1', colour: 'red' });
    assert.equal(response.status, 201);
    assert.equal(response.json['attached_vault_id'], null);
  });

  // Rules 2.2, 14.4, 20.7
  it('a creator uses an intern name once within a workspace', async () => {
    assert.equal((await create({ name: 'zoe' })).status, 201);
    const again = await create({ name: 'zoe', description: 'another' });
    assertError(again, 409);
    const rotated = await create(
      { name: 'zoe', description: 'a third' },
      { key: 'test-key-rotated' },
    );
    assertError(rotated, 409);
    for (const key of ['test-key-second', 'test-key-exhausted'])
      assert.equal((await create({ name: 'zoe' }, { key })).status, 201, key);
  });

  // Rules 14.1, 20.3, 21.1
  it('the create route takes a body of at most 1,048,576 bytes', async () => {
    assert.equal((await create(padded({ name: 'zoe' }, 1_048_576))).status, 201);
    const tooLarge = await create(padded({ name: 'zac' }, 1_048_577));
    assertError(tooLarge, 413, 'payload_too_large');
  });
});

describe('repeated creations of the service', () => {
  useService();

  const body = '{"name":"zoe","provision":true}';
  const withKey = (key: string): Send => ({ headers: { 'idempotency-key': key } });

  // Rule 14.13
  it('the service derives a stable idempotency key from a create body without a header', async () => {
    const first = await create(body);
    const second = await create(body, { key: 'test-key-rotated' });
    assert.equal(second.json['id'], first.json['id']);
  });

  // Rule 14.12
  it('the service refuses an empty idempotency key', async () => {
    assertError(await create(body, withKey('')), 400);
  });

  // Rule 14.14
  it('the service reads the idempotency key from the chosen header', async () => {
    await restart({ choices: { idempotencyHeader: 'X-Create-Key' } });
    const first = await create(body, { headers: { 'x-create-key': 'k' } });
    const replay = await create(body, { headers: { 'x-create-key': 'k' } });
    assert.equal(replay.json['id'], first.json['id']);
    assertError(await create(body, { headers: { 'x-create-key': 'l' } }), 409);
  });

  // Rules 2.11, 14.10
  it('the service resumes an interrupted creation with the same intern', async () => {
    const cut = '{"name":"cut-off","provision":true}';
    await assert.rejects(create(cut), TypeError);
    const half = service.state.interns().find(({ name }) => name === 'cut-off');
    assert.equal(half?.vault_id, null);
    assert.equal(half.status, 'stopped');
    const resumed = await create(cut);
    assert.equal(resumed.status, 201);
    assert.equal(resumed.json['id'], half.id);
    assert.equal(resumed.json['status'], 'queued');
    assert.match(resumed.json['vault_id'] as string, /^vault_/);
  });
});

describe('service provisioning', () => {
  useService();

  async function provisioned(name: string) {
    await restart({ provisioningMs: 1_000 });
    const response = await create({ name, provision: true });
    const now = (): Json => {
      const intern = service.state.interns().find(({ id }) => id === response.json['id']);
      return { ...intern! };
    };
    return { response, now };
  }

  // Rules 2.7, 2.8, 2.15, 10.8, 10.10, 14.7
  it('provisioning shows its progress and ends with a hostname', async () => {
    const { response, now } = await provisioned('zoe');
    assert.equal(response.json['status'], 'queued');
    clock.advance(250);
    assert.equal(now()['status'], 'provisioning');
    assert.notEqual(now()['progress'], null);
    assert.equal(now()['hostname'], null);
    clock.advance(749);
    assert.equal(now()['status'], 'provisioning');
    clock.advance(1);
    assert.equal(now()['status'], 'running');
    assert.equal(now()['progress'], null);
    assert.equal(now()['hostname'], 'zoe.interns.test');
    assert.equal(now()['updated_at'], '2030-01-01T00:00:01.000Z');
  });

  // Rules 10.11, 14.7
  it('a creation without provision starts no provisioning', async () => {
    const { json } = await create({ name: 'zoe' });
    clock.advance(3_600_000);
    const intern = service.state.interns().find(({ id }) => id === json['id']);
    assert.equal(intern?.status, 'stopped');
  });

  // Rules 2.10, 10.4, 10.13
  it('failed provisioning leaves a message on the intern', async () => {
    const { now } = await provisioned('fail-zoe');
    clock.advance(1_000);
    assert.equal(now()['status'], 'failed');
    assert.match(now()['last_failure_message'] as string, /image/);
    assert.equal(now()['progress'], null);
  });

  for (const [name, status] of [
    ['queued-zoe', 'queued'],
    ['stuck-zoe', 'provisioning'],
    ['slack-zoe', 'awaiting_slack_install'],
    ['stopped-zoe', 'stopped'],
    ['destroying-zoe', 'destroying'],
    ['undead-zoe', 'destroy_failed'],
  ] as const)
    // Rules 10.1, 10.2, 10.3, 10.5, 10.6, 10.7
    it(`provisioning ends as ${status} if the intern's name plays that`, async () => {
      const { now } = await provisioned(name);
      clock.advance(20_000);
      assert.equal(now()['status'], status);
    });

  // Rule 2.6
  it('the service starts with an intern in each of the eight statuses', () => {
    const seen = new Set(service.state.interns().map(({ status }) => status));
    assert.deepEqual([...seen].sort(), [...INTERN_STATUSES].sort());
  });
});
