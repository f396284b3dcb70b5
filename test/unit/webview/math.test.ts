import assert from 'node:assert/strict';
import { walkTokens, type Token } from 'marked';
import { lex } from '../../../src/webview/markdown/parse/lexer.ts';
import type { MathSource } from '../../../src/webview/markdown/parse/mathSource.ts';

/** Returns the TeX of all math in a text, with blocks in brackets. */
function mathOf(text: string): string[] {
  const found: string[] = [];
  const tokens = lex(text);
  assert.equal(tokens.map(({ raw }) => raw).join(''), text);
  void walkTokens([...tokens], (token) => {
    const { type, tex, display } = token as Token & MathSource;
    if (type === 'math') found.push(display ? `[${tex.trim()}]` : tex);
  });
  return found;
}

describe('The lexer', () => {
  for (const [text, ...math] of [
    ['Let $x_1 * y$ and $z*2$ be, so $\\frac{1}{2}$.', 'x_1 * y', 'z*2', '\\frac{1}{2}'],
    ['It is \\(a < b\\), or $$a \\ge b$$ then', 'a < b', '[a \\ge b]'],
    ['So:\n$$\na\n- b\n= c\n$$\nand on', '[a\n- b\n= c]'],
    ['So:\n\n\\[\nx^2\n\\]\n\n\\[ y^2 \\]\n', '[x^2]', '[y^2]'],
    ['So\n$$\n- b\n$$\n- c', '[- b]'],
    ['So\n$$\nb\n$$\nA heading\n---', '[b]'],
    ['- item\n  $$\n  a\n  $$\n\n> $$\n> b\n> $$', '[a]', '[b]'],
    ['**bold $a$ text** and | no |', 'a'],
    ['| a | b |\n|---|---|\n| $x$ | $5$ |', 'x', '5'],
    ['# On $n$\n\n*it $k$*', 'n', 'k'],
    ['costs \\$5 and $x$', 'x'],
  ] as const)
    it(`the lexer finds the math in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(mathOf(text), math);
    });

  for (const text of [
    'It costs $5 and $10, or $5-$10.',
    'From $5 to 6$ a month, US$5 or 10$',
    'Set $HOME and $PATH, or $HOME/$USER and ${A}$B',
    '${HOST}:${PORT} or $(pwd):$(pwd)/x, $HOME:${PATH}, $FOO-$(date)',
    'The $cost of it$ and $ x $ and $x $ and $$',
    '`$x$` and ``\\(y\\)``\n\n```\n$$\nx\n$$\n```',
    '\\[note\\] and \\[1\\]\n\n\\[link\\](a)',
    'a $$ b, $x\ny$, $$\n\na\n$$',
    '\\(never closed',
  ])
    it(`the lexer finds no math in ${JSON.stringify(text.slice(0, 50))}`, () => {
      assert.deepEqual(mathOf(text), []);
    });

  it('the lexer finds no formulas in a block with more than a thousand', () => {
    assert.equal(mathOf('$a$ '.repeat(1_000)).length, 1_000);
    assert.equal(mathOf('$a$ '.repeat(1_001)).length, 0);
  });

  for (const [text, ...types] of [
    ['$$\na\n- b\n# c\n\n- d', 'paragraph', 'space', 'list'],
    ['$$\na\n\n    code', 'paragraph', 'space', 'code'],
  ] as const)
    it(`the lexer ends the unclosed math at the blank line of ${JSON.stringify(text)}`, () => {
      const tokens = lex(text);
      assert.deepEqual(
        tokens.map(({ type }) => type),
        types,
      );
    });
});
