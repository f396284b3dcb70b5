import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { lex } from '../../../src/webview/markdown/parse/lexer.ts';

const TAGS: Readonly<Record<string, string>> = { strong: 'b', em: 'i', del: 's' };

/** Returns text with its emphasis as tags: `b`, `i`, `s`. */
function emphasisOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { type, raw, tokens: inner } = token as Token & { readonly tokens?: Token[] };
      const text = inner === undefined ? raw : emphasisOf(inner);
      const tag = TAGS[type];
      return tag === undefined ? text : `<${tag}>${text}</${tag}>`;
    })
    .join('');
}

function assertEmphasis(cases: readonly (readonly [text: string, drawn: string])[]): void {
  for (const [text, drawn] of cases) assert.equal(emphasisOf(lex(text)), drawn);
}

describe('emphasis', () => {
  it('the lexer strikes out nothing between single tildes', () => {
    assertEmphasis([
      ['需要3~5天，最多10~20天。', '需要3~5天，最多10~20天。'],
      ['约~5天或者~10天，~（多）~', '约~5天或者~10天，~（多）~'],
      ['takes 3~5 days or 10~20', 'takes 3~5 days or 10~20'],
      ['run ~/a, ~/b and ~~c~~', 'run ~/a, ~/b and <s>c</s>'],
    ]);
  });
});
