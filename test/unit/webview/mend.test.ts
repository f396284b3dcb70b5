import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchBrackets, mend } from '../../../src/webview/markdown/parse/mend.ts';
import { assertInProportion } from '../support/proportion.ts';

/** Finds the end of a bracket by counting from it. */
function counted(text: string, at: number, open: string, shut: string): number | undefined {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === open) depth++;
    else if (character === shut && --depth === 0) return index;
  }
  return undefined;
}

describe('the end of a growing reply', () => {
  it('mend ends on a long hostile reply', () => {
    const many = 100_000;
    const blanks = ' '.repeat(many);
    for (const text of [
      '['.repeat(many),
      '[]('.repeat(many),
      `| a |\n|---${blanks}x|\nb`,
      `\`\`\`${blanks}\``,
      `\`\`a${blanks}x`,
    ])
      assert.ok(mend(text).original <= text.length);
  });

  it('mend closes marks of emphasis in linear time', () => {
    assertInProportion(
      [16_000, 64_000, 256_000, 1_024_000],
      (length) => '*a '.repeat(length / 6) + 'b_ '.repeat(length / 6),
      mend,
    );
  });

  it('matchBrackets pairs brackets as a count of open ones would', () => {
    const pieces = fc.constantFrom('[', ']', '(', ')', '\\', 'a');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const closings = matchBrackets(text, 0);
        for (let at = 0; at < text.length; at++) {
          if (text.charAt(at) === '\\') at++;
          else if (text.charAt(at) === '[')
            assert.equal(closings.get(at), counted(text, at, '[', ']'));
          else if (text.charAt(at) === '(')
            assert.equal(closings.get(at), counted(text, at, '(', ')'));
        }
      }),
    );
  });

  it('mend holds back unfinished markup at the end of a reply', () => {
    for (const [text, shown] of [
      ['a\n```ts', 'a\n'],
      ['a\n~~~ ts', 'a\n'],
      ['a\n```ts `x', 'a\n```ts `x```'],
      ['a\n##  ', 'a\n'],
      ['| a |\n| - ', ''],
      ['Before\n\n| a | b |\n|--', 'Before\n\n'],
      ['Before\n-', 'Before\n'],
      ['See ![a graph](https://exa', 'See '],
      ['Press <kbd', 'Press '],
      ['**bold and `co', '**bold and `co`**'],
      ['a ~~struck', 'a ~~struck~~'],
      ['see [here](https://a', 'see '],
      ['see [here](https://a)', 'see [here](https://a)'],
      ['code ``a` ', 'code ``a``'],
      ['```\nf(**all)\n```\nSo', '```\nf(**all)\n```\nSo'],
    ])
      assert.equal(mend(text ?? '').text, shown, text);
  });

  it('mend shows a half-open interval, and holds back a link whose label has parentheses', () => {
    for (const [text, shown] of [
      ['x in [0, 1', 'x in '],
      ['x in [0, 1) is', 'x in [0, 1) is'],
      ['x in [0, 1) is [he', 'x in [0, 1) is '],
      ['see [the (new) pa', 'see '],
      [`see [${'a '.repeat(70)}`, 'see '],
      [`see [${'a '.repeat(80)}`, `see [${'a '.repeat(80)}`],
    ])
      assert.equal(mend(text ?? '').text, shown, text);
  });

  it('mend strikes out nothing after a single tilde, which mostly means about or home', () => {
    for (const text of ['It takes ~10 minutes', 'costs (~5 USD', 'run ~/bin/x', '3~5 days'])
      assert.equal(mend(text).text, text);
  });
});
