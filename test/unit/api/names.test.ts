import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkInternName, checkSecretName } from '../../../src/api/names.ts';

const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

describe('checkInternName', () => {
  // Rules 14.2, 21.8
  it('accepts an intern name of 2 to 17 characters of the pattern', () => {
    for (const name of ['ab', 'a1', 'a-b', 'a-1-b2', 'abcdefghijklmnopq']) {
      assert.equal(checkInternName(name), null, name);
    }
  });

  it('names the problem of an invalid intern name', () => {
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
    for (const [name, problem] of Object.entries(problems)) {
      assert.deepEqual(checkInternName(name), problem, JSON.stringify(name));
    }
  });

  // Rule 14.3
  it('accepts the same intern names as the pattern of the interface', () => {
    const text = fc.stringMatching(/^[a-cA1_-]{0,20}$/);
    fc.assert(
      fc.property(text, (name) => {
        const good = INTERN_NAME.test(name) && name.length >= 2 && name.length <= 17;
        assert.equal(checkInternName(name) === null, good);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('checkSecretName', () => {
  // Rules 15.2, 21.11
  it('accepts a secret name of 1 to 255 characters of the pattern', () => {
    for (const name of ['a', 'a_b', 'github_token_2', 'a'.repeat(255)]) {
      assert.equal(checkSecretName(name), null, name);
    }
  });

  it('names the problem of an invalid secret name', () => {
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
    for (const [name, problem] of Object.entries(problems)) {
      assert.deepEqual(checkSecretName(name), problem, JSON.stringify(name));
    }
  });

  // Rule 15.3
  it('accepts the same secret names as the pattern of the interface', () => {
    const text = fc.stringMatching(/^[a-cA1_-]{0,9}$/);
    fc.assert(
      fc.property(text, (name) => {
        assert.equal(checkSecretName(name) === null, SECRET_NAME.test(name));
      }),
      { numRuns: 2_000 },
    );
  });
});
