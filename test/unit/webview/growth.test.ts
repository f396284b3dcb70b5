import assert from 'node:assert/strict';
import type { Tokens } from 'marked';
import { BlockStream } from '../../../src/webview/markdown/parse/blockStream.ts';
import {
  assertMixesInProportion,
  assertReplyInProportion,
  costlyMarkers,
} from './support/markerMixes.ts';

/** Units that are repeated to a large block, or to many small ones. */
const replies: Readonly<Record<string, string>> = {
  'items of a list': '- a\n',
  'items of a loose list': '- a\n\n',
  'lines of one item': '  a\n',
  'lines of a quotation': '> a\n',
  'quotations and lists in turn': '> a\n- b\n',
  'rows of a table': '|a|b|\n|-|-|\n',
  'lines of raw HTML': '<div>\n',
  'lines of math': '$$\na\n',
  'lines of indented code': '    a\n',
  'headings and their underlines': 'a\n=\n',
  'definitions of links': '[a]: b\n',
  'paragraphs that refer to links': '[a]\n\n',
  'blank lines': '\n',
  'one long word': 'a',
  'one long line of dashes': '- ',
};

/** Reads a reply in pieces. Returns the types of the settled blocks and the text of the open one. */
function drawn(text: string, piece: number): { readonly types: string[]; readonly grown: string } {
  const stream = new BlockStream();
  const types: string[] = [];
  let grown = '';
  for (let at = 0; at < text.length; at += piece) {
    const advance = stream.advance(text.slice(at, at + piece));
    if (advance.kind === 'code') {
      grown += advance.text;
      continue;
    }
    types.push(...advance.settled.map(({ type }) => type));
    const last = advance.tail.at(-1) as (Partial<Tokens.Code> & { open?: boolean }) | undefined;
    grown = last?.open === true ? (last.text ?? last.raw?.trimEnd() ?? '') : '';
  }
  const last = stream.finish('');
  if (last.kind === 'blocks') types.push(...last.settled.map(({ type }) => type));
  return { types, grown };
}

describe('A reply of ten times the length', () => {
  for (const one of costlyMarkers)
    it(`the parser takes time in proportion to ${JSON.stringify(one)} and another marker`, () => {
      assertMixesInProportion(one, costlyMarkers);
    });

  for (const [name, unit] of Object.entries(replies))
    it(`the parser takes time in proportion to a reply of ${name}`, () => {
      assertReplyInProportion((length) => unit.repeat(Math.ceil(length / unit.length)));
    });

  it('the parser takes time in proportion to one long line of code', () => {
    assertReplyInProportion((length) => `~~~\n${'minified;'.repeat(length)}`);
  });
});

describe('The links that a reply defines', () => {
  it('the links are another object only after a new definition', () => {
    const stream = new BlockStream();
    const seen = ['[a]: b\n\nc\n', '\nlist[0]: d\n\ne\n', '\n[a]: f\n\ng\n', '\n[h]: i\n\nj\n'].map(
      (text) => {
        stream.advance(text);
        return stream.definitions;
      },
    );
    assert.deepEqual(
      seen.map((links) => Object.keys(links).join()),
      ['a', 'a', 'a', 'a,h'],
    );
    assert.deepEqual(
      seen.map((links) => seen.indexOf(links)),
      [0, 0, 0, 3],
    );
  });
});

describe('A growing block of code', () => {
  for (const [what, text, grown] of [
    ['loses the indentation of its fence after a blank line', '  ```\na\n\n  b', 'a\n\nb'],
    ['ends at a closing line with a tab', '   ```\n\n```\t\nb', ''],
    ['keeps a line that only begins like the closing one', '```\nab\n\n``` c', 'ab\n\n``` c'],
  ] as const)
    it(`a growing block of code ${what}`, () => {
      assert.equal(drawn(text, 8).grown, grown);
    });
});

describe('A block that is too large', () => {
  const long = '*a* '.repeat(5_000);
  const definitions = Array.from({ length: 1_001 }, (_, index) => `[a${index}]: b\n`).join('');

  for (const [what, text, ...types] of [
    [
      'a paragraph of more than 16 KB is plain text up to the next blank line',
      ...[`${long}\n\n*b*\n\nc`, 'plain', 'paragraph', 'paragraph'],
    ],
    [
      'a table of more than 8,000 cells continues as plain text',
      ...[`|a|b|\n|-|-|\n${'|c|d|\n'.repeat(5_000)}\n*b*`, 'table', 'plain', 'paragraph'],
    ],
    ['link definitions after the thousandth are text', definitions, 'paragraph'],
  ] as [string, string, ...string[]][])
    it(what, () => {
      const shown = drawn(text, 4_096).types.filter((type) => type !== 'space' && type !== 'def');
      assert.deepEqual(shown, types);
    });

  it('the parser reads a growing oversized block only once', () => {
    const { types, grown } = drawn(`${long}  \n more`, 100);
    assert.deepEqual(types, ['plain']);
    assert.equal(grown, `${long}  \n more`);
  });

  it('an oversized block shows the blanks at its end once more text comes', () => {
    assert.equal(drawn(`${long} `, 100).grown, long.trimEnd());
  });
});
