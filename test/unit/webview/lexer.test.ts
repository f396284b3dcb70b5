import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { lex, noDefinitions } from '../../../src/webview/markdown/parse/lexer.ts';
import { SlowBlocks } from '../../../src/webview/markdown/parse/slowBlocks.ts';
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
    it(`overflows no stack, however deep ${what} lie: such a reply would take its conversation along`, () => {
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

  it('of more items than are drawn in one step is text, and what comes after it is not', () => {
    assert.deepEqual(typesOf(`${'- a\n\n'.repeat(2_001)}*x*`), ['plain', 'space', 'paragraph']);
    assert.deepEqual(typesOf('1. - ```md\n'.repeat(400)), ['plain']);
    assert.deepEqual(typesOf(`${'> ```\n'.repeat(1_001)}\n*x*`), ['plain', 'space', 'paragraph']);
  });

  it('of too many items is text also after a quotation that left its code open', () => {
    assert.deepEqual(typesOf(`> \`\`\`\n\n${'- a\n'.repeat(2_001)}`), [
      'blockquote',
      'space',
      'plain',
    ]);
  });

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

  it('is read as long as people write it', () => {
    assert.deepEqual(typesOf('- a\n\n'.repeat(2_000).trimEnd()), ['list']);
    assert.deepEqual(typesOf(`- a\n\n  \`\`\`\n${'- x\n'.repeat(1_900)}  \`\`\``)[0], 'list');
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

describe('a block that takes longer than a second', () => {
  it('is plain text from then on, known by how it begins: its end may still be written', () => {
    const told: string[] = [];
    const slow = new SlowBlocks((hash) => told.push(hash));
    const text = '*a* '.repeat(200);
    const now = performance.now.bind(performance);
    try {
      // A clock by which each look at it takes a second.
      let time = 0;
      performance.now = () => (time += 1_001);
      assert.equal(lex(text, noDefinitions(), slow).tokens[0]?.type, 'plain');
    } finally {
      performance.now = now;
    }
    assert.equal(told.length, 1);
    const types = (known: SlowBlocks): unknown[] =>
      lex(`${text}and more\n\n*b*`, noDefinitions(), known).tokens.map(({ type }) => type);
    assert.deepEqual(types(slow), ['plain', 'space', 'paragraph']);
    const reopened = new SlowBlocks(() => undefined);
    assert.deepEqual(types(reopened), ['paragraph', 'space', 'paragraph']);
    reopened.set(told);
    assert.deepEqual(types(reopened), ['plain', 'space', 'paragraph']);
  });
});
