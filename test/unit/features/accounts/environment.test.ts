import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../../src/api/index.ts';
import {
  readEnvironment,
  recallEnvironment,
  rememberEnvironment,
} from '../../../../src/features/accounts/environment.ts';
import { dayOf, isReminderDue } from '../../../../src/features/accounts/expiryReminder.ts';
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

describe('isReminderDue', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const day = 24 * 60 * 60_000;
  const inDays = (days: number) => new Date(now + days * day).toISOString();

  it('a reminder is due once a day from the week before a key expires', () => {
    for (const [expiry, lastShown, at, isDue] of [
      [inDays(6.9), undefined, now, true],
      [inDays(-1), undefined, now, true],
      [inDays(7.1), undefined, now, false],
      [inDays(3), dayOf(now), now, false],
      [inDays(3), dayOf(now), now + day, true],
      [null, undefined, now, false],
      ['soon', undefined, now, false],
    ] as const)
      assert.equal(isReminderDue(expiry, lastShown, at), isDue, `${expiry} ${lastShown} ${at}`);
  });
});
