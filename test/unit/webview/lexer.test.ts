import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { lex } from '../../../src/webview/markdown/parse/lexer.ts';
import { assertInProportion } from '../support/proportion.ts';

/** Returns the nesting depth of tokens. */
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
    it(`the lexer reads deeply nested ${what} without a stack overflow`, () => {
      const tokens = lex(`${text}x`);
      assert.equal(tokens.map(({ raw }) => raw).join(''), `${text}x`);
      assert.ok(depthOf(tokens) < 500, `${depthOf(tokens)} deep`);
    });

  it('the lexer reads markup nested as deep as people write', () => {
    const tokens = lex(`${'> '.repeat(20)}**a *b***`);
    assert.ok(depthOf(tokens) >= 23);
  });
});

describe('a list or a quotation', () => {
  const typesOf = (text: string) => lex(text).map(({ type }) => type);

  for (const [what, text, types] of [
    [
      'cuts a list after 2,000 items',
      `${'- a\n\n'.repeat(2_001)}*x*`,
      'list space list space paragraph',
    ],
    ['cuts a quotation after 2,000 lines', '> a\n'.repeat(2_001), 'blockquote blockquote'],
    [
      'counts a code block in a quotation as four lines',
      '> ```\n'.repeat(401),
      'blockquote blockquote',
    ],
    [
      'shows a list with an oversized first item as plain text',
      `- a\n${'  b\n'.repeat(2_000)}\n*x*`,
      'plain',
    ],
    ['reads a list of 2,000 items as one list', '- a\n\n'.repeat(2_000).trimEnd(), 'list'],
    [
      'counts no lines of the code in a list',
      `- a\n\n  \`\`\`\n${'- x\n'.repeat(1_900)}  \`\`\``,
      'list',
    ],
  ] as const)
    it(`the lexer ${what}`, () => assert.equal(typesOf(text).join(' '), types));

  for (const [what, piece] of [
    ['quotations', '> a\n\n'],
    ['lists that take turns', '- a\n\n* b\n\n'],
    ['long lists that take turns', `- ${'a'.repeat(500)}\n\n* b\n\n`],
    ['quotations that headings end', `> a\n# ${'b'.repeat(500)}\n`],
  ] as const)
    it(`the lexer takes time in proportion to the length of many ${what}`, () => {
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
    ['dotted names before an @', `${'a.'.repeat(many)}@b.c`],
  ] as const)
    it(`the lexer shows a tangle of ${what} as plain text`, () => {
      const tokens = lex(`${text} **x**`);
      assert.deepEqual(
        tokens.map(({ type }) => type),
        ['plain'],
      );
      assert.equal(tokens[0]?.raw, `${text} **x**`);
    });

  it('the lexer keeps the markup of a long paragraph and of the block after a tangle', () => {
    const words =
      'A _word_, **bold** `code_of_it` <kbd>K</kbd> and ada.lovelace+notes@example.test. ';
    const [long, , short] = lex(`${words.repeat(80)}\n\n*x*`) as Token[] as [
      Tokens.Paragraph,
      Token,
      Tokens.Paragraph,
    ];
    assert.ok(long.tokens.filter(({ type }) => type === 'strong').length === 80);
    assert.ok(long.tokens.filter(({ type }) => type === 'link').length === 80);
    assert.equal(short.tokens[0]?.type, 'em');
    const tokens = lex(`${'*a_'.repeat(many)}\n\n*x*`);
    assert.equal((tokens.at(-1) as Tokens.Paragraph).tokens[0]?.type, 'em');
  });
});

describe('raw HTML', () => {
  const repeated = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join('');
  const typesOf = (text: string) => lex(`<div>\n${text}\n</div>\n`).map(({ type }) => type);

  for (const [what, ending] of [
    ['no end', ''],
    ['the end of another element', '</x>'],
    ['an end in an attribute', '<i title="</b>">a</i>'],
    ['an end with a no-break space', '</b\u00a0>'],
    ['an end in a comment', '<!--</b>-->'],
  ] as const)
    it(`the lexer shows paragraphs plainly if text stays bold after ${what}`, () => {
      const bold = repeated(45, (index) => `<b title="${index}">a${ending}`);
      assert.deepEqual(typesOf(`<p>${bold}${'<p>a</p>'.repeat(400)}`), ['plain']);
    });

  it('the lexer counts open elements although ends of other elements follow', () => {
    assert.deepEqual(typesOf('<q></x>'.repeat(101)), ['plain']);
  });

  it('the lexer shows raw HTML with a long text of two directions as plain text', () => {
    for (const letter of ['א', 'ﷺ', '𐤀', '\u202e'])
      assert.deepEqual(typesOf(`<p>${letter}${'a '.repeat(8_192)}</p>`), ['plain'], letter);
    assert.deepEqual(typesOf(`<p>ä${'a '.repeat(8_192)}</p>`), ['html']);
  });

  it('the lexer keeps a table with formatting, links, images and line breaks in each row', () => {
    const row = `<tr><td align=center><a href='a'><img src="b"><br/>c</a><br> <strong><i>d</i> e</strong></td></tr>`;
    assert.deepEqual(typesOf(`<table>${row.repeat(140)}</table>`), ['html']);
  });
});
