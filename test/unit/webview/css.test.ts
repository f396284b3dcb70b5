import assert from 'node:assert/strict';
import hljs from 'highlight.js/lib/core';
import { css } from '../../../src/webview/highlight/languages.ts';

describe('the colors of style sheets', () => {
  before(() => hljs.registerLanguage('css', css));

  /** The colored words of a sheet, each with its class. */
  function colored(code: string): string[] {
    const { value } = hljs.highlight(code, { language: 'css' });
    return [...value.matchAll(/<span class="hljs-([\w-]+)">([^<]*)<\/span>/g)].map(
      ([, name = '', text = '']) => `${name} ${text.trim()}`,
    );
  }

  it('tell selectors, properties and values apart', () => {
    assert.deepEqual(
      colored('a:hover, .card > #main {\n  margin-top: -1.5em;\n  color: #fff;\n}'),
      [
        'selector-tag a',
        'keyword :hover',
        'selector-class .card',
        'selector-id #main',
        'attribute margin-top',
        'number -1.5em',
        'attribute color',
        'number #fff',
      ],
    );
  });

  it('know rules, variables and functions of CSS and of what is written for it', () => {
    assert.deepEqual(
      colored('@media (width > 3px) {}\n$gap: 2px; // x\n.a { top: calc(var(--gap)) !important }'),
      [
        'keyword @media',
        'number 3px',
        'variable $gap',
        'number 2px',
        'comment // x',
        'selector-class .a',
        'attribute top',
        'built_in calc',
        'built_in var',
        'variable --gap',
        'keyword !important',
      ],
    );
  });

  it('take time that grows with the length of the sheet alone', () => {
    for (const part of ['a ', 'a-', '#', '.a', ':', '-', '@', 'url(', '1', '/*'])
      assert.ok(hljs.highlight(part.repeat(50_000), { language: 'css' }).value.length > 0);
  });
});
