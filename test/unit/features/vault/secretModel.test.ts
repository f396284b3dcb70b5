import assert from 'node:assert/strict';
import { SecretModel } from '../../../../src/features/vault/secretModel.ts';
import { importSecrets, unstored } from '../../../../src/features/vault/importRun.ts';
import { storedWords } from '../../../../src/features/vault/secretWords.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

const metadataOf = (name: string, fingerprint: string | null = null) => ({
  name,
  fingerprint,
  hosts: ['a.test'],
  createdAt: null,
});

describe('the list of secrets', () => {
  let fake: FakeAccounts;
  let clock: FakeClock;
  let log: RecordingLog;
  let secrets: SecretModel;

  beforeEach(() => {
    fake = new FakeAccounts();
    clock = new FakeClock(1000);
    log = new RecordingLog();
    secrets = new SecretModel({ accounts: fake.accounts, clock, log });
  });

  afterEach(() => secrets.dispose());

  const store = (name: string, fingerprint: string | null = null) => {
    fake.secretAnswers.push(metadataOf(name, fingerprint));
    return secrets.store(fake.account, name, { hosts: ['a.test'], value: 'test-value' });
  };

  it('says that a secret is in the vault though the disk is full: to store it again would change nothing', async () => {
    fake.account.store.secrets.put = () => Promise.reject(new Error('ENOSPC'));
    const stored = await store('one');
    assert.equal(stored.isListed, false);
    assert.match(storedWords(stored), /^Stored one\. It could not be added to this list/);
    assert.equal(log.failures.length, 1);
  });

  it('loses no result of an import to a disk that fails in between', async () => {
    fake.account.store.secrets.put = () => Promise.reject(new Error('ENOSPC'));
    const planned = ['one', 'two'].map((name) => ({
      key: name.toUpperCase(),
      name,
      hosts: ['a.test'],
      value: 'test-value',
    }));
    const { signal } = new AbortController();
    const results = await importSecrets(
      planned,
      ({ name }) => store(name),
      () => undefined,
      signal,
    );
    assert.equal(results.length, 2);
    assert.deepEqual(unstored(results), []);
  });

  it('compares no value with one that was stored under another key', async () => {
    await store('one', 'sha256:1');
    assert.equal((await store('one', 'sha256:2')).change, 'changed');
    clock.advance(500);
    Object.assign(fake.account.record, { keySince: clock.now() });
    const { change, sameAs } = await store('two', 'sha256:2');
    assert.deepEqual([change, sameAs], ['unknown', []]);
    assert.equal((await store('one', 'sha256:3')).change, 'unknown');
  });
});
