import assert from 'node:assert/strict';
import { sameValue, valueChange } from '../../../../src/features/vault/fingerprints.ts';
import type { SecretRecord } from '../../../../src/features/accounts/records.ts';

function record(name: string, fingerprint: string | null, storedAt = 10): SecretRecord {
  const metadata = { name, hosts: ['a.example.com'], fingerprint, createdAt: null };
  return { name, metadata, storedAt };
}

describe('what fingerprints tell', () => {
  const after = record('a', 'sha256:1').metadata;

  it('is whether storing a secret changed its value', () => {
    assert.equal(valueChange(record('a', 'sha256:1'), after, 0), 'same');
    assert.equal(valueChange(record('a', 'sha256:2'), after, 0), 'changed');
  });

  it('is nothing for a secret never seen before, or a legacy one', () => {
    assert.equal(valueChange(undefined, after, 0), 'unknown');
    assert.equal(valueChange(record('a', null), after, 0), 'unknown');
    assert.equal(
      valueChange(record('a', 'sha256:1'), { ...after, fingerprint: null }, 0),
      'unknown',
    );
  });

  // Rule 3.8
  it('is nothing across keys, whose vaults may differ: equal values look different, and that is no change', () => {
    assert.equal(valueChange(record('a', 'sha256:2', 10), after, 11), 'unknown');
    assert.deepEqual(sameValue([record('b', 'sha256:1', 10)], after, 11), []);
  });

  // Rule 3.6
  it('is which other secrets have the same value', () => {
    const records = [
      record('a', 'sha256:1'),
      record('b', 'sha256:1'),
      record('c', 'sha256:2'),
      record('d', null),
    ];
    assert.deepEqual(sameValue(records, after, 0), ['b']);
    assert.deepEqual(sameValue(records, { ...after, fingerprint: null }, 0), []);
  });
});
