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
} from '../../../src/api/limits.ts';

const EMOJI = '🙂';

describe('countCharacters and measureText', () => {
  it('countCharacters counts a surrogate pair as one character, and a lone surrogate as one', () => {
    const surrogates = ['\ud83d', '\ude42\ud83d', '\ud83d\ud83d\ude42', '\ud83d\ue000'];
    const edges = ['\ud800\udc00\udbff\udfff', '\ud7ff\udc00\udc00\udc00', '\ud800\udbff'];
    for (const text of ['', 'aé返', EMOJI.repeat(3), 'a🙂b', '👩‍💻é', ...surrogates, ...edges])
      assert.equal(countCharacters(text), Array.from(text).length);
  });

  // Rule 6.5
  it('measureText finds a text that fits only in code points', () => {
    assert.deepEqual(measureText('abc', 3), { characters: 3, max: 3, fit: 'fits' });
    assert.deepEqual(measureText(EMOJI.repeat(2), 3), { characters: 2, max: 3, fit: 'tight' });
    assert.equal(measureText(EMOJI.repeat(3), 3).fit, 'tight');
    assert.equal(measureText('abcd', 3).fit, 'too-long');
    assert.equal(measureText(EMOJI.repeat(4), 3).fit, 'too-long');
  });
});

describe('limits of texts', () => {
  const limits = [
    { name: 'prompt', check: checkPrompt, max: 32_000, emptyFits: false },
    { name: 'description', check: checkDescription, max: 2_000, emptyFits: true },
    { name: 'instructions', check: checkInstructions, max: 100_000, emptyFits: true },
    { name: 'secret value', check: checkSecretValue, max: 65_536, emptyFits: false },
    { name: 'session ID', check: checkSessionId, max: 256, emptyFits: false },
    { name: 'tool call ID', check: checkToolCallId, max: 128, emptyFits: false },
  ];
  for (const { name, check, max, emptyFits } of limits) {
    // Rules 5.5, 6.4, 6.8, 14.5, 14.6, 15.6, 21.3, 21.4, 21.5, 21.9, 21.10, 21.13
    it(`the limits allow a ${name} of 1 to ${max} characters`, () => {
      assert.equal(check('x'), null);
      assert.equal(check('x'.repeat(max)), null);
      assert.equal(check(EMOJI.repeat(max)), null);
      const tooLong = { kind: 'too-long', length: max + 1, max };
      assert.deepEqual(check('x'.repeat(max + 1)), tooLong);
      assert.deepEqual(check(EMOJI.repeat(max + 1)), tooLong);
    });

    // Rules 6.7, 15.6
    it(`the limits ${emptyFits ? 'allow' : 'forbid'} an empty ${name}`, () => {
      assert.deepEqual(check(''), emptyFits ? null : { kind: 'empty' });
    });
  }

  it('the limits forbid a prompt of white space', () => {
    assert.deepEqual(checkPrompt(' \n\t'), { kind: 'empty' });
  });

  it('the limits allow a secret value of white space', () => {
    assert.equal(checkSecretValue(' '), null);
  });
});

describe('checkInternId', () => {
  it('checkInternId accepts any path segment as the ID of an intern', () => {
    for (const id of ['intern_1', 'a/b', 'é', 'a.b', '...', '%2e'])
      assert.equal(checkInternId(id), null, id);
  });

  it('checkInternId refuses an ID that is empty or leads to another path', () => {
    assert.deepEqual(checkInternId(''), { kind: 'empty' });
    for (const id of ['.', '..', 'a\ud800', '\udc00'])
      assert.deepEqual(checkInternId(id), { kind: 'not-a-path-segment' }, id);
  });

  it('checkInternId refuses white space and control characters', () => {
    for (const id of ['a b', 'a\n', '\ta', 'a\u0000', 'a\u00a0b', 'a\u007f'])
      assert.deepEqual(checkInternId(id), { kind: 'white-space' }, JSON.stringify(id));
  });
});

describe('checkBody', () => {
  // Rules 12.2, 21.1
  it('checkBody accepts a body of up to 1,048,576 bytes of UTF-8', () => {
    assert.equal(checkBody('x'.repeat(1_048_576)), null);
    assert.deepEqual(checkBody('x'.repeat(1_048_577)), { bytes: 1_048_577, max: 1_048_576 });
  });

  it('checkBody counts the bytes of a body, not its characters', () => {
    assert.equal(checkBody('é'.repeat(524_288)), null);
    assert.deepEqual(checkBody('é'.repeat(524_289)), { bytes: 1_048_578, max: 1_048_576 });
    assert.equal(checkBody('返'.repeat(349_525)), null);
    assert.deepEqual(checkBody('返'.repeat(349_526)), { bytes: 1_048_578, max: 1_048_576 });
  });
});
