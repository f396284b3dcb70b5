import assert from 'node:assert/strict';
import {
  checkBody,
  checkDescription,
  checkInstructions,
  checkInternId,
  checkPrompt,
  checkSecretValue,
  checkSessionId,
  checkToolCallId,
  countCharacters,
  measureText,
  type LengthProblem,
} from '../../../src/api/limits.ts';

const EMOJI = '🙂';

describe('api limits: characters', () => {
  it('counts code points, a surrogate pair as one and a lone surrogate as one', () => {
    assert.equal(countCharacters(''), 0);
    assert.equal(countCharacters('aé返'), 3);
    assert.equal(countCharacters(EMOJI.repeat(3)), 3);
    assert.equal(countCharacters('\ud83d'), 1);
    assert.equal(countCharacters('\ude42\ud83d'), 2);
    assert.equal(countCharacters('\ud83d\ud83d\ude42'), 2);
    assert.equal(countCharacters('\ud83d\ue000'), 2);
    assert.equal(countCharacters('\ud800\udc00\udbff\udfff'), 2);
    assert.equal(countCharacters('\ud7ff\udc00\udc00\udc00'), 4);
    assert.equal(countCharacters('\ud800\udbff'), 2);
    for (const text of ['a🙂b', '\udc00\ud800', '👩‍💻é']) {
      assert.equal(countCharacters(text), Array.from(text).length);
    }
  });

  // Rule 6.5
  it('tells a text that fits in characters but not in UTF-16 code units from one that is too long', () => {
    assert.deepEqual(measureText('abc', 3), { characters: 3, max: 3, fit: 'fits' });
    assert.deepEqual(measureText(EMOJI.repeat(2), 3), {
      characters: 2,
      max: 3,
      fit: 'tight',
    });
    assert.equal(measureText(EMOJI.repeat(3), 3).fit, 'tight');
    assert.equal(measureText('abcd', 3).fit, 'too-long');
    assert.equal(measureText(EMOJI.repeat(4), 3).fit, 'too-long');
  });
});

describe('api limits: each text of the interface', () => {
  const limits: readonly {
    readonly name: string;
    readonly check: (text: string) => LengthProblem | null;
    readonly max: number;
    readonly emptyFits: boolean;
  }[] = [
    { name: 'prompt', check: checkPrompt, max: 32_000, emptyFits: false },
    { name: 'description', check: checkDescription, max: 2_000, emptyFits: true },
    { name: 'instructions', check: checkInstructions, max: 100_000, emptyFits: true },
    { name: 'secret value', check: checkSecretValue, max: 65_536, emptyFits: false },
    { name: 'session id', check: checkSessionId, max: 256, emptyFits: false },
    { name: 'tool call id', check: checkToolCallId, max: 128, emptyFits: false },
  ];
  for (const { name, check, max, emptyFits } of limits) {
    // Rules 5.5, 6.4, 6.8, 14.5, 14.6, 15.6, 21.3, 21.4, 21.5, 21.9, 21.10, 21.13
    it(`takes a ${name} of 1 to ${max} characters and refuses one more`, () => {
      assert.equal(check('x'), null);
      assert.equal(check('x'.repeat(max)), null);
      assert.equal(check(EMOJI.repeat(max)), null);
      const tooLong = { kind: 'too-long', length: max + 1, max };
      assert.deepEqual(check('x'.repeat(max + 1)), tooLong);
      assert.deepEqual(check(EMOJI.repeat(max + 1)), tooLong);
    });

    // Rules 6.7, 15.6
    it(`${emptyFits ? 'takes' : 'refuses'} an empty ${name}`, () => {
      assert.deepEqual(check(''), emptyFits ? null : { kind: 'empty' });
    });
  }

  it('refuses a prompt of nothing but white space', () => {
    assert.deepEqual(checkPrompt(' \n\t'), { kind: 'empty' });
  });

  it('takes a secret value of white space: it may be one', () => {
    assert.equal(checkSecretValue(' '), null);
  });
});

describe('api limits: the id of an intern', () => {
  it('takes any text that fits one path segment', () => {
    for (const id of ['intern_1', 'a/b', 'é', 'a.b', '...', '%2e']) {
      assert.equal(checkInternId(id), null, id);
    }
  });

  it('refuses what would be another path, or nothing', () => {
    assert.deepEqual(checkInternId(''), { kind: 'empty' });
    for (const id of ['.', '..', 'a\ud800', '\udc00']) {
      assert.deepEqual(checkInternId(id), { kind: 'not-a-path-segment' }, id);
    }
  });

  it('refuses white space and control characters that pasting leaves behind', () => {
    for (const id of ['a b', 'a\n', '\ta', 'a\u0000', 'a\u00a0b', 'a\u007f']) {
      assert.deepEqual(checkInternId(id), { kind: 'white-space' }, JSON.stringify(id));
    }
  });
});

describe('api limits: the body', () => {
  // Rules 12.2, 21.1
  it('takes exactly 1,048,576 bytes of UTF-8 and refuses one more', () => {
    assert.equal(checkBody('x'.repeat(1_048_576)), null);
    assert.deepEqual(checkBody('x'.repeat(1_048_577)), { bytes: 1_048_577, max: 1_048_576 });
  });

  it('counts bytes, not characters', () => {
    assert.equal(checkBody('é'.repeat(524_288)), null);
    assert.deepEqual(checkBody('é'.repeat(524_289)), { bytes: 1_048_578, max: 1_048_576 });
    assert.equal(checkBody('返'.repeat(349_525)), null);
    assert.deepEqual(checkBody('返'.repeat(349_526)), { bytes: 1_048_578, max: 1_048_576 });
  });
});
