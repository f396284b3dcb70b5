import assert from 'node:assert/strict';
import {
  hiddenCharacters,
  codePointName,
  withoutHiddenCharacters,
} from '../../../src/base/hiddenCharacters.ts';

describe('hiddenCharacters', () => {
  const rows: Readonly<Record<string, readonly [code: string, names: string]>> = {
    'a comment that is turned around': [
      'if (isAdmin) { /*\u202e } \u2066if (x)\u2069 */',
      '<U+202E> <U+2066> <U+2069>',
    ],
    'marks of direction': ['a\u200e\u200f\u061cb', '<U+200E> <U+200F> <U+061C>'],
    'spaces without a width in a name': [
      'user\u200bName\u2060\ufeff',
      '<U+200B> <U+2060> <U+FEFF>',
    ],
    'a joiner between Latin letters': ['ad\u200dmin', '<U+200D>'],
    'a joiner at the end': ['\u0646\u200d', '<U+200D>'],
    'fillers that draw nothing': [
      'const \u3164, \u115f, \uffa0, \u2800',
      '<U+3164> <U+115F> <U+FFA0> <U+2800>',
    ],
    tags: ['x\u{e0041}', '<U+E0041>'],
    'a soft hyphen': ['pass\u00adword', '<U+00AD>'],
    'an escape of a terminal': [
      '\u001b[2K\u0000\u007f\u009b',
      '<U+001B> <U+0000> <U+007F> <U+009B>',
    ],
    'separators that are no line breaks to an editor': ['a\u2028b\u2029', '<U+2028> <U+2029>'],
    'a variation selector after what has no variants': [
      'a1\ufe0f b\ufe00 \ufe0f',
      '<U+FE0F> <U+FE00> <U+FE0F>',
    ],
    'a supplementary variation selector': ['a\u{e0100}', '<U+E0100>'],
  };
  for (const [what, [code, names]] of Object.entries(rows))
    it(`hiddenCharacters finds ${what}`, () => {
      const characters = hiddenCharacters(code);
      const found = characters.map(({ character }) => codePointName(character));
      assert.equal(found.join(' '), names);
      for (const { index, character } of characters) assert.ok(code.startsWith(character, index));
      assert.deepEqual(hiddenCharacters(withoutHiddenCharacters(code)), []);
    });

  const harmless = {
    'line breaks and tabs': 'a\tb\r\nc',
    'emoji that are joined, colored and varied': '👩‍💻 🏳️‍🌈 👍🏽 ❤️ 1️⃣',
    'joiners in Persian and Hindi': 'می\u200cخواهم क्\u200dष',
    'accents and East Asian text': 'naïve café 日本語 한국어',
    'spaces that have a width': 'a\u00a0b\u3000c',
  };
  for (const [what, code] of Object.entries(harmless))
    it(`hiddenCharacters finds nothing in ${what}`, () => {
      assert.deepEqual(hiddenCharacters(code), []);
      assert.equal(withoutHiddenCharacters(code), code);
    });
});
