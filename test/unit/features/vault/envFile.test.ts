import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkSecretName } from '../../../../src/api/index.ts';
import {
  entryOnLine,
  readEnv,
  skippedLines,
  toSecretName,
} from '../../../../src/features/vault/envFile.ts';

describe('readEnv', () => {
  it('readEnv reads comments, export, quotes and values of several lines', () => {
    const text = [
      '\ufeff# comment',
      'export API_KEY=abc # why',
      'QUOTED="a # b\\nc"',
      'PEM="-----BEGIN KEY-----',
      'line',
      '-----END KEY-----"',
      'EMPTY=',
      'API_KEY=def',
    ].join('\r\n');
    assert.deepEqual(readEnv(text), [
      { key: 'API_KEY', value: 'def' },
      { key: 'QUOTED', value: 'a # b\nc' },
      { key: 'PEM', value: '-----BEGIN KEY-----\nline\n-----END KEY-----' },
      { key: 'EMPTY', value: '' },
    ]);
  });

  it('readEnv reads any text without throwing', () => {
    const unit = fc.constantFrom(...Array.from('A="\'`:# \\\n\r\0🦊'));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.nat(5), (text, line) => {
        for (const { key, value } of readEnv(text)) {
          assert.equal(typeof value, 'string', key);
        }
        assert.equal(entryOnLine(text, line)?.value === '', false, 'an empty value was offered');
      }),
      { numRuns: 1000 },
    );
  });

  it('entryOnLine finds the key of a line only if it assigns a value', () => {
    const keyOn = (line: string) => entryOnLine(line, 0)?.key;
    assert.equal(keyOn('\ufeffAPI_KEY=abc'), 'API_KEY');
    assert.equal(keyOn('  export A.b-c = "x"'), 'A.b-c');
    assert.equal(keyOn('YAML_LIKE: x'), 'YAML_LIKE');
    assert.equal(keyOn('export export=x'), 'export');
    for (const line of ['', '# A=1', 'A=', 'A= # nothing', 'words only', '=x', "A=''"]) {
      assert.equal(keyOn(line), undefined, line);
    }
  });

  it('entryOnLine finds the value of its line, not of a later one with the same key', () => {
    const text = 'A=1\nB="two\nlines"\nA=3';
    assert.deepEqual(entryOnLine(text, 0), { key: 'A', value: '1' });
    assert.equal(entryOnLine("A=''", 0), undefined, 'an empty value in quotes');
    assert.deepEqual(entryOnLine(text, 1), { key: 'B', value: 'two\nlines' });
    assert.deepEqual(entryOnLine(text, 3), { key: 'A', value: '3' });
    assert.equal(entryOnLine(text, 2), undefined);
    assert.equal(entryOnLine(text, 9), undefined);
  });
});

describe('skippedLines', () => {
  it('skippedLines names the lines that assign nothing', () => {
    const lines = ['\ufeffA=1', '', ' # b', 'words', '=x', 'export B', 'set C=1', 'D-E: 1', 'F='];
    assert.deepEqual(skippedLines(lines.join('\r\n')), [4, 5, 6, 7]);
  });

  it('skippedLines leaves out the lines of a value', () => {
    const pem = '-----BEGIN KEY-----\nline\n\n-----END KEY-----';
    for (const quote of ['"', "'", '`'])
      assert.deepEqual(skippedLines(`A=${quote}${pem}${quote} # b\nwords`), [5]);
    assert.deepEqual(skippedLines(`A=${pem}`), [2, 4]);
    assert.deepEqual(skippedLines('A="open\nwords "x\nB=1'), [2]);
  });
});

describe('readEnv of hostile text', () => {
  it('a line that looks like an assignment stays part of a value of several lines', () => {
    const [first, second] = [
      'first\nPASSWORD=not-an-assignment\nit is said: so',
      'it\nNOTE=inside',
    ];
    const text = `NOTE="${first}"\nPASSWORD=real\nQUOTE='${second}'`;
    const keys = text.split('\n').map((_, line) => entryOnLine(text, line)?.key);
    assert.deepEqual(keys, ['NOTE', undefined, undefined, 'PASSWORD', 'QUOTE', undefined]);
    assert.deepEqual(entryOnLine(text, 0), { key: 'NOTE', value: first });
    assert.deepEqual(entryOnLine(text, 4), { key: 'QUOTE', value: second });
  });

  it('readEnv keeps Unicode line separators', () => {
    const value = "'\u2028'\u2029";
    assert.deepEqual(readEnv(`A=1\nB=${value}x # why`), [
      { key: 'A', value: '1' },
      { key: 'B', value: `${value}x` },
    ]);
  });

  it('readEnv takes linear time', () => {
    // Quadratic time would exceed the timeout of a test.
    const times = 300_000;
    for (const text of [
      `A=1\n${'#\n'.repeat(times)}`,
      '\n'.repeat(times),
      `A=${'\'"`\u2028'.repeat(times)}x`,
      "A='\n".repeat(times),
    ]) {
      assert.ok(readEnv(text).length <= 1);
      skippedLines(text);
      entryOnLine(text, 0);
    }
    const aliases = Array.from({ length: 1_000 }, (_, index) => `A${'_'.repeat(index)}=1`);
    assert.deepEqual(entryOnLine(['A=2', ...aliases].join('\n'), 0), { key: 'A', value: '2' });
  });
});

describe('toSecretName', () => {
  it('toSecretName makes a name of what it can keep of a key', () => {
    for (const [key, name] of [
      ['API_KEY', 'api_key'],
      ['Api.Key-2', 'api_key_2'],
      ['__A__B__', 'a_b'],
      ['2FA_SECRET', 'fa_secret'],
    ] as const) {
      assert.equal(toSecretName(key), name);
    }
    assert.equal(toSecretName('__'), undefined);
    assert.equal(toSecretName('42'), undefined);
  });

  it('toSecretName makes only names that the vault allows', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.-]{1,300}$/), (key) => {
        const name = toSecretName(key);
        assert.equal(name === undefined ? null : checkSecretName(name), null);
      }),
    );
  });
});
