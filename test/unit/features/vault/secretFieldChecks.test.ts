import assert from 'node:assert/strict';
import fc from 'fast-check';
import { internNameProblem } from '../../../../src/features/interns/internFieldChecks.ts';
import {
  secretNameProblem,
  typedValueProblem,
  valueProblem,
} from '../../../../src/features/vault/secretFieldChecks.ts';

/** The interface's own rules (POST /interns, PUT /vault/secrets/{name}). */
const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

/** Strings that are nearly names, where the rules are decided. */
const nearlyNames = fc.string({
  unit: fc.constantFrom('a', 'z', '0', '9', '-', '_', 'A', ' ', '.', 'ä', '🦊'),
  maxLength: 20,
});

describe('the checks of the boxes', () => {
  it('take exactly the names of interns that the interface takes', () => {
    fc.assert(
      fc.property(nearlyNames, (name) => {
        const isValid = INTERN_NAME.test(name) && name.length >= 2 && name.length <= 17;
        assert.equal(internNameProblem(name) === undefined, isValid, name);
      }),
      { numRuns: 2000 },
    );
  });

  it('take exactly the names of secrets that the interface takes', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyNames, fc.stringMatching(/^[a-z_]{250,260}$/)), (name) => {
        const isValid = SECRET_NAME.test(name) && name.length <= 255;
        assert.equal(secretNameProblem(name) === undefined, isValid, name);
      }),
      { numRuns: 2000 },
    );
  });

  it('name the character that cannot be in a name', () => {
    for (const [name, offender] of [
      ['aÄ', '“Ä”'],
      ['a.b', '“.”'],
      ['a b', 'A space'],
      ['a\tb', 'U+0009'],
    ] as const) {
      assert.ok(secretNameProblem(name)?.includes(offender), name);
      assert.ok(internNameProblem(name)?.includes(offender), name);
    }
  });

  it('never repeat a value, whatever is wrong with it', () => {
    const values = fc.oneof(
      fc.string({ minLength: 4, maxLength: 40 }).map((text) => `-----BEGIN ${text}`),
      fc.string({ minLength: 4, maxLength: 40 }).map((text) => text.repeat(20_000)),
    );
    fc.assert(
      fc.property(values, (value) => {
        const said = `${valueProblem(value) ?? ''}${typedValueProblem(value) ?? ''}`;
        assert.ok(!said.includes(value.slice(0, 20)), said);
      }),
      { numRuns: 50 },
    );
  });

  it('take a value of the allowed length, and neither a longer one nor none', () => {
    assert.equal(valueProblem('x'.repeat(65_536)), undefined);
    assert.notEqual(valueProblem('x'.repeat(65_537)), undefined);
    assert.notEqual(valueProblem(''), undefined);
  });
});
