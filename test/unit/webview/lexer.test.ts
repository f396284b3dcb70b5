import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { lex, noDefinitions } from '../../../src/webview/markdown/parse/lexer.ts';
import { assertInProportion } from '../support/proportion.ts';

/** How deep tokens lie in each other. */
function depthOf(tokens: readonly Token[]): number {
  const depths = tokens.map((token) => {
    const { items = [], tokens: inner = [] } = token as {
      readonly items?: readonly Token[];
      readonly tokens?: readonly Token[];
    };
    return 1 + depthOf([...items, ...inner]);
  });
  return Math.max(0, ...depths);
}

describe('markup in markup', () => {
  const many = 3_000;

  for (const [what, text] of [
    ['quotations', '> '.repeat(many)],
    ['lists', '- '.repeat(many)],
    ['images', `${'!['.repeat(many)}a${'](b)'.repeat(many)}`],
    ['emphasis', `${'*a **b '.repeat(many)}x${' b** a*'.repeat(many)}`],
  ] as const)
    it(`does not overflow the stack, however deep ${what} are nested`, () => {
      const { tokens } = lex(`${text}x`, noDefinitions());
      assert.equal(tokens.map(({ raw }) => raw).join(''), `${text}x`);
      assert.ok(depthOf(tokens) < 500, `${depthOf(tokens)} deep`);
    });

  it('is read as deep as people write', () => {
    const { tokens } = lex(`${'> '.repeat(20)}**a *b***`, noDefinitions());
    assert.ok(depthOf(tokens) >= 23);
  });
});

describe('a list or a quotation', () => {
  const typesOf = (text: string) => lex(text, noDefinitions()).tokens.map(({ type }) => type);

  for (const [what, text, types] of [
    [
      'is cut at an item after 2,000 of them',
      `${'- a\n\n'.repeat(2_001)}*x*`,
      'list space list space paragraph',
    ],
    ['is cut at a line after 2,000 of them', '> a\n'.repeat(2_001), 'blockquote blockquote'],
    ['counts a code block as four lines', '> ```\n'.repeat(401), 'blockquote blockquote'],
    ['is plain text if its first item is too large', `- a\n${'  b\n'.repeat(2_000)}\n*x*`, 'plain'],
    ['is read as long as people write it', '- a\n\n'.repeat(2_000).trimEnd(), 'list'],
    [
      'counts no lines of the code in it',
      `- a\n\n  \`\`\`\n${'- x\n'.repeat(1_900)}  \`\`\``,
      'list',
    ],
  ] as const)
    it(what, () => assert.equal(typesOf(text).join(' '), types));

  for (const [what, piece] of [
    ['quotations', '> a\n\n'],
    ['lists that take turns', '- a\n\n* b\n\n'],
    ['long lists that take turns', `- ${'a'.repeat(500)}\n\n* b\n\n`],
    ['quotations that headings end', `> a\n# ${'b'.repeat(500)}\n`],
  ] as const)
    it(`takes time in proportion to its length among many others: ${what}`, () => {
      assertInProportion(
        [4_000, 16_000, 64_000, 256_000],
        (length) => piece.repeat(length / piece.length),
        typesOf,
      );
    });
});

describe('markup without an end', () => {
  const many = 20_000;

  for (const [what, text] of [
    ['marks of emphasis', '*a_'.repeat(many)],
    ['words with underscores', '_a_'.repeat(many)],
    ['openings of comments', 'a<!--'.repeat(many)],
    ['a name before an @', `${'a.'.repeat(many)}@b.c`],
  ] as const)
    it(`is read as the text that it is, not for seconds: ${what}`, () => {
      const { tokens } = lex(`${text} **x**`, noDefinitions());
      assert.deepEqual(
        tokens.map(({ type }) => type),
        ['plain'],
      );
      assert.equal(tokens[0]?.raw, `${text} **x**`);
    });

  it('takes nothing from a paragraph as people write it, or from the block after a tangle', () => {
    const words =
      'A _word_, **bold** `code_of_it` <kbd>K</kbd> and ada.lovelace+notes@example.test. ';
    const [long, , short] = lex(`${words.repeat(80)}\n\n*x*`, noDefinitions()).tokens as [
      Tokens.Paragraph,
      Token,
      Tokens.Paragraph,
    ];
    assert.ok(long.tokens.filter(({ type }) => type === 'strong').length === 80);
    assert.ok(long.tokens.filter(({ type }) => type === 'link').length === 80);
    assert.equal(short.tokens[0]?.type, 'em');
    const { tokens } = lex(`${'*a_'.repeat(many)}\n\n*x*`, noDefinitions());
    assert.equal((tokens.at(-1) as Tokens.Paragraph).tokens[0]?.type, 'em');
  });
});
