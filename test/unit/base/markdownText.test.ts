import assert from 'node:assert/strict';
import { markdownToText } from '../../../src/base/markdownText.ts';

const read: Record<string, readonly [markdown: string, text: string]> = {
  emphasis: ['hello **world**, _so_ *it* is ~~not~~', 'hello world, so it is not'],
  'names with underscores': ['call `snake_case` or my_own_name', 'call snake_case or my_own_name'],
  'code with marks in it': ['multiply `a*b*c` and ``x|y``', 'multiply a*b*c and x|y'],
  links: ['see [the **docs**](https://example.com/a_b) ![a plan](x.png)', 'see the docs a plan'],
  headings: ['## What *now*', 'What now'],
  lists: ['- one\n  1. two\n* [x] three', 'one\ntwo\nthree'],
  quotes: ['> - quoted', 'quoted'],
  tables: ['| a | b |', ' a b '],
  'code blocks as they stand': [
    '```ts\nlet a_ = *b; // [x](y)\n```\nend',
    'let a_ = *b; // [x](y)\nend',
  ],
  'marks that mark nothing': [
    '2 < 3 and [x] (y) # not a heading',
    '2 < 3 and [x] (y) # not a heading',
  ],
};

describe('markdownToText', () => {
  for (const [what, [markdown, text]] of Object.entries(read))
    it(`markdownToText reads ${what} without marks`, () => {
      assert.equal(markdownToText(markdown), text);
    });

  it('markdownToText reads hostile Markdown in little time', () => {
    for (const piece of ['[', '](', '`', '*', '_', '> ', '- ', '[a](', '# '])
      assert.equal(typeof markdownToText(piece.repeat(300_000)), 'string');
  });
});
