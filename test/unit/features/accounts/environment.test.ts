import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../../src/api/index.ts';
import {
  readEnvironment,
  recallEnvironment,
  rememberEnvironment,
} from '../../../../src/features/accounts/environment.ts';
import { isKeyReadDue, keyProblem } from '../../../../src/features/accounts/keyReminder.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
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

describe('the reminder about a key', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const minute = 60_000;
  const inDays = (days: number) => new Date(now + days * 24 * 60 * minute).toISOString();
  const account = (
    expiresAt: string | null,
    limit: unknown,
    limitRemaining: unknown,
    keyReadAt = now,
  ) => ({ record: { expiresAt, limit, limitRemaining, keyReadAt } }) as Account;

  it('the user is reminded of a key that expires within three days or has little left', () => {
    for (const [expiresAt, limit, remaining, problem] of [
      [inDays(2.9), null, null, 'expiry'],
      [inDays(-1), 100, 1, 'expiry'],
      [inDays(3.1), null, null, undefined],
      [null, null, null, undefined],
      ['soon', null, null, undefined],
      [null, 100, 9.9, 'limit'],
      [null, 100, 10, undefined],
      [null, 0, 0, undefined],
      [null, null, 1, undefined],
      [null, 100, null, undefined],
    ] as const)
      assert.equal(keyProblem(account(expiresAt, limit, remaining), now), problem);
  });

  it('the user is not reminded of a limit that was read on another day', () => {
    const yesterday = now - 24 * 60 * minute;
    assert.equal(keyProblem(account(null, 100, 1, yesterday), now), undefined);
  });

  it('a key is read again fifteen minutes after any window read it', () => {
    const read = (minutes: number) =>
      isKeyReadDue({ record: { keyReadAt: now - minutes * minute } } as Account, now);
    assert.deepEqual([read(14.9), read(15)], [false, true]);
    assert.equal(isKeyReadDue({ record: {} } as Account, now), true);
  });
});
