import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { CompletionItem } from '../../src/protocol/messages.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { status } from './fixtures/views.ts';

describe('the completions', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  const type = (text: string): Promise<void> => chat.composer.pressSequentially(text);

  /** Answers the page's request for what completes a query. */
  async function complete(query: string, ...items: readonly CompletionItem[]): Promise<void> {
    await chat.send('completions', { request: await chat.completing(query), items });
  }

  const file = (label: string): CompletionItem => ({ id: `id:${label}`, label, detail: 'src' });

  /** Types a text that ends in `@query`, and returns the list of files that the page then shows. */
  async function openFiles(text: string, query: string, label: string): Promise<Locator> {
    await chat.snapshot();
    await type(text);
    await complete(query, file(label));
    const list = chat.page.getByRole('listbox', { name: 'Files' });
    await seen(list);
    return list;
  }

  it('the composer attaches the file that the user completes after @ with the keyboard', async () => {
    await chat.snapshot();
    await type('see @lo');
    const request = await chat.completing('lo');
    const items = [file('load.ts'), file('log.ts')];
    await chat.send('completions', { request: request - 1, items });
    const list = chat.page.getByRole('listbox', { name: 'Files' });
    assert.equal(await list.isVisible(), false);
    await chat.send('completions', { request, items });
    await seen(list);
    assert.equal(await chat.composer.getAttribute('aria-controls'), await list.getAttribute('id'));
    await chat.page.getByText('Files found: 2').waitFor({ state: 'attached' });
    await chat.press('ArrowDown');
    const active = await chat.composer.getAttribute('aria-activedescendant');
    assert.match(await chat.page.locator(`#${active ?? ''}`).innerText(), /log\.ts/);
    await chat.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'file', id: 'id:log.ts' }]);
    assert.equal(await chat.composer.getAttribute('aria-activedescendant'), null);
    assert.equal(await chat.value(), 'see ');
    await chat.assertSent();
  });

  it('Enter chooses no file before the list matches the whole text', async () => {
    await openFiles('see @ma', 'ma', 'main.ts');
    await type('nu');
    await chat.press('Enter');
    await complete('ma', file('main.ts'));
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    await complete('manu', file('manual.md'), file('manuals.ts'));
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'file', id: 'id:manual.md' }]);
    assert.equal(await chat.value(), 'see ');
  });

  it('the user undoes a completion and gets the typed text back', async () => {
    await openFiles('see @lo', 'lo', 'load.ts');
    await chat.press('Enter');
    assert.equal(await chat.value(), 'see ');
    await chat.press('Control+z');
    assert.equal(await chat.value(), 'see @lo');
  });

  it('the composer replaces a / at the start by the text of a prompt file', async () => {
    await chat.snapshot();
    await type('1/re');
    await chat.composer.fill('');
    await type('/re');
    const request = await chat.completing('re');
    assert.deepEqual(await chat.all('complete'), [{ request, kind: 'prompt', query: 're' }]);
    await complete('re', { id: '7', label: 'review', detail: 'Reads a change' });
    await seen(chat.page.getByRole('listbox', { name: 'Prompts' }));
    await chat.page.getByText('Prompts found: 1').waitFor({ state: 'attached' });
    await chat.page.getByRole('option', { name: 'review' }).click({ button: 'right' });
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    await chat.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: '7' }]);
    assert.equal(await chat.value(), '/re');
    await chat.send('compose', { text: 'Review this.\nAll of it.', where: 'completed' });
    assert.equal(await chat.value(), 'Review this.\nAll of it.');
    await chat.assertSent();
  });

  it('the completions say why no prompt files are listed, even at 280 px', async () => {
    await chat.page.setViewportSize({ width: 280, height: 600 });
    await chat.snapshot();
    await type('/re');
    const why = 'Workspace prompts aren’t available in Restricted Mode.';
    const label = 'Manage Workspace Trust';
    const other = { id: 'other', label: 'review', detail: 'A description as long as the notice' };
    await complete('re', { id: 'trust', label, detail: why, isNotice: true }, other);
    const row = chat.page.getByRole('option', { name: `${label} ${why}` });
    await seen(row);
    for (const each of [row, row.getByText(why), chat.page.getByText(other.detail)])
      assert.ok(await each.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    await chat.page.getByText(why).nth(1).waitFor({ state: 'attached' });
    assert.equal(await chat.page.getByText(/^Prompts found/).count(), 0);
    await chat.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: 'trust' }]);
    await chat.assertSent();
  });

  it('the composer shows the icon of a long file name beside the name at 280 px', async () => {
    await chat.page.setViewportSize({ width: 280, height: 600 });
    await openFiles('@a', 'a', `src/${'a long name of a file '.repeat(3)}.ts`);
    const row = chat.page.getByRole('option');
    const icon = await row.locator('.codicon').boundingBox();
    const name = await row.getByText('a long name').boundingBox();
    assert.ok(icon && name && icon.y > name.y && icon.x < name.x, JSON.stringify([icon, name]));
  });

  it('Shift+Enter adds a line while completions are open', async () => {
    await chat.snapshot();
    await type('@a');
    await complete('a', file('a.ts'));
    await seen(chat.page.getByRole('listbox', { name: 'Files' }));
    await chat.press('Home', 'Shift+Enter', 'Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    await chat.assertSent('\n@a');
  });

  it('the completions close when the prompt is sent, so that they do not cover the reply', async () => {
    const list = await openFiles('@a', 'a', 'a.ts');
    await chat.press('Control+Enter');
    await chat.assertSent('@a');
    assert.equal(await list.isVisible(), false);
    assert.equal(await chat.composer.getAttribute('aria-activedescendant'), null);
  });

  it('the completions close if the caret moves to another @, whose text stays', async () => {
    const list = await openFiles('@foo and @ba', 'ba', 'bar.ts');
    await chat.composer.evaluate((input: HTMLTextAreaElement) => input.setSelectionRange(4, 4));
    await chat.press('Tab');
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    assert.equal(await chat.value(), '@foo and @ba');
    assert.equal(await list.isVisible(), false);
  });

  it('the completions close if the caret moves back into the text, which stays whole', async () => {
    const list = await openFiles('@main', 'main', 'main.ts');
    await chat.press('ArrowLeft');
    await list.waitFor({ state: 'hidden' });
    await chat.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    await chat.assertSent('@main');
  });

  it('the composer announces only once that no files are found', async () => {
    await chat.snapshot();
    const said = await chat.listen();
    await type('@x');
    await complete('x');
    await type('y');
    await complete('xy');
    await type('z');
    await complete('xyz', file('xyz.ts'));
    await until('the announcement', async () => (await said()).includes('Files found: 1'));
    assert.deepEqual(await said(), ['Files found: 0', 'Files found: 1']);
  });

  it('the first Escape closes the completions instead of stopping the run', async () => {
    await chat.snapshot({ status: status({ activity: 'working' }) });
    await type('@a');
    await complete('a', file('a.ts'));
    await chat.press('Escape', 'Escape');
    assert.deepEqual(await chat.all('act'), []);
    assert.equal(await chat.value(), '@a');
  });
});
