import assert from 'node:assert/strict';
import { parseApiRoot } from '../../../../src/api/index.ts';
import {
  readEnvironment,
  recallEnvironment,
  rememberEnvironment,
} from '../../../../src/features/accounts/environment.ts';
import { dayOf, isReminderDue } from '../../../../src/features/accounts/expiryReminder.ts';
import { FakeSecrets } from '../../support/fakeSecrets.ts';

const rootText = 'https://interns.example.com/api/v1';

describe('the environment sign-in', () => {
  it('needs both variables', () => {
    assert.deepEqual(readEnvironment({}), { kind: 'none' });
    assert.deepEqual(readEnvironment({ INTERNS_API_KEY: 'test-key-owner' }), { kind: 'none' });
    assert.deepEqual(readEnvironment({ INTERNS_BASE_URL: rootText }), { kind: 'none' });
    assert.deepEqual(readEnvironment({ INTERNS_BASE_URL: rootText, INTERNS_API_KEY: ' ' }), {
      kind: 'none',
    });
  });

  it('trims the root and cleans the key', () => {
    assert.deepEqual(
      readEnvironment({ INTERNS_BASE_URL: `${rootText}/`, INTERNS_API_KEY: '"test-key-owner"\n' }),
      { kind: 'session', session: { root: rootText, key: 'test-key-owner' } },
    );
  });

  it('names the variable that cannot be used, and never what is in it', () => {
    assert.deepEqual(
      readEnvironment({ INTERNS_BASE_URL: 'http://example.com', INTERNS_API_KEY: 'test-key' }),
      { kind: 'unusable', variable: 'INTERNS_BASE_URL' },
    );
    assert.deepEqual(readEnvironment({ INTERNS_BASE_URL: rootText, INTERNS_API_KEY: 'two keys' }), {
      kind: 'unusable',
      variable: 'INTERNS_API_KEY',
    });
  });

  it('recognises its key by a hash, and no other', async () => {
    const root = parseApiRoot(rootText);
    assert.ok(root.ok);
    const secrets = new FakeSecrets();
    const session = { root: root.value, key: 'test-key-owner' };
    assert.equal(await recallEnvironment(secrets, session), undefined);
    await rememberEnvironment(secrets, session, 'account-1');
    assert.equal(await recallEnvironment(secrets, session), 'account-1');
    assert.equal(
      await recallEnvironment(secrets, { ...session, key: 'test-key-second' }),
      undefined,
    );
    assert.doesNotMatch(JSON.stringify([...secrets.values]), /test-key/);
    secrets.values.set('environment', '{torn');
    assert.equal(await recallEnvironment(secrets, session), undefined);
  });
});

describe('the reminder of a key that expires', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const day = 24 * 60 * 60_000;
  const inDays = (days: number) => new Date(now + days * day).toISOString();

  it('is due within a week, and after the expiry too', () => {
    assert.equal(isReminderDue(inDays(6.9), undefined, now), true);
    assert.equal(isReminderDue(inDays(-1), undefined, now), true);
    assert.equal(isReminderDue(inDays(7.1), undefined, now), false);
  });

  it('comes once a day', () => {
    assert.equal(isReminderDue(inDays(3), dayOf(now), now), false);
    assert.equal(isReminderDue(inDays(3), dayOf(now), now + day), true);
  });

  it('does not come for a key without a readable expiry', () => {
    assert.equal(isReminderDue(null, undefined, now), false);
    assert.equal(isReminderDue('soon', undefined, now), false);
  });
});
