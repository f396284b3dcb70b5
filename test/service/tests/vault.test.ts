import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Vault } from '../core/vault.ts';

const NOW = Date.UTC(2030, 0, 1);

const vault = () => new Vault('vault_one');

describe('service vault', () => {
  // Rule 3.6
  it('equal values of a vault have equal fingerprints', () => {
    const one = vault();
    const first = one.put('a', 'same value', ['a.test'], NOW).fingerprint;
    assert.equal(one.put('b', 'same value', ['b.test'], NOW).fingerprint, first);
    assert.notEqual(one.put('c', 'another value', ['a.test'], NOW).fingerprint, first);
  });

  // Rule 3.4
  it('a fingerprint is not the plain digest of its value', () => {
    const { fingerprint } = vault().put('a', 'value', ['a.test'], NOW);
    assert.match(fingerprint!, /^sha256:[0-9a-f]{64}$/);
    const plain = createHash('sha256').update('value').digest('hex');
    assert.notEqual(fingerprint, `sha256:${plain}`);
  });

  // Rule 3.9
  it('a legacy secret has neither hosts nor fingerprint until it is stored again', () => {
    const one = vault();
    one.putLegacy('old', NOW);
    assert.deepEqual(one.list(), [
      { name: 'old', hosts: null, fingerprint: null, created_at: '2030-01-01T00:00:00.000Z' },
    ]);
    assert.equal(one.releases('old', 'a.test'), false);
    const again = one.put('old', 'value', ['a.test'], NOW + 5);
    assert.deepEqual(again.hosts, ['a.test']);
    assert.match(again.fingerprint!, /^sha256:/);
    assert.equal(one.list().length, 1);
  });
});
