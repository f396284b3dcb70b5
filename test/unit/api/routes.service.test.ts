import assert from 'node:assert/strict';
import { createBody, type InternDraft } from '../../../src/api/requests.ts';
import type { ApiErrorKind } from '../../../src/api/errors.ts';
import type { StoredCreate } from '../../../src/api/types.ts';
import { chat, clientOf, failureOf, prompt, start } from './support/localService.ts';

function createOf(draft: Partial<InternDraft> & { readonly name: string }): StoredCreate {
  const all = { description: null, instructions: null, provision: false, ...draft };
  return { body: createBody(all), idempotency: null };
}

describe('client with the local service: keys', () => {
  const HOSTS = ['api.example.com'];
  const create = createOf({ name: 'new-one' });

  // Rule 20.2
  it('the client repeats a read of the key that fails with 500, then gives up', async () => {
    const service = await start();
    const kinds: ApiErrorKind[] = [];
    const error = await failureOf(
      clientOf(service, 'test-key-broken').getKey({ onRetry: ({ kind }) => kinds.push(kind) }),
    );
    assert.deepEqual([error.kind, error.status], ['server-error', 500]);
    assert.deepEqual(kinds, ['server-error', 'server-error', 'server-error']);
  });

  const refusals: readonly (readonly [
    key: string,
    onChat: ApiErrorKind,
    elsewhere: ApiErrorKind,
  ])[] = [
    ['test-key-unknown', 'signed-out', 'signed-out'],
    ['test-key-left', 'left-organization', 'refused'],
    ['test-key-outsider', 'outsider', 'outsider'],
  ];
  for (const [key, onChat, elsewhere] of refusals) {
    // Rules 16.4, 16.5, 16.6
    it(`the client reads ${key} as ${onChat} for chat and ${elsewhere} elsewhere`, async () => {
      const client = clientOf(await start(), key);
      const errors = [
        await failureOf(chat(client, prompt('Hi'))),
        await failureOf(client.createIntern(create)),
        await failureOf(client.putSecret('token', { hosts: HOSTS, value: 'test-value' })),
      ];
      assert.deepEqual(
        errors.map((error) => error.kind),
        [onChat, elsewhere, elsewhere],
      );
    });
  }

  // Rules 1.6, 16.7, 20.8
  it("the client reports the service's message for a regional hostname", async () => {
    const client = clientOf(await start(), 'test-key-regional');
    const error = await failureOf(client.createIntern(create));
    assert.notEqual(error.message, '');
    assert.ok(error.status !== null && error.status >= 400 && error.status < 500);
    assert.equal(error.route, 'create');
  });

  // Rules 15.15, 20.6
  it('the client repeats no secret when vault writes are off', async () => {
    const client = clientOf(await start(), 'test-key-vault-off');
    const secret = { hosts: HOSTS, value: 'test-value' };
    const retried: unknown[] = [];
    const call = client.putSecret('token', secret, { onRetry: ({ kind }) => retried.push(kind) });
    const error = await failureOf(call);
    assert.deepEqual([error.kind, error.status, retried.length], ['vault-writes-off', 503, 0]);
  });
});

describe('client with the local service: interns and secrets', () => {
  // Rules 1.3, 14.11
  it('the client creates an intern with every field, and gets the same one from a replay', async () => {
    const client = clientOf(await start());
    const texts = { description: 'Counts é', instructions: 'Count.\n' };
    const draft = createOf({ name: 'grace-1', ...texts });
    const created = await client.createIntern(draft);
    assert.equal(created.name, 'grace-1');
    assert.equal(created.description, 'Counts é');
    assert.equal(created.instructions, 'Count.\n');
    assert.ok(created.vaultId !== null && created.createdAt !== null);
    assert.equal((await client.createIntern(draft)).id, created.id);
  });

  const draftOf = (name: string) => ({
    ...createOf({ name }),
    idempotency: { name: 'Idempotency-Key', value: 'the-same' },
  });

  // Rules 14.8, 14.16, 16.2
  it('the client creates an intern for each of two creators from the same request', async () => {
    const service = await start();
    const first = await clientOf(service).createIntern(draftOf('apart'));
    const other = await clientOf(service, 'test-key-second').createIntern(draftOf('apart'));
    assert.notEqual(other.id, first.id);
    assert.deepEqual([first.workspaceId, other.workspaceId], ['ws_orchard', 'ws_harbour']);
  });

  // Rule 14.15
  it('the client gets a refusal for another creation with the same idempotency key', async () => {
    const service = await start();
    const client = clientOf(service);
    await client.createIntern(draftOf('before'));
    const error = await failureOf(client.createIntern(draftOf('after')));
    assert.deepEqual([error.route, error.status], ['create', 409]);
    assert.notEqual(error.message, '');
    assert.ok(service.state.interns().every(({ name }) => name !== 'after'));
  });

  // Rules 3.7, 15.1
  it('the client stores a secret with normalized hosts and a stable fingerprint', async () => {
    const client = clientOf(await start());
    const secret = {
      hosts: ['API.Example.com.', 'api.example.com', 'bücher.example'],
      value: 'test-value',
    };
    const first = await client.putSecret('github_token', secret);
    assert.deepEqual(first.hosts, ['api.example.com', 'xn--bcher-kva.example']);
    assert.match(first.fingerprint ?? '', /^sha256:[0-9a-f]{64}$/);
    const second = await client.putSecret('github_token', secret);
    assert.equal(second.fingerprint, first.fingerprint);
  });

  // Rules 3.10, 15.13
  it('the client gives hosts to a legacy secret, which an intern may then use at those', async () => {
    const client = clientOf(await start());
    const use = async (host: string) =>
      (await chat(client, prompt(`use secret legacy_token at ${host}`, 'self-drive'))).text;
    assert.match(await use('api.example.com'), /does not release/);
    const secret = { hosts: ['api.example.com'], value: 'test-value' };
    const { hosts, fingerprint } = await client.putSecret('legacy_token', secret);
    assert.deepEqual(hosts, secret.hosts);
    assert.match(fingerprint ?? '', /^sha256:/);
    assert.match(await use('api.example.com'), /releases/);
    for (const other of ['example.com', 'x.api.example.com'])
      assert.match(await use(other), /does not release/);
  });

  // Rule 21.2
  it('the client reports a secret that is too large for the service', async () => {
    const client = clientOf(await start({ choices: { secretBodyBytes: 200 } }));
    const secret = { hosts: ['api.example.com'], value: 'x'.repeat(200) };
    const { kind, status } = await failureOf(client.putSecret('token', secret));
    assert.deepEqual([kind, status], ['payload-too-large', 413]);
  });
});
