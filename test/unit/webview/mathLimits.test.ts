import assert from 'node:assert/strict';
import {
  attributesOf,
  hidesText,
  isSafeTex,
} from '../../../src/webview/markdown/draw/mathLimits.ts';

const nested = (open: string, depth: number): string =>
  `${open.repeat(depth)}x${'}'.repeat(depth)}`;

describe('a formula', () => {
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
  ])
    it(`is never drawn for ever: ${tex.slice(0, 40)}`, () => {
      assert.equal(isSafeTex(tex), false);
    });

  it('is drawn where its braces lie beside each other, or are signs', () => {
    for (const tex of [nested('{', 15), '{a}'.repeat(99), '\\{'.repeat(99), '\\mathrlap{a}'])
      assert.equal(isSafeTex(tex), true);
  });

  it('hides no text in a comment', () => {
    assert.equal(isSafeTex('a % hidden'), false);
    assert.equal(isSafeTex('5\\%'), true);
  });

  it('hides no text in a strut: only what is empty or as high as a sign is there and not seen', () => {
    const phantom = (text: string) => ({ type: 'mphantom', children: [{ children: [{ text }] }] });
    for (const text of ['rm -rf', 'a', '1', '||']) assert.equal(hidesText(phantom(text)), true);
    for (const text of ['', '(', '\u2212']) assert.equal(hidesText(phantom(text)), false);
    assert.equal(hidesText({ type: 'mtext', children: [{ text: 'a' }] }), false);
  });

  it('lays nothing over what follows it', () => {
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
