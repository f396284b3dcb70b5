import assert from 'node:assert/strict';
import {
  attributesOf,
  hidesText,
  isSafeTex,
} from '../../../src/webview/markdown/draw/mathLimits.ts';

const nested = (open: string, depth: number): string =>
  `${open.repeat(depth)}x${'}'.repeat(depth)}`;

describe('Math limits', () => {
  for (const tex of [
    nested('\\mathllap{', 40),
    nested('\\text{\\llap{$', 2),
    nested('\\cancelto{a}{', 3),
    nested('\\equilibriumRight{', 3),
    nested('\\equilibriumLeft[a]{', 3),
    nested('\\bordermatrix{a&b\\\\c&', 3),
    '\\begin{bordermatrix}a\\end{bordermatrix}',
    nested('{', 16),
    '\\def\\a{b}\\a',
    'a % hidden',
  ])
    it(`the math limits reject TeX that takes forever or hides text: ${tex.slice(0, 20)}`, () => {
      assert.equal(isSafeTex(tex), false);
    });

  it('the math limits allow adjacent and escaped braces and percent signs in TeX', () => {
    for (const tex of [
      nested('{', 15),
      '{a}'.repeat(99),
      '\\{'.repeat(99),
      '\\mathrlap{a}',
      '5\\%',
    ])
      assert.equal(isSafeTex(tex), true);
  });

  it('the math limits allow hidden math only if it is empty or a single symbol', () => {
    const phantom = (text: string) => ({ type: 'mphantom', children: [{ children: [{ text }] }] });
    for (const text of ['rm -rf', 'a', '1', '||']) assert.equal(hidesText(phantom(text)), true);
    for (const text of ['', '(', '\u2212']) assert.equal(hidesText(phantom(text)), false);
    assert.equal(hidesText({ type: 'mtext', children: [{ text: 'a' }] }), false);
  });

  it('the math limits remove attributes that would let a node cover the next one', () => {
    const padded = (type: string) =>
      attributesOf({
        type: 'mpadded',
        attributes: { width: '0.1px', lspace: '-1width', href: 'a', displaystyle: 'false' },
        children: [{ type }],
      });
    assert.deepEqual(padded('mi'), [['displaystyle', 'false']]);
    assert.equal(padded('mphantom').length, 2);
  });
});
