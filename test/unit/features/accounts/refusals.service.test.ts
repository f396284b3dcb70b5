import assert from 'node:assert/strict';
import { createBody, type ServiceClient } from '../../../../src/api/index.ts';
import { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import type { Service } from '../../../service/service.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { chat, failureOf, prompt, start } from '../../api/support/localService.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { accountOptions, AccountWindow } from '../../support/accountWindow.ts';

const create = {
  body: createBody({ name: 'zoe', description: null, instructions: null, provision: false }),
  idempotency: null,
};

const routes = {
  chat: (client: ServiceClient) => chat(client, prompt('Hi')),
  key: (client: ServiceClient) => client.getKey(),
  create: (client: ServiceClient) => client.createIntern(create),
  secret: (client: ServiceClient) =>
    client.putSecret('token', { hosts: ['api.example.com'], value: 'test-value' }),
} as const;
const names = Object.keys(routes) as (keyof typeof routes)[];

describe('the account of a key that the service refuses', () => {
  const folder = useTemporaryFolder();
  let service: Service;
  let accounts: AccountManager;

  beforeEach(async () => {
    service = await start();
    ({ accounts } = await AccountWindow.signedIn(folder.path, service));
  });

  afterEach(() => accounts.dispose());

  /** Records the states of the account. */
  function followed(): readonly unknown[] {
    const states: unknown[] = [];
    accounts.onDidChange(() => {
      const state = accounts.active?.state;
      if (state !== states.at(-1)) states.push(state);
    });
    return states;
  }

  /** Revokes the key, and checks that this alone marked the account. */
  async function assertUnmarked(states: readonly unknown[]): Promise<void> {
    service.state.keys.revoke('test-key-owner');
    await failureOf(routes.key(accounts.client(accounts.active)));
    await eventually(() => accounts.active?.state === 'refused');
    assert.deepEqual(states, ['refused']);
  }

  const refuse = {
    'a revoked key': () => service.state.keys.revoke('test-key-owner'),
    'a key whose creator left': () => service.state.keys.change('test-key-owner', { left: true }),
    'a regional host': () => service.state.keys.change('test-key-owner', { regional: true }),
    // As a load balancer sends it.
    'an empty 403': (route: keyof typeof routes) =>
      service.faults.next(route, { kind: 'respond', status: 403 }),
    'a 404': () => service.faults.next('key', { kind: 'respond', status: 404 }),
  };

  it('the log masks a key that the service refused at sign-in', async () => {
    const options = accountOptions(folder.path);
    const window = new AccountManager(options);
    const signingIn = window.signIn(rootOf(service.url), 'test-key-wrong');
    await assert.rejects(signingIn, { kind: 'signed-out' });
    assert.doesNotMatch(options.redactor.redact('test-key-wrong'), /wrong/);
    window.dispose();
  });

  for (const [reason, refused, kind, isMarked] of [
    ['a revoked key', names, 'signed-out', true],
    ['a key whose creator left', ['chat', 'key'], 'left-organization', true],
    ['a regional host', ['create', 'secret'], 'refused', false],
    ['an empty 403', names, 'refused', false],
    ['a 404', ['key'], 'not-the-service', false],
  ] as const)
    for (const route of refused)
      it(`the ${route} route ${isMarked ? 'marks' : 'does not mark'} an account as refused for ${reason}`, async () => {
        const states = followed();
        refuse[reason](route);
        assert.equal((await failureOf(routes[route](accounts.client(accounts.active)))).kind, kind);
        if (isMarked) await eventually(() => accounts.active?.state === 'refused');
        else await assertUnmarked(states);
      });
});
