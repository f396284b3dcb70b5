import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../../src/api/index.ts';
import type { Accounts } from '../../../../src/features/accounts/account.ts';
import {
  createStoreSecret,
  namesWithSameValue,
  type StoreSecret,
} from '../../../../src/features/vault/secrets.ts';
import { storedMessage } from '../../../../src/features/vault/secretMessages.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const metadataOf = (name: string, fingerprint: string | null = null) => ({
  name,
  fingerprint,
  hosts: ['a.test'],
  createdAt: null,
});

describe('storeSecret', () => {
  const stub = useStubs();
  let fake: FakeAccounts;
  let storeSecret: StoreSecret;

  beforeEach(() => {
    fake = new FakeAccounts();
    storeSecret = createStoreSecret(fake.ports);
  });

  const store = (name: string, fingerprint: string | null = null, value = 'test-value') => {
    fake.secretAnswers.push(metadataOf(name, fingerprint));
    return storeSecret(fake.account, name, { hosts: ['a.test'], value });
  };

  for (const [before, after, change, words] of [
    ['sha256:1', 'sha256:1', 'same', ' The value is unchanged.'],
    ['sha256:1', 'sha256:2', 'changed', ' The value changed.'],
    ['sha256:1', null, 'unknown', ''],
    [null, 'sha256:1', 'unknown', ''],
  ] as const)
    it(`a stored value counts as ${change} after fingerprints ${before} and ${after}`, async () => {
      assert.equal(storedMessage(await store('one', before)), 'Stored one.');
      assert.equal(storedMessage(await store('one', after)), `Replaced one.${words}`);
    });

  it('a secret that is stored again ends the request for its earlier value', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const putSecret: ServiceClient['putSecret'] = (name, _, options) => {
      signals.push(options?.signal);
      return Promise.resolve(metadataOf(name));
    };
    const client = () => ({ putSecret }) as ServiceClient;
    const ports = { ...fake.ports, accounts: { ...fake.accounts, client } as Accounts };
    storeSecret = createStoreSecret(ports);
    const secret = { hosts: ['a.test'], value: 'test-value' };
    for (const name of ['a', 'b', 'a']) await storeSecret(fake.account, name, secret);
    assert.deepEqual(
      signals.map((signal) => signal?.aborted),
      [true, false, false],
    );
  });

  // Rule 3.6
  it('a stored secret names the others with the same value', async () => {
    await store('a', 'sha256:1');
    await store('c', 'sha256:2');
    await store('d');
    const stored = await store('b', 'sha256:1');
    assert.deepEqual(stored.sameAs, ['a']);
    assert.equal(storedMessage(stored), 'Stored b. It has the same value as a.');
    assert.deepEqual((await store('e')).sameAs, [], 'no fingerprint equals none');
    const records = await fake.account.store.secrets.list();
    assert.deepEqual(namesWithSameValue(records, stored.record, Infinity), []);
  });

  // Rule 3.8
  it('a stored secret is compared only with those of the same key', async () => {
    await store('one', 'sha256:1');
    assert.equal((await store('one', 'sha256:2')).before?.fingerprint, 'sha256:1');
    fake.clock.advance(500);
    Object.assign(fake.account.record, { keySince: fake.clock.now() });
    const { before, sameAs } = await store('two', 'sha256:2');
    assert.deepEqual([before, sameAs], [undefined, []]);
    assert.equal((await store('one', 'sha256:3')).before, undefined);
  });

  // Rule 21.13
  it('a value that is too long only in UTF-16 units is stored with a warning', async () => {
    const warnings: string[] = [];
    stub(vscode.window, { showWarningMessage: (text: string) => warnings.push(text) });
    await store('one', null, '🙂'.repeat(32_768));
    assert.equal(warnings.length, 0);
    await store('two', null, '🙂'.repeat(32_769));
    assert.match(warnings[0] ?? '', /may be too long for the service/);
    assert.equal((await fake.account.store.secrets.list()).length, 2);
  });
});
