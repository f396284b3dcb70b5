import assert from 'node:assert/strict';
import hljs from 'highlight.js/lib/core';
import { css } from '../../../src/webview/highlight/languages.ts';

describe('The grammar of style sheets', () => {
  before(() => hljs.registerLanguage('css', css));

  for (const [code, ...expected] of [
    [
      'a:hover, .card > #main {\n  margin-top: -1.5em;\n  color: #fff;\n}',
      ...['selector-tag a', 'keyword :hover', 'selector-class .card', 'selector-id #main'],
      ...['attribute margin-top', 'number -1.5em', 'attribute color', 'number #fff'],
    ],
    [
      '@media (width > 3px) {}\n$gap: 2px; // x\n.a { top: calc(var(--gap)) !important }',
      ...['keyword @media', 'number 3px', 'variable $gap', 'number 2px', 'comment // x'],
      ...['selector-class .a', 'attribute top', 'built_in calc', 'built_in var'],
      ...['variable --gap', 'keyword !important'],
    ],
  ])
    it(`the highlighter marks the parts of the style sheet ${JSON.stringify(code?.slice(0, 24))}`, () => {
      const { value } = hljs.highlight(code ?? '', { language: 'css' });
      const spans = value.matchAll(/<span class="hljs-([\w-]+)">([^<]*)<\/span>/g);
      const marked = Array.from(spans, ([, name, text]) => `${name} ${text?.trim()}`);
      assert.deepEqual(marked, expected);
    });
});
