import assert from 'node:assert/strict';
import { marked } from 'marked';
import { closeLastBlock, markdownToText } from '../../../src/base/markdownText.ts';

const read: Record<string, readonly [markdown: string, text: string]> = {
  emphasis: ['hello **world**, _so_ *it* is ~~not~~', 'hello world, so it is not'],
  'emphasis beside Chinese': [
    '这是**重要**的，用**API**的，**注意：**这，a **b**，长*宽',
    '这是重要的，用API的，注意：这，a b，长*宽',
  ],
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
    for (const piece of ['[', '](', '`', '*', '中**', '_', '> ', '- ', '[a](', '# '])
      assert.equal(typeof markdownToText(piece.repeat(300_000)), 'string');
  });
});

describe('closeLastBlock', () => {
  const texts: Record<string, readonly [markdown: string, closing: string]> = {
    'a block that was cut': ['See\n\n```ts\nlet a', '\n```'],
    'a block of tildes with backticks in it': ['~~~~md\n```\n~~~\n', '\n~~~~'],
    'a second block after a closed one': ['```\na\n```\n\n```\nb', '\n```'],
    'an indented block': ['Look:\n  ```\n  a', '\n```'],
    'a block after a list': ['- one\n- two\n\n```\na', '\n```'],
    'an indented block after the end of a list': ['- one\n\nDone.\n\n  ```\n  a', '\n```'],
    'an indented block after one that ends a list': ['- a\n```\n```\n  ```\nb', '\n```'],
    'no block in a list item after blank lines': ['- one\r\n\r\n\r\n  ```\r\n  a', ''],
    'no block in a list item with a lazy line': ['- one\nmore\n  ```\n  a', ''],
    'a block with a shorter fence in it': ['````md\n```ts\na\n```', '\n````'],
    'a block whose lines end as on Windows': ['```ts\r\na\r\n```\r\n\r\n```\r\nb', '\n```'],
    'only a block that is open': ['```\na\n```', ''],
    'no inline code': ['Use ```a``` or\n```b``` here', ''],
    'no block in a list item': ['1. Run\n   ```sh\n   npm i', ''],
    'no block that begins with its list item': ['- ```sh\n  npm i\n  ```\n\nDone', ''],
    'no block that its list item has ended': ['- ```sh\n  npm i\n\nDone', ''],
    'no block in a quotation': ['> ```\n> a\n\nDone', ''],
    'no fence inside indented code': ['Look:\n\n    ```\n    a', ''],
    'no block of a nested list': ['- a\n  - b\n    ```\n    c\n    ```\n\nDone', ''],
    'raw HTML that was cut': ['So:\n\n<PRE class="a">\n```\n\na', '\n</pre>'],
    'a comment that was cut': ['Text\n<!-- a\n\n```', '\n-->'],
    'a block after raw HTML': ['<pre>\n```\n</pre>\n<!-- a -->\n```\nb', '\n```'],
    'no raw HTML in a block': ['```\n<pre>\n<!--\n```', ''],
    'no raw HTML in a list item': ['- a\n\n  <pre>\n  b\n\nDone', ''],
    'no raw HTML within a line': ['Use <!-- or <pre>, or\n<predefined> ones', ''],
    'no fence that is absurdly long': ['`'.repeat(9000), ''],
  };
  const last = (markdown: string) => marked.lexer(`${markdown}\n\n## Next`).at(-1)?.raw;

  for (const [what, [markdown, closing]] of Object.entries(texts))
    it(`closeLastBlock closes ${what}`, () => {
      const closed = closeLastBlock(markdown);
      assert.equal(closed, markdown + closing);
      if (markdown.length < 9000) assert.equal(last(closed), '## Next');
    });

  it('closeLastBlock reads hostile Markdown in little time', () => {
    for (const piece of ['`', '~', '```', '> ', '- ', '```\n', '1. ```\n', '~~~`\n', '<!--\n'])
      assert.equal(typeof closeLastBlock(piece.repeat(300_000)), 'string');
  });
});
