import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../../src/api/index.ts';
import {
  readEnvironment,
  recallEnvironment,
  rememberEnvironment,
} from '../../../../src/features/accounts/environment.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';

const rootText = 'https://interns.example.com/api/v1';

describe('readEnvironment', () => {
  for (const [title, root, key, expected] of [
    ['an empty environment gives no session', undefined, undefined, { kind: 'none' }],
    ['a key alone gives no session', undefined, 'test-key-owner', { kind: 'none' }],
    ['a root alone gives no session', rootText, undefined, { kind: 'none' }],
    ['a blank key gives no session', rootText, ' ', { kind: 'none' }],
    [
      'the environment gives a session with cleaned root and key',
      `${rootText}/`,
      '"test-key-owner"\n',
      { kind: 'session', session: { root: rootText, key: 'test-key-owner' } },
    ],
    [
      'an unusable root of the environment is named without its text',
      'http://example.com',
      'test-key',
      { kind: 'unusable', variable: 'INTERNS_BASE_URL' },
    ],
    [
      'an unusable key of the environment is named without its text',
      rootText,
      'two keys',
      { kind: 'unusable', variable: 'INTERNS_API_KEY' },
    ],
  ] as const)
    it(title, () => {
      const variables = { INTERNS_BASE_URL: root, INTERNS_API_KEY: key };
      assert.deepEqual(readEnvironment(variables), expected);
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
