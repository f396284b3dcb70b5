import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { CompletionItem } from '../../src/protocol/messages.ts';
import type { QueuedPromptView, StatusView } from '../../src/protocol/view.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, useChatPage } from './chatPage.ts';
import { action, band, prompt, settings, status } from './fixtures/views.ts';

const working = { activity: 'working', canStop: true } as const;

/** A run with prompts that wait for its end. */
function waiting(...prompts: readonly (string | Partial<QueuedPromptView>)[]): Partial<StatusView> {
  const queue = prompts.map((each) => {
    const view = typeof each === 'string' ? { text: each } : each;
    return { id: `id of ${view.text}`, text: '', attachments: [], ...view };
  });
  return { ...working, queue };
}

describe('The composer', () => {
  let chat: ChatPage;
  useChatPage((page) => (chat = page));

  const value = (): Promise<string> => chat.composer.inputValue();
  const type = (text: string): Promise<void> => chat.composer.pressSequentially(text);
  const hasFocus = (): Promise<boolean> =>
    chat.composer.evaluate((element) => element === document.activeElement);

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await chat.composer.press(key);
  }

  /** Presses a key once for each text, and expects that text in the composer. */
  async function shows(key: 'ArrowUp' | 'ArrowDown', ...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await press(key);
      assert.equal(await value(), text);
    }
  }

  async function assertSent(...texts: readonly string[]): Promise<void> {
    const expected = texts.map((text) => ({ text }));
    assert.deepEqual(await chat.all('send'), expected);
  }

  /** Waits until the host has this draft. */
  async function drafted(text: string): Promise<void> {
    await until('the draft', async () => (await chat.all('draft')).at(-1)?.text === text);
  }

  /** Answers the page's request for what completes a query. */
  async function complete(query: string, ...items: readonly CompletionItem[]): Promise<void> {
    await chat.send('completions', { request: await chat.completing(query), items });
  }

  const file = (label: string): CompletionItem => ({ id: `id:${label}`, label, detail: 'src' });

  it('Enter sends the prompt, and Shift+Enter adds a line', async () => {
    await chat.snapshot();
    await type('first');
    await press('Shift+Enter');
    await type('second');
    await press('Enter');
    await assertSent('first\nsecond');
    assert.equal(await value(), '');
    const drafts = (await chat.all('draft')).map(({ text }) => text);
    // The host deletes the draft once it has sent it.
    assert.equal(drafts.includes(''), false);
  });

  it('only Ctrl+Enter or ⌘↵ sends a prompt if so set', async () => {
    const hint = chat.page.locator('.hint');
    const withCtrl = { ...settings, sendWith: 'ctrl+enter' } as const;
    await chat.snapshot({ status: status({ ...waiting('q'), settings: withCtrl }) });
    assert.match(await hint.innerText(), /^Ctrl\+Enter sends, Enter starts a new line/);
    await type('one');
    await press('Enter', 'Shift+Enter');
    await type('two');
    await assertSent();
    await press('Control+Enter');
    await type('three');
    await press('Meta+Enter');
    await assertSent('one\n\ntwo', 'three');
    await chat.button('Edit queued prompt: q').click();
    const box = chat.page.getByRole('textbox', { name: 'Edit queued prompt: q' });
    for (const key of ['End', 'Enter', 'm', 'Control+Enter']) await box.press(key);
    assert.deepEqual(await chat.all('editQueued'), [{ id: 'id of q', text: 'q\nm' }]);
    await chat.setStatus();
    assert.match(await hint.innerText(), /^Enter sends, Shift\+Enter starts a new line/);
  });

  it('the Enter that ends a composition sends nothing', async () => {
    await chat.snapshot();
    const cdp = await chat.page.context().newCDPSession(chat.page);
    await chat.composer.focus();
    await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    assert.equal((await chat.posted('presence')).composing, true);
    await cdp.send('Input.dispatchKeyEvent', {
      ...{ type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 },
    });
    await chat.composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await cdp.send('Input.insertText', { text: '日本' });
    await assertSent();
    assert.equal(await value(), '日本');
    assert.equal((await chat.posted('presence')).composing, false);
  });

  it('sends no prompt that is blank or longer than 32,000 characters', async () => {
    await chat.snapshot();
    for (const text of ['  \n ', 'x'.repeat(32_001)]) {
      await chat.composer.fill(text);
      await press('Enter');
    }
    await assertSent();
    assert.equal(await chat.button('Send').isDisabled(), true);
    const tooLong = { hasText: 'The prompt is too long to send.' };
    await chat.page.locator('[role=status]', tooLong).waitFor({ state: 'attached' });
    await chat.composer.fill('🙂'.repeat(32_000));
    assert.equal(await chat.button('Send').isDisabled(), false);
  });

  it('counts the characters of attachments near the limit', async () => {
    const attachments = [{ id: 'a', label: 'a.ts', characters: 30_000 }];
    await chat.snapshot({ status: status({ attachments }), draft: 'ready' });
    await chat.page.getByText('30,005 of 32,000 characters').waitFor();
    await chat.button('Remove a.ts').click();
    assert.deepEqual(await chat.all('removeAttachment'), [{ id: 'a' }]);
  });

  it('the arrow keys recall earlier prompts and then the draft', async () => {
    // The caret also moves by the rows of a wrapped line.
    const long = `${'words '.repeat(25)}\nlast`;
    await chat.snapshot({ recall: ['one', long], draft: 'mine' });
    await press('Home');
    await shows('ArrowUp', long, long, long);
    const caret = await chat.composer.evaluate((box: HTMLTextAreaElement) => box.selectionStart);
    assert.ok(caret < 100, `the caret is at ${caret}`);
    await shows('ArrowUp', 'one');
    await shows('ArrowDown', long, 'mine');
  });

  it('recalls each prompt once, wherever it was sent', async () => {
    await chat.snapshot({ recall: ['one'] });
    const arrive = (text: string) =>
      chat.change({ kind: 'add', message: prompt(`u-${text}`, text) });
    await arrive('elsewhere');
    await shows('ArrowUp', 'elsewhere', 'one');
    for (const text of ['first', 'queued']) {
      await chat.composer.fill(text);
      await press('Enter');
    }
    await chat.composer.fill('mine');
    await press('Home');
    await shows('ArrowUp', 'queued');
    for (const text of ['first', 'queued', 'last']) await arrive(text);
    assert.equal(await value(), 'queued');
    await shows('ArrowUp', 'first', 'elsewhere');
    await press('End');
    await shows('ArrowDown', 'first', 'queued', 'last', 'mine');
    // A snapshot brings those that the page missed.
    await chat.snapshot({ recall: ['one', 'elsewhere', 'first', 'queued', 'last', 'missed'] });
    await press('Home');
    await shows('ArrowUp', 'missed', 'last', 'queued');
  });

  it('recalls no prompt by an agent of the editor', async () => {
    await chat.snapshot({ recall: ['mine'] });
    const byAgent = { ...prompt('u-agent', 'of an agent'), isByAgent: true } as const;
    await chat.change({ kind: 'add', message: byAgent });
    await shows('ArrowUp', 'mine');
  });

  it('recalls prompts of other conversations after those of its own', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await press('Home');
    for (const other of ['older', 'other']) {
      await chat.forget();
      await shows('ArrowUp', 'one', 'one');
      await chat.posted('recall');
      await chat.send('recalled', { prompts: ['oldest', other] });
      assert.equal(await value(), other);
      await press('ArrowUp');
      await shows('ArrowUp', 'oldest');
      await press('End');
      await shows('ArrowDown', other, 'one', 'mine');
      assert.equal((await chat.all('recall')).length, 1);
      await press('Home');
    }
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await value(), 'mine');
  });

  it('recalls prompts of other conversations if its own has none', async () => {
    await chat.snapshot();
    await press('ArrowUp');
    await chat.posted('recall');
    await chat.send('recalled', { prompts: ['other'] });
    assert.equal(await value(), 'other');
    await press('Enter');
    await assertSent('other');
    await shows('ArrowUp', 'other', 'other');
    await press('End');
    await type('!');
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await value(), 'other!');
  });

  it('shows the draft again once a recalled prompt is sent', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await press('Home', 'ArrowUp');
    assert.equal((await chat.posted('draft')).text, 'mine');
    await press('Enter');
    await assertSent('two');
    assert.equal(await value(), 'mine');
    assert.equal((await chat.posted('draft')).text, 'mine');
  });

  it('keeps a changed recalled prompt when the arrows go on', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await press('Home', 'ArrowUp');
    await type(' changed');
    await drafted('mine\ntwo changed');
    await press('Home');
    await shows('ArrowUp', 'one');
    await shows('ArrowDown', 'two changed');
  });

  it('recalls the draft that a prompt to be edited has replaced', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await chat.send('compose', { text: 'one', where: 'replace' });
    assert.equal(await value(), 'one');
    await press('Home');
    await shows('ArrowUp', 'mine');
    await shows('ArrowDown', 'one');
  });

  it('keeps the draft when the host sends another snapshot', async () => {
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await value(), 'from the host');
    await chat.composer.fill('newer');
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await value(), 'newer');
  });

  it('attaches the file that the user completes after @ with the keyboard', async () => {
    await chat.snapshot();
    await type('see @lo');
    const request = await chat.completing('lo');
    const items = [file('load.ts'), file('log.ts')];
    await chat.send('completions', { request: request - 1, items });
    const list = chat.page.getByRole('listbox', { name: 'Files' });
    assert.equal(await list.isVisible(), false);
    await chat.send('completions', { request, items });
    await seen(list);
    const combobox = chat.page.getByRole('combobox', { name: /^Message/, expanded: true });
    for (const each of [combobox, chat.composer])
      assert.equal(await each.getAttribute('aria-controls'), await list.getAttribute('id'));
    await chat.page.getByText('Files found: 2').waitFor({ state: 'attached' });
    await press('ArrowDown');
    const active = await chat.composer.getAttribute('aria-activedescendant');
    assert.match(await chat.page.locator(`#${active ?? ''}`).innerText(), /log\.ts/);
    await press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'file', id: 'id:log.ts' }]);
    assert.equal(await combobox.count(), 0);
    assert.equal(await value(), 'see ');
    await assertSent();
  });

  it('replaces a / at the start by the text of a prompt file', async () => {
    await chat.snapshot();
    await type('1/re');
    await chat.composer.fill('');
    await type('/re');
    const request = await chat.completing('re');
    assert.deepEqual(await chat.all('complete'), [{ request, kind: 'prompt', query: 're' }]);
    await complete('re', { id: '7', label: 'review', detail: 'Reads a change' });
    await seen(chat.page.getByRole('listbox', { name: 'Prompts' }));
    await chat.page.getByText('Prompts found: 1').waitFor({ state: 'attached' });
    await press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: '7' }]);
    assert.equal(await value(), '/re');
    await chat.send('compose', { text: 'Review this.\nAll of it.', where: 'completed' });
    assert.equal(await value(), 'Review this.\nAll of it.');
    await assertSent();
  });

  it('the completions say why no prompt files are listed, even at 280 px', async () => {
    await chat.page.setViewportSize({ width: 280, height: 600 });
    await chat.snapshot();
    await type('/re');
    const why = 'Workspace prompts aren’t available in Restricted Mode.';
    const label = 'Manage Workspace Trust';
    await complete('re', { id: 'trust', label, detail: why, isNotice: true });
    const row = chat.page.getByRole('option', { name: `${label} ${why}` });
    await seen(row);
    for (const each of [row, row.getByText(why)])
      assert.ok(await each.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    await chat.page.getByText(why).nth(1).waitFor({ state: 'attached' });
    assert.equal(await chat.page.getByText(/^Prompts found/).count(), 0);
    await press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: 'trust' }]);
    await assertSent();
  });

  it('Shift+Enter adds a line while completions are open', async () => {
    await chat.snapshot();
    await type('@a');
    await complete('a', file('a.ts'));
    await seen(chat.page.getByRole('listbox', { name: 'Files' }));
    await press('Home', 'Shift+Enter', 'Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    await assertSent('\n@a');
  });

  it('announces only once that no files are found', async () => {
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

  it('Escape closes the completions before it means anything else', async () => {
    await chat.snapshot({ status: status({ canStop: true }) });
    await type('@a');
    await complete('a', file('a.ts'));
    await press('Escape', 'Escape');
    assert.deepEqual(await chat.all('stop'), []);
    assert.equal(await value(), '@a');
  });

  it('the user can send and stop while a run streams', async () => {
    await chat.snapshot({ status: status(working) });
    await chat.composer.fill('next');
    await chat.button('Send').click();
    await chat.button('Stop').click();
    await assertSent('next');
    assert.equal((await chat.all('stop')).length, 1);
  });

  it('stops the run when Escape is pressed twice within a second', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ status: status(working), draft: 'kept' });
    await press('Escape');
    const again = { hasText: 'Press Escape again to stop' };
    await seen(chat.page.locator('.hint', again));
    await press('Escape');
    await chat.page.locator('[aria-live=assertive]', again).waitFor({ state: 'attached' });
    assert.equal((await chat.all('stop')).length, 1);
    assert.equal(await value(), 'kept');
  });

  it('Escape stops no run that waits for an answer', async () => {
    await chat.snapshot();
    for (const different of [{}, { activity: 'waiting', canStop: true }] as const) {
      await chat.setStatus(different);
      await press('Escape', 'Escape');
      assert.deepEqual(await chat.all('stop'), []);
      assert.equal(await chat.page.getByText('Press Escape again to stop').count(), 0);
    }
    await chat.button('Stop').click();
    assert.equal((await chat.all('stop')).length, 1);
  });

  it('shows the approval mode that the host confirms, not the selected one', async () => {
    await chat.snapshot();
    const mode = chat.page.getByRole('combobox', { name: 'Approval mode' });
    await mode.selectOption('Self-drive');
    assert.deepEqual(await chat.all('setMode'), [{ mode: 'self-drive' }]);
    assert.equal(await mode.inputValue(), 'manual');
    await chat.setStatus({ mode: 'self-drive', selfDriveBand: band });
    assert.equal(await mode.inputValue(), 'self-drive');
    await chat.button('Switch to Manual').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'switchToManual' }]);
    await chat.setStatus({ selfDriveAllowed: false });
    const option = chat.page.getByRole('option', { name: 'Self-drive' });
    assert.equal(await option.isDisabled(), true);
  });

  it('counts the time left in self-drive down', async () => {
    const selfDriveBand = { text: 'Self-drive, {time} left', until: Date.now() + 90_000 };
    await chat.snapshot({ status: status({ mode: 'self-drive', selfDriveBand }) });
    const shown = chat.page.getByRole('group', { name: 'Self-drive' });
    assert.match(await shown.innerText(), /Self-drive, 1:(30|2\d) left/u);
    const after = { text: 'This run stays in self-drive' };
    const cost = 'Cost: $0.84 of $1.00';
    await chat.setStatus({ selfDriveBand: after, canStop: true, cost });
    assert.match(await shown.innerText(), /^This run stays in self-drive\s+Stop$/u);
    await seen(chat.page.getByText(cost));
    await chat.setStatus({});
    assert.equal(await shown.isVisible(), false);
  });

  it('posts the URIs of files dropped on the composer', async () => {
    await chat.snapshot();
    await chat.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', '# comment\r\nfile:///a.ts\r\nfile:///b.ts');
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('textarea')?.dispatchEvent(drop);
    });
    assert.deepEqual(await chat.all('dropped'), [{ uris: ['file:///a.ts', 'file:///b.ts'] }]);
  });

  describe('queued prompts', () => {
    const editors = (): Locator => chat.page.getByRole('textbox', { name: 'Edit queued prompt' });
    const edit = async (text: string): Promise<void> => {
      await chat.button(`Edit queued prompt: ${text.slice(0, 1)}`).click();
      await editors().last().fill(text);
    };

    it('shows queued prompts in order, with their mode if it differs', async () => {
      await chat.snapshot({ status: status(waiting('held')) });
      const reason = { text: 'why', isReason: true } as const;
      await chat.setStatus(waiting(reason, { text: 'unasked', mode: 'self-drive' }, 'held'));
      const items = chat.page.getByRole('region', { name: 'Queued' }).getByRole('listitem');
      await items.nth(2).waitFor();
      const shown = [/^why\s*Rejection reason$/, /^unasked\s*Self-drive$/, /^held$/];
      for (const [index, words] of shown.entries())
        assert.match((await items.nth(index).innerText()).trim(), words);
    });

    it('edits and removes queued prompts one by one', async () => {
      await chat.snapshot({ status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await edit('b, edited');
      await chat.composer.focus();
      await chat.setStatus(waiting('a', 'b', 'c'));
      assert.equal(await hasFocus(), true);
      assert.equal(await editors().first().inputValue(), 'a, edited');
      await editors().first().press('Enter');
      assert.deepEqual(await chat.all('editQueued'), [{ id: 'id of a', text: 'a, edited' }]);
      assert.equal(await editors().inputValue(), 'b, edited');
      await chat.button('Remove queued prompt: c').click();
      assert.deepEqual(await chat.all('removeQueued'), [{ id: 'id of c' }]);
      await assertSent();
    });

    it('moves the edit of a queued prompt into the composer if the prompt was sent', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await chat.setStatus(waiting('b'));
      assert.equal(await value(), 'mine\na, edited');
      assert.equal(await hasFocus(), true);
    });

    it('adds the edit of a queued prompt to the draft until it is saved', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a')) });
      await edit('a, edited');
      await drafted('mine\na, edited');
      await press('Enter');
      await drafted('a, edited');
      await editors().press('Enter');
      await drafted('');
    });
  });

  it('sends nothing in a deleted conversation, and keeps the draft', async () => {
    const text = 'Deleted in another window.';
    const actions = [action('newConversation', 'New Conversation')];
    const banners = [{ tone: 'warning', text, actions }] as const;
    await chat.snapshot({ draft: 'still mine', status: status({ readOnly: true, banners }) });
    await chat.page.getByText(text).waitFor();
    assert.equal(await chat.button('Send').isDisabled(), true);
    await press('Enter');
    await assertSent();
    assert.equal(await value(), 'still mine');
    await chat.button('New Conversation').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'newConversation' }]);
  });
});
