import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';

describe('Code, paths and tables of a reply', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  it('the user copies and scrolls a long table by mouse and keyboard', async () => {
    const head = '| Name | *Sum* |\n|---|--:|\n| [a](https://a.test) `b` $x$ | 1<br>2 |';
    const long = Array.from({ length: 100 }, (_, row) => `\n| ${row} | x |`).join('');
    await chat.show(reply('i1', `Text\n\n${head}${long}\n\nMore`));
    const table = chat.log.getByRole('group', { name: 'Table' });
    await until('the formula', async () => (await table.locator('math').count()) === 1);
    await table.getByText('99', { exact: true }).waitFor({ state: 'attached' });
    await table.hover();
    await chat.button('Copy as Markdown').click();
    assert.deepEqual(await chat.posted('copy'), { text: head + long });
    await table.focus();
    await chat.page.keyboard.press('Shift+Tab');
    await chat.page.locator('button:focus[aria-label="Copy as CSV"]').waitFor();
    await chat.page.keyboard.press('Enter');
    const { rows } = await chat.posted('copyTable');
    assert.deepEqual(rows.slice(0, 2), [
      ['Name', 'Sum'],
      ['a b $x$', '1\n2'],
    ]);
    assert.equal(rows.length, 102);
    await table.focus();
    await chat.page.keyboard.press('End');
    await until('the end of the table', () =>
      table.evaluate((box) => box.scrollTop > 0 && box.clientHeight < innerHeight),
    );
    const header = await table.getByText('Name').boundingBox();
    const box = await table.boundingBox();
    assert.ok(header && box && Math.abs(header.y - box.y) < 2 * header.height, 'the header stays');
  });

  it('the buttons of a code block post their commands', async () => {
    await chat.show(reply('i1', '```ts\nconst a = 1;\n```\n\n```diff\n-a\n+b\n```'));
    const first = chat.log.getByRole('group', { name: 'Code, ts' });
    await first.getByRole('button', { name: 'Copy code' }).click();
    for (const button of ['left', 'right', 'middle'] as const)
      await first.getByRole('button', { name: 'Insert at cursor' }).click({ button });
    await first.getByRole('button', { name: 'New file' }).click();
    await chat.button('Open in diff editor').click();
    await chat.button('Apply').click();
    assert.deepEqual(await chat.all('copy'), [{ text: 'const a = 1;' }]);
    assert.deepEqual(await chat.all('insertAtCursor'), [{ code: 'const a = 1;' }]);
    assert.deepEqual(await chat.all('newFile'), [{ code: 'const a = 1;', language: 'ts' }]);
    assert.deepEqual(await chat.all('openDiff'), [{ diff: '-a\n+b' }]);
    assert.deepEqual(await chat.all('applyDiff'), [{ diff: '-a\n+b' }]);
  });

  it('growing code marks hidden characters without changing its text', async () => {
    const code = 'if (a) { /*\u202e } \u2066*/\nlet 👩\u200d💻 = ad\u200dmin;\n';
    const streamed = reply('i1', '```ts\n', { state: 'working' });
    await chat.show(streamed);
    for (const part of code) await chat.append('i1', part);
    await chat.append('i1', '```\n');
    const block = chat.log.getByRole('group', { name: 'Code, ts' });
    const marks = block.locator('.hidden-character');
    const numbers = () =>
      marks.evaluateAll((all) => all.map((each) => each.getAttribute('data-number')));
    await until('the marks', async () => (await numbers()).length === 3);
    assert.deepEqual(await numbers(), ['<U+202E>', '<U+2066>', '<U+200D>']);
    await until('the colors', async () => (await block.locator('[class^=hljs]').count()) > 0);
    assert.deepEqual(await numbers(), ['<U+202E>', '<U+2066>', '<U+200D>']);
    assert.equal(await block.locator('code').evaluate((each) => each.textContent), code.trimEnd());
    await block.getByText('3 hidden characters').waitFor();
    await block.getByRole('button', { name: 'Copy code' }).click();
    assert.deepEqual(await chat.all('copy'), [{ text: code.trimEnd() }]);
  });

  it('a code block loads its language and gets colors once it is complete', async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `const value${line} = "<b>&amp;";`);
    const code = lines.join('\n');
    await chat.show(reply('i1', `\`\`\`ts\n${code}`, { state: 'working' }));
    const loaded = (): Promise<number> =>
      chat.page.evaluate(
        () =>
          performance.getEntriesByType('resource').filter(({ name }) => name.includes('languages'))
            .length,
      );
    assert.equal(await chat.page.locator('.hljs-keyword').count(), 0);
    assert.equal(await loaded(), 0);
    await chat.append('i1', '\n```\n\nDone.\n\n');
    await until('colors', async () => (await chat.page.locator('.hljs-keyword').count()) === 300);
    assert.equal(await chat.page.locator('pre code').evaluate((each) => each.textContent), code);
    assert.equal(await loaded(), 1);
  });

  it('code in a list has all its colors once it has grown', async () => {
    await chat.show(reply('i1', '- Run\n\n  ```ts\n  const a = 1;\n', { state: 'working' }));
    const keywords = chat.log.locator('.hljs-keyword');
    await until('the first color', async () => (await keywords.count()) === 1);
    await chat.append('i1', '  const b = 2;\n  ```\n');
    await until('both colors', async () => (await keywords.count()) === 2);
  });

  it('a selection in code stays when the code ends, which gets its colors after that', async () => {
    const code = 'const a = 1;\nconst b = 2;\n';
    await chat.show(reply('i1', `\`\`\`ts\n${code}`, { state: 'working' }));
    const block = chat.log.locator('pre');
    await block.getByText('const b').waitFor();
    await block.evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() ?? element;
      document.getSelection()?.setBaseAndExtent(text, 0, text, 12);
    });
    await chat.append('i1', 'const c = 3;\n```\n\nText\n\n```ts\nconst d = 4;\n```\n\n');
    await until('the color of the other block', async () => {
      const colored = await chat.log.locator('.hljs-keyword').count();
      assert.ok(colored < 2, 'the selected block has colors');
      return colored === 1;
    });
    const selected = await chat.page.evaluate(() => document.getSelection()?.toString());
    assert.equal(selected, 'const a = 1;');
    await chat.page.evaluate(() => document.getSelection()?.removeAllRanges());
    await until('all colors', async () => (await chat.log.locator('.hljs-keyword').count()) === 4);
  });

  it('a fold of raw HTML stays as the reader left it while the reply grows', async () => {
    await chat.show(reply('i1', '<details open>\n<summary>One', { state: 'working' }));
    await chat.append('i1', '</summary>\n<details>\n<summary>Two</summary>\nwords\n');
    const isOpen = () =>
      chat.log
        .locator('details')
        .evaluateAll((all) => all.map((each) => each.hasAttribute('open')));
    await until('the folds', async () => (await isOpen()).join() === 'true,false');
    await chat.log.getByText('Two').click();
    await chat.log.getByText('One').click();
    await until('the clicks', async () => (await isOpen()).join() === 'false,true');
    for (const text of ['more\n', '</details>\n', '\nand a block\n', '\n</details>\n\nEnd\n']) {
      await chat.append('i1', text);
      await chat.rest();
      assert.deepEqual(await isOpen(), [false, true]);
    }
  });

  it('known paths in text become links with few requests', async () => {
    await chat.show(reply('i1', '', { state: 'working' }));
    const text = 'Look at src/index.ts:12:5, then src/gone.ts:3. And src/index.ts:12:5 again.\n\n';
    for (const letter of text)
      await chat.page.evaluate(
        (message) => window.postMessage(message),
        chat.changesMessage({ kind: 'append', id: 'i1', part: 0, text: letter }),
      );
    await until('both paths to be asked about', async () => {
      const asked = (await chat.all('locate')).flatMap(({ paths }) => paths);
      return asked.includes('src/index.ts:12:5') && asked.includes('src/gone.ts:3');
    });
    const asked = await chat.all('locate');
    assert.ok(asked.length <= 4, `${asked.length} times`);
    assert.equal(await chat.log.getByRole('link').count(), 0);
    const paths = asked.flatMap((body) => body.paths);
    await chat.send('located', { paths, found: ['src/index.ts:12:5'] });
    const links = chat.log.getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), ['src/index.ts:12:5', 'src/index.ts:12:5']);
    await links.first().focus();
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.all('openLink'), [{ href: 'src/index.ts:12:5' }]);
    await chat.append('i1', 'At last src/index.ts:12:5.');
    await until('the third link', async () => (await links.count()) === 3);
    assert.equal((await chat.all('locate')).length, asked.length);
  });

  it('inline code becomes a link only if it names an existing file', async () => {
    await chat.show(reply('i1', 'Use `Node.js` with `config.json`.'));
    await until('both to be asked about', async () =>
      (await chat.all('locate')).some(({ paths }) => paths.length === 2),
    );
    await chat.send('located', { paths: ['Node.js', 'config.json'], found: ['config.json'] });
    const links = chat.log.locator('code').getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), ['config.json']);
    assert.deepEqual(await chat.log.locator('code').allInnerTexts(), ['Node.js', 'config.json']);
  });

  it('a path becomes a link when the reply names it again after the file was created', async () => {
    await chat.show(reply('i1', 'I create `src/new.ts`.', { state: 'working' }));
    assert.deepEqual(await chat.posted('locate'), { paths: ['src/new.ts'] });
    await chat.send('located', { paths: ['src/new.ts'], found: [] });
    await chat.forget();
    await chat.append('i1', '\n\nI have created `src/new.ts`.\n\n');
    assert.deepEqual(await chat.posted('locate'), { paths: ['src/new.ts'] });
    await chat.send('located', { paths: ['src/new.ts'], found: ['src/new.ts'] });
    assert.deepEqual(await chat.log.getByRole('link').allInnerTexts(), ['src/new.ts']);
  });

  it("code has the colors of the editor's theme", async () => {
    await chat.show(reply('i1', '```ts\nconst a = "b"; // c\n```'));
    const colorOf = async (name: string): Promise<string> =>
      await chat.log.locator(name).evaluate((element) => getComputedStyle(element).color);
    await chat.log.locator('.hljs-comment').waitFor();
    const own = await colorOf('.hljs-comment');
    const ownString = await colorOf('.hljs-string');
    await chat.send('codeColors', { comment: '#012345', keyword: '#543210' });
    assert.equal(await colorOf('.hljs-comment'), 'rgb(1, 35, 69)');
    assert.equal(await colorOf('.hljs-keyword'), 'rgb(84, 50, 16)');
    assert.equal(await colorOf('.hljs-string'), ownString);
    await chat.send('codeColors', {});
    assert.equal(await colorOf('.hljs-comment'), own);
  });
});
