import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkInternName, checkSecretName } from '../../../src/api/names.ts';

describe('checkInternName and checkSecretName', () => {
  // Rules 14.2, 15.2, 21.8, 21.11
  it('the check of a name accepts characters and lengths that the API allows', () => {
    for (const name of ['ab', 'a1', 'a-b', 'a-1-b2', 'abcdefghijklmnopq'])
      assert.equal(checkInternName(name), null, name);
    for (const name of ['a', 'a_b', 'github_token_2', 'a'.repeat(255)])
      assert.equal(checkSecretName(name), null, name);
  });

  it('the check of a name names the problem of an invalid intern name', () => {
    const problems = {
      '': { kind: 'empty' },
      a: { kind: 'too-short', length: 1, min: 2 },
      abcdefghijklmnopqr: { kind: 'too-long', length: 18, max: 17 },
      Ab: { kind: 'uppercase', character: 'A' },
      aÉ: { kind: 'uppercase', character: 'É' },
      'a b': { kind: 'character', character: ' ' },
      a_b: { kind: 'character', character: '_' },
      'a🙂': { kind: 'character', character: '🙂' },
      aé: { kind: 'character', character: 'é' },
      '1a': { kind: 'start' },
      '-a': { kind: 'start' },
      'a--b': { kind: 'double-separator' },
      'ab-': { kind: 'trailing-separator' },
      'ab--': { kind: 'double-separator' },
      'ab\n': { kind: 'character', character: '\n' },
    };
    for (const [name, problem] of Object.entries(problems))
      assert.deepEqual(checkInternName(name), problem, JSON.stringify(name));
  });

  it('the check of a name names the problem of an invalid secret name', () => {
    const problems = {
      '': { kind: 'empty' },
      ['a'.repeat(256)]: { kind: 'too-long', length: 256, max: 255 },
      TOKEN: { kind: 'uppercase', character: 'T' },
      'a-b': { kind: 'character', character: '-' },
      _a: { kind: 'start' },
      '1': { kind: 'start' },
      a__b: { kind: 'double-separator' },
      a_: { kind: 'trailing-separator' },
    };
    for (const [name, problem] of Object.entries(problems))
      assert.deepEqual(checkSecretName(name), problem, JSON.stringify(name));
  });

  // Rules 14.3, 15.3
  it('the checks of names accept the same names as the patterns of the API', () => {
    const internName = /^(?=.{2,17}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
    const secretName = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;
    fc.assert(
      fc.property(fc.stringMatching(/^[a-cA1_-]{0,20}$/), (name) => {
        assert.equal(checkInternName(name) === null, internName.test(name));
        assert.equal(checkSecretName(name) === null, secretName.test(name));
      }),
      { numRuns: 2_000 },
    );
  });
});
