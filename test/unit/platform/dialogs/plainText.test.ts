import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainLine, plainText, visibleText } from '../../../../src/platform/dialogs/plainText.ts';
import { quotedOperation } from '../../../../src/platform/text/operations.ts';

/** How VS Code finds links in prompts, validation messages and notifications (vs/base/common/linkedText). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** How it finds icons in rows. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

describe('plainText', () => {
  it('plain text contains neither links nor icons', () => {
    for (const [hostile, pattern] of [
      ['Please [sign in](command:workbench.action.quit) [here](https://evil.test "x")', LINK],
      ['$(pass) allowed $(sync~spin)', ICON],
    ] as const) {
      assert.match(hostile, pattern);
      assert.doesNotMatch(plainText(hostile), pattern);
    }
  });

  it('plainText neutralizes any mix of hostile characters', () => {
    const pieces = fc.constantFrom(
      ...['[', ']', '(', ')', '$', 'a', 'command:x', 'https://x', ' ', '\\', '\u202e'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const text = plainText(parts.join(''));
        assert.doesNotMatch(text, LINK);
        assert.doesNotMatch(text, ICON);
        assert.equal(plainText(text), text);
      }),
    );
  });

  it('plainText removes characters that reorder words', () => {
    const hostile = 'read\u202e \u2067the\u2069 file\u0007\u001b[2K';
    assert.equal(plainText(hostile), 'read the file[2K');
    assert.equal(plainLine(`${hostile}\nאבג\u200f`), 'read the file[2K אבג\u200f');
  });

  it('plainText removes invisible characters, except those of languages and emoji', () => {
    assert.equal(plainText('a\u2800b\u3164c\u{e0041}d\u200be\u00adf\ufeff'), 'abcdef');
    for (const text of ['نامه\u200cای', 'אבג\u200f!', '👩\u200d💻', '❤\ufe0f'])
      assert.equal(plainText(text), text);
  });

  it('visibleText spells out unrecognizable characters', () => {
    assert.equal(visibleText('rm -rf /\ttmp\n“ünï” 家 🙂'), 'rm -rf /\ttmp\n“ünï” 家 🙂');
    assert.equal(
      visibleText('a\u202e\u00a0\u200d\ufe0f\u2028\u0000\ud800b'),
      'a<U+202E><U+00A0><U+200D><U+FE0F><U+2028><U+0000><U+D800>b',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(visibleText(text), /(?![\t\n\r])[\p{C}\u2800\u3164]/u);
      }),
    );
  });

  // A dialog draws its line each second, and megabytes of hidden characters take a second.
  it('a line reads only the beginning of a long text, and says that there is more', () => {
    const blanks = ' '.repeat(19_998);
    assert.equal(plainLine(`ls${blanks}`), 'ls');
    assert.equal(plainLine(`ls${blanks}rm`), 'ls …');
    assert.equal(quotedOperation(`ls${blanks}rm`), '“ls …”');
    assert.equal(plainLine(`ls${blanks.slice(1)}😀`), 'ls …');
  });

  it('plainLine fits any text on one line of limited length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        (text, limit) => {
          const line = plainLine(text, limit);
          assert.ok(Array.from(line).length <= limit);
          assert.doesNotMatch(line, /[\r\n\t]/);
          assert.doesNotThrow(() => encodeURIComponent(line), 'a surrogate stands alone');
        },
      ),
    );
  });
});
