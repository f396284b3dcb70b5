import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../../src/api/index.ts';
import { readEnvironment } from '../../../../src/features/accounts/environment.ts';
import {
  recallEnvironment,
  rememberEnvironment,
} from '../../../../src/features/accounts/keyStore.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';

const rootText = 'https://interns.example.com/api/v1';

describe('readEnvironment', () => {
  for (const [title, root, key, expected] of [
    ['an empty environment gives no session', undefined, undefined, undefined],
    ['a key alone gives no session', undefined, 'test-key-owner', undefined],
    ['a root alone gives no session', rootText, undefined, undefined],
    ['a blank key gives no session', rootText, ' ', undefined],
    [
      'the environment gives a session with cleaned root and key',
      `${rootText}/`,
      '"test-key-owner"\n',
      { root: rootText, key: 'test-key-owner' },
    ],
  ] as const)
    it(title, () => {
      const variables = { INTERNS_BASE_URL: root, INTERNS_API_KEY: key };
      assert.deepEqual(readEnvironment(variables), expected);
    });

  for (const [name, root, key] of [
    ['INTERNS_BASE_URL', 'http://example.com', 'test-key'],
    ['INTERNS_API_KEY', rootText, 'two keys'],
  ] as const)
    it(`an unusable ${name} of the environment is named without its text`, () => {
      const variables = { INTERNS_BASE_URL: root, INTERNS_API_KEY: key };
      const message = `Couldn’t sign in with the environment variable ${name}. Correct it, or sign in manually.`;
      assert.throws(() => readEnvironment(variables), { message });
    });

  it('a window recognizes the key of the environment by its hash', async () => {
    const root = parseServiceUrl(rootText);
    assert.ok(root.ok);
    const secrets = new FakeSecrets();
    const session = { root: root.value, key: 'test-key-owner' };
    assert.equal(await recallEnvironment(secrets, session), undefined);
    await rememberEnvironment(secrets, session, 'account-1');
    assert.equal(await recallEnvironment(secrets, session), 'account-1');
    const other = { ...session, key: 'test-key-second' };
    assert.equal(await recallEnvironment(secrets, other), undefined);
    assert.doesNotMatch(JSON.stringify([...secrets.values]), /test-key/);
    secrets.values.set('environment', '{torn');
    assert.equal(await recallEnvironment(secrets, session), undefined);
  });
});
