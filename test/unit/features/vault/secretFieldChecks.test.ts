import assert from 'node:assert/strict';
import fc from 'fast-check';
import { internNameProblem } from '../../../../src/features/interns/createValues.ts';
import {
  hostsProblem,
  hostsRemark,
  hostsWarning,
  readHosts,
  secretNameProblem,
  typedValueProblem,
  valueProblem,
} from '../../../../src/features/vault/secretFieldChecks.ts';
import { hostChangesWords } from '../../../../src/features/vault/secretWords.ts';

/** The interface's own rules (POST /interns, PUT /vault/secrets/{name}). */
const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

/** Strings that are nearly names, where the rules are decided. */
const nearlyNames = fc.string({
  unit: fc.constantFrom('a', 'z', '0', '9', '-', '_', 'A', ' ', '.', 'ä', '🦊'),
  maxLength: 20,
});

describe('checks of secrets', () => {
  it('takes exactly the names of interns that the interface takes', () => {
    fc.assert(
      fc.property(nearlyNames, (name) => {
        const isValid = INTERN_NAME.test(name) && name.length >= 2 && name.length <= 17;
        assert.equal(internNameProblem(name) === undefined, isValid, name);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes exactly the names of secrets that the interface takes', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyNames, fc.stringMatching(/^[a-z_]{250,260}$/)), (name) => {
        const isValid = SECRET_NAME.test(name) && name.length <= 255;
        assert.equal(secretNameProblem(name) === undefined, isValid, name);
      }),
      { numRuns: 2000 },
    );
  });

  it('names the character that a name cannot have', () => {
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

  it('never repeats a value, whatever is wrong with it', () => {
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

  it('takes a value up to the allowed length, and not an empty one', () => {
    assert.equal(valueProblem('x'.repeat(65_536)), undefined);
    assert.notEqual(valueProblem('x'.repeat(65_537)), undefined);
    assert.notEqual(valueProblem(''), undefined);
  });
});

describe('checks of hosts', () => {
  it('reads hosts separated by commas, spaces or line breaks as the service keeps them', () => {
    assert.deepEqual(readHosts('API.example.com., b.example.com\nb.example.com,,'), [
      'api.example.com',
      'b.example.com',
    ]);
  });

  const many = Array.from({ length: 101 }, (_, i) => `h${i}.example.com`).join(' ');
  for (const [typed, problem, warning, remark] of [
    ['a.example.com', '', '', ''],
    ['A.example.com', '', '', 'a.example.com'],
    [
      'ok.test https://a.test b.test:80 *.c.test',
      '“https://a.test” “b.test:80” “*.c.test”',
      '',
      '',
    ],
    ['a:1 b:1 c:1 d:1', '“a:1” “b:1” “c:1”', '', ''],
    ['ok.test 10.0.0.1', '', '“10.0.0.1”', 'ok.test and 10.0.0.1'],
    ['a_b.test', '', '“a_b.test”', ''],
    ['10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4', '', '“10.0.0.1” “10.0.0.2” “10.0.0.3”', ''],
    [many.replace('h100.', 'h99.'), '', '', /h99\.example\.com\.$/],
    [' , ', /./, '', ''],
    [many, /101/, '', ''],
  ] as const)
    it(`judges “${typed.slice(0, 41)}” (${typed.length} characters)`, () => {
      const quoted = (said = '') => (said.match(/“[^”]*”/gu) ?? []).join(' ');
      const said = hostsProblem(typed);
      if (typeof problem === 'string') assert.equal(quoted(said), problem);
      else assert.match(said ?? '', problem);
      assert.equal(said === undefined, problem === '');
      assert.equal(quoted(hostsWarning(typed)), warning);
      if (problem !== '') return;
      if (typeof remark === 'string')
        assert.equal(hostsRemark(typed), remark === '' ? undefined : `Will be bound to ${remark}.`);
      else assert.match(hostsRemark(typed) ?? '', remark);
    });

  it('either keeps all hosts or names a problem', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(readHosts(text).length === 0, hostsProblem(text) !== undefined);
      }),
    );
  });

  it('compares hosts with those of the replaced secret; a legacy one had none', () => {
    assert.equal(hostChangesWords(['a', 'b'], ['b', 'c']), 'Added hosts: c. Removed hosts: a.');
    assert.equal(hostChangesWords(null, ['a']), 'Added hosts: a.');
    assert.equal(hostChangesWords(['a'], ['a']), 'The hosts stay the same.');
  });
});
