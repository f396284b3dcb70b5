import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { lex, noDefinitions } from '../../../src/webview/markdown/lexer.ts';

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
