import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { StatusView } from '../../src/protocol/view.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, useChatPage } from './chatPage.ts';
import { action, band, prompt, status } from './fixtures/views.ts';

const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

describe('The composer', () => {
  let chat: ChatPage;
  useChatPage((page) => (chat = page));

  it('sends with Enter, breaks the line with Shift+Enter, and is empty then', async () => {
    await chat.snapshot();
    await chat.composer.pressSequentially('first');
    await chat.composer.press('Shift+Enter');
    await chat.composer.pressSequentially('second');
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), [{ text: 'first\nsecond' }]);
    assert.equal(await chat.composer.inputValue(), '');
    const drafts = (await chat.all('draft')).map(({ text }) => text);
    assert.equal(drafts.includes(''), false, 'the host empties the draft once it has sent it');
  });

  it('with the setting for it sends with Ctrl+Enter or ⌘↵ alone, also from a prompt that waits, and says so', async () => {
    const queue = [{ id: 'q', text: 'queued', attachments: [] }];
    await chat.snapshot({ status: status({ sendWith: 'ctrl+enter', queue }) });
    await seen(chat.page.locator('.hint', { hasText: 'Ctrl+Enter sends, Enter makes a new line' }));
    await chat.composer.pressSequentially('one');
    await chat.composer.press('Enter');
    await chat.composer.press('Shift+Enter');
    await chat.composer.pressSequentially('two');
    assert.deepEqual(await chat.all('send'), []);
    await chat.composer.press('Control+Enter');
    await chat.composer.pressSequentially('three');
    await chat.composer.press('Meta+Enter');
    assert.deepEqual(await chat.all('send'), [{ text: 'one\n\ntwo' }, { text: 'three' }]);
    await chat.button('Edit queued prompt: queued').click();
    const box = chat.page.getByRole('textbox', { name: 'Edit queued prompt: queued' });
    await box.press('End');
    await box.press('Enter');
    await box.pressSequentially('more');
    await box.press('Control+Enter');
    assert.deepEqual(await chat.all('editQueued'), [{ id: 'q', text: 'queued\nmore' }]);
    await chat.setStatus();
    await seen(
      chat.page.locator('.hint', { hasText: 'Enter sends, Shift+Enter makes a new line' }),
    );
  });

  it('never sends with the Enter that ends a composition', async () => {
    await chat.snapshot();
    const cdp = await chat.page.context().newCDPSession(chat.page);
    await chat.composer.focus();
    await cdp.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    assert.equal((await chat.posted('presence')).composing, true);
    await cdp.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Process',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    });
    await chat.composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await cdp.send('Input.insertText', { text: '日本' });
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await chat.composer.inputValue(), '日本');
    assert.equal((await chat.posted('presence')).composing, false);
  });

  it('sends nothing that is blank or longer than 32,000 characters, and says so', async () => {
    await chat.snapshot();
    await chat.composer.fill('  \n ');
    await chat.composer.press('Enter');
    await chat.composer.fill('x'.repeat(32_001));
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await chat.button('Send').isDisabled(), true);
    await chat.page.getByText('The prompt is too long to be sent.').first().waitFor();
    await chat.composer.fill('🙂'.repeat(32_000));
    assert.equal(await chat.button('Send').isDisabled(), false);
  });

  it('counts what is attached, near the limit', async () => {
    const attachments = [{ id: 'a', label: 'a.ts', characters: 30_000 }];
    await chat.snapshot({ status: status({ attachments }), draft: 'hello' });
    await chat.page.getByText('30,005 of 32,000 characters').waitFor();
    await chat.button('Remove a.ts').click();
    assert.deepEqual(await chat.all('removeAttachment'), [{ id: 'a' }]);
  });

  it('brings back earlier prompts with the arrows, and what was being written after them', async () => {
    // A line that is as long as two rows of the composer is read by rows, too.
    const long = `${'words '.repeat(25)}\nlast`;
    await chat.snapshot({ recall: ['one', long], draft: 'mine' });
    await chat.composer.press('Home');
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), long);
    await chat.composer.press('ArrowUp');
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), long, 'the caret moved by rows');
    const caret = await chat.composer.evaluate((box: HTMLTextAreaElement) => box.selectionStart);
    assert.ok(caret < 100, `the caret is at ${caret}`);
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'one');
    await chat.composer.press('ArrowDown');
    await chat.composer.press('ArrowDown');
    assert.equal(await chat.composer.inputValue(), 'mine');
  });

  it('brings back prompts that came into the conversation from elsewhere, and each of its own once', async () => {
    await chat.snapshot({ recall: ['one'] });
    const show = async (...shown: readonly string[]) => {
      for (const text of shown) {
        await chat.composer.press('ArrowUp');
        assert.equal(await chat.composer.inputValue(), text);
      }
    };
    const arrive = (text: string) =>
      chat.change({ kind: 'add', message: prompt(`u-${text}`, text) });
    await arrive('elsewhere');
    await show('elsewhere', 'one');
    await chat.composer.fill('');
    for (const text of ['first', 'queued']) {
      await chat.composer.fill(text);
      await chat.composer.press('Enter');
    }
    await chat.composer.fill('mine');
    await chat.composer.press('Home');
    await show('queued');
    for (const text of ['first', 'queued', 'last']) await arrive(text);
    assert.equal(await chat.composer.inputValue(), 'queued', 'what is shown stays');
    await show('first', 'elsewhere');
    await chat.composer.press('End');
    for (const text of ['first', 'queued', 'last', 'mine']) {
      await chat.composer.press('ArrowDown');
      assert.equal(await chat.composer.inputValue(), text);
    }
    // Those that came while the page was told nothing come with the whole.
    await chat.snapshot({ recall: ['one', 'elsewhere', 'first', 'queued', 'last', 'missed'] });
    await chat.composer.press('Home');
    await show('missed', 'last', 'queued');
  });

  it('does not bring back a prompt that an agent of the editor wrote', async () => {
    await chat.snapshot({ recall: ['mine'] });
    const byAgent = { ...prompt('u-agent', 'of an agent'), isByAgent: true } as const;
    await chat.change({ kind: 'add', message: byAgent });
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'mine');
  });

  it('goes on to prompts of other conversations, which it asks for anew each time', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    const value = () => chat.composer.inputValue();
    await chat.composer.press('Home');
    for (const other of ['older', 'other']) {
      await chat.forget();
      for (const shown of ['one', 'one']) {
        await chat.composer.press('ArrowUp');
        assert.equal(await value(), shown);
      }
      await chat.posted('recall');
      await chat.send('recalled', { prompts: ['oldest', other] });
      assert.equal(await value(), other);
      await chat.composer.press('ArrowUp');
      await chat.composer.press('ArrowUp');
      assert.equal(await value(), 'oldest');
      await chat.composer.press('End');
      for (const shown of [other, 'one', 'mine']) {
        await chat.composer.press('ArrowDown');
        assert.equal(await value(), shown);
      }
      assert.equal((await chat.all('recall')).length, 1);
      await chat.composer.press('Home');
    }
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await value(), 'mine', 'nobody waits for it');
  });

  it('begins with prompts of other conversations where nothing was sent in this one', async () => {
    await chat.snapshot();
    await chat.composer.press('ArrowUp');
    await chat.posted('recall');
    await chat.send('recalled', { prompts: ['other'] });
    assert.equal(await chat.composer.inputValue(), 'other');
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), [{ text: 'other' }]);
    await chat.composer.press('ArrowUp');
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'other');
    await chat.composer.press('End');
    await chat.composer.pressSequentially('!');
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await chat.composer.inputValue(), 'other!', 'what is typed meanwhile stays');
  });

  it('keeps the draft while an earlier prompt is shown in its place, and gives it back once that is sent', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await chat.composer.press('Home');
    await chat.composer.press('ArrowUp');
    assert.equal((await chat.posted('draft')).text, 'mine');
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), [{ text: 'two' }]);
    assert.equal(await chat.composer.inputValue(), 'mine');
    assert.equal((await chat.posted('draft')).text, 'mine');
  });

  it('keeps what was being written with the draft while an earlier prompt is changed in its place', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await chat.composer.press('Home');
    await chat.composer.press('ArrowUp');
    await chat.composer.pressSequentially(' more');
    const draft = 'mine\none more';
    await until('both', async () => (await chat.all('draft')).at(-1)?.text === draft);
  });

  it('keeps what was changed in an earlier prompt when the arrows go on from there', async () => {
    await chat.snapshot({ recall: ['one', 'two'] });
    await chat.composer.press('ArrowUp');
    await chat.composer.pressSequentially(' changed');
    await chat.composer.press('Home');
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'one');
    await chat.composer.press('ArrowDown');
    assert.equal(await chat.composer.inputValue(), 'two changed');
  });

  it('brings back with the arrows what was being written when a prompt came back to be edited', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await chat.send('compose', { text: 'one', where: 'replace' });
    assert.equal(await chat.composer.inputValue(), 'one');
    await chat.composer.press('Home');
    await chat.composer.press('ArrowUp');
    assert.equal(await chat.composer.inputValue(), 'mine');
    await chat.composer.press('ArrowDown');
    assert.equal(await chat.composer.inputValue(), 'one');
  });

  it('keeps a draft that is being written when the host sends a snapshot again', async () => {
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await chat.composer.inputValue(), 'from the host');
    await chat.composer.fill('newer');
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await chat.composer.inputValue(), 'newer');
  });

  it('completes files after @ with the keyboard, and attaches the one that was chosen', async () => {
    await chat.snapshot();
    await chat.composer.pressSequentially('see @lo');
    const request = await chat.completing('lo');
    const items = ['load.ts', 'log.ts'].map((label) => ({
      id: `id:${label}`,
      label,
      detail: 'src',
    }));
    await chat.send('completions', { request: request - 1, items });
    const list = chat.page.getByRole('listbox', { name: 'Files' });
    assert.equal(await list.isVisible(), false);
    await chat.send('completions', { request, items });
    await seen(list);
    const combobox = chat.page.getByRole('combobox', { name: /^Message/, expanded: true });
    for (const each of [combobox, chat.composer])
      assert.equal(await each.getAttribute('aria-controls'), await list.getAttribute('id'));
    await chat.page.getByText('Files found: 2').waitFor({ state: 'attached' });
    await chat.composer.press('ArrowDown');
    const active = await chat.composer.getAttribute('aria-activedescendant');
    assert.match(await chat.page.locator(`#${active ?? ''}`).innerText(), /log\.ts/);
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'file', id: 'id:log.ts' }]);
    assert.equal(await combobox.count(), 0);
    assert.equal(await chat.composer.inputValue(), 'see ');
    assert.deepEqual(await chat.all('send'), []);
  });

  it('puts a prompt of the workspace in place of the / at the beginning, once the host has its text, and sends nothing', async () => {
    await chat.snapshot();
    await chat.composer.pressSequentially('1/re');
    await chat.composer.fill('');
    await chat.composer.pressSequentially('/re');
    const request = await chat.completing('re');
    assert.deepEqual(await chat.all('complete'), [{ request, kind: 'prompt', query: 're' }]);
    const items = [{ id: '7', label: 'review', detail: 'Reads a change' }];
    await chat.send('completions', { request, items });
    await seen(chat.page.getByRole('listbox', { name: 'Prompts' }));
    await chat.page.getByText('Prompts found: 1').waitFor({ state: 'attached' });
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: '7' }]);
    assert.equal(await chat.composer.inputValue(), '/re', 'its user may leave what it asks for');
    await chat.send('compose', { text: 'Review this.\nAll of it.', where: 'completed' });
    assert.equal(await chat.composer.inputValue(), 'Review this.\nAll of it.');
    assert.deepEqual(await chat.all('send'), []);
  });

  it('says why no prompts are listed, in 280 px too, and leads by Enter to what changes that', async () => {
    await chat.page.setViewportSize({ width: 280, height: 600 });
    await chat.snapshot();
    await chat.composer.pressSequentially('/re');
    const request = await chat.completing('re');
    const why = 'Prompts of the workspace are not listed in Restricted Mode.';
    const item = { id: 'trust', label: 'Manage Workspace Trust', detail: why, isNotice: true };
    await chat.send('completions', { request, items: [item] });
    const row = chat.page.getByRole('option', { name: `${item.label} ${why}` });
    await seen(row);
    assert.ok(await row.evaluate((each) => each.scrollWidth <= each.clientWidth));
    const isCut = await row.getByText(why).evaluate((each) => each.scrollWidth > each.clientWidth);
    assert.ok(!isCut);
    await chat.page.getByText(why).nth(1).waitFor({ state: 'attached' });
    assert.equal(await chat.page.getByText(/^Prompts found/).count(), 0);
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), [{ kind: 'prompt', id: 'trust' }]);
    assert.deepEqual(await chat.all('send'), []);
  });

  it('leaves Shift+Enter, and Enter where the caret went elsewhere, to the text while completions are open', async () => {
    await chat.snapshot();
    await chat.composer.pressSequentially('@a');
    const items = [{ id: 'x', label: 'a.ts', detail: '' }];
    await chat.send('completions', { request: await chat.completing('a'), items });
    await seen(chat.page.getByRole('listbox', { name: 'Files' }));
    await chat.composer.press('Home');
    await chat.composer.press('Shift+Enter');
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('chooseCompletion'), []);
    assert.deepEqual(await chat.all('send'), [{ text: '\n@a' }]);
  });

  it('says once to a screen reader that nothing is found, not with every key', async () => {
    await chat.snapshot();
    const said: string[] = [];
    await chat.page.exposeFunction('tellSaid', (text: string) => said.push(text));
    await chat.page.evaluate(() => {
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const { textContent } of addedNodes)
            if (textContent?.startsWith('Files found') === true)
              (window as unknown as { tellSaid(text: string): void }).tellSaid(textContent);
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (const [key, items] of [
      ['x', []],
      ['y', []],
      ['z', [{ id: 'x', label: 'xyz.ts', detail: '' }]],
    ] as const) {
      await chat.composer.pressSequentially(key === 'x' ? '@x' : key);
      const query = 'xyz'.slice(0, 'xyz'.indexOf(key) + 1);
      await chat.send('completions', { request: await chat.completing(query), items });
    }
    await until('what is found', () => said.includes('Files found: 1'));
    assert.deepEqual(said, ['Files found: 0', 'Files found: 1']);
  });

  it('closes completions with Escape before Escape means anything else', async () => {
    await chat.snapshot({ status: status({ canStop: true }) });
    await chat.composer.pressSequentially('@a');
    const { request } = await chat.posted('complete');
    await chat.send('completions', { request, items: [{ id: 'x', label: 'a.ts', detail: '' }] });
    await chat.composer.press('Escape');
    await chat.composer.press('Escape');
    assert.deepEqual(await chat.all('stop'), []);
    assert.equal(await chat.composer.inputValue(), '@a');
  });

  it('has Send and Stop while a run streams: a prompt typed then goes to the queue', async () => {
    await chat.snapshot({ status: status({ activity: 'working', canStop: true }) });
    await chat.composer.fill('next');
    await chat.button('Send').click();
    await chat.button('Stop').click();
    assert.deepEqual(await chat.all('send'), [{ text: 'next' }]);
    assert.equal((await chat.all('stop')).length, 1);
  });

  it('stops by Escape twice within a second, and by nothing slower', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ status: status({ activity: 'working', canStop: true }), draft: 'kept' });
    await chat.composer.press('Escape');
    await seen(chat.page.locator('.hint', { hasText: 'Press Escape again to stop' }));
    await chat.composer.press('Escape');
    assert.equal((await chat.all('stop')).length, 1);
    assert.equal(await chat.composer.inputValue(), 'kept');
  });

  it('does not stop by Escape where nothing runs, nor where the run waits for an answer: there the button does', async () => {
    await chat.snapshot();
    for (const waiting of [{}, { activity: 'waiting', canStop: true }] as const) {
      await chat.setStatus(waiting);
      await chat.composer.press('Escape');
      await chat.composer.press('Escape');
      assert.deepEqual(await chat.all('stop'), []);
      assert.equal(await chat.page.getByText('Press Escape again to stop').count(), 0);
    }
    await chat.button('Stop').click();
    assert.equal((await chat.all('stop')).length, 1);
  });

  it('shows the mode that the host confirms, not the one that was asked for', async () => {
    await chat.snapshot();
    const mode = chat.page.getByRole('combobox', { name: 'Approval mode' });
    await mode.selectOption('Self-drive');
    assert.deepEqual(await chat.all('setMode'), [{ mode: 'self-drive' }]);
    assert.equal(await mode.inputValue(), 'manual');
    await chat.setStatus({ mode: 'self-drive', selfDriveBand: band });
    assert.equal(await mode.inputValue(), 'self-drive');
    await chat.button('Switch to Manual').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'switchToManual' }]);
  });

  it('counts self-drive down, says what goes on at its end, and shows what was spent', async () => {
    const until = Date.now() + 90_000;
    const text = 'Self-drive, {time} left';
    const change = (different: Partial<StatusView>) => chat.setStatus(different);
    await chat.snapshot({ status: status({ mode: 'self-drive', selfDriveBand: { text, until } }) });
    const shown = chat.page.getByRole('group', { name: 'Self-drive' });
    assert.match(await shown.innerText(), /Self-drive, 1:(30|2\d) left/u);
    const goesOn = { text: 'This run goes on in self-drive' };
    await change({ selfDriveBand: goesOn, canStop: true, cost: 'Cost: $0.84 of $1.00' });
    assert.match(await shown.innerText(), /^This run goes on in self-drive\s+Stop$/u);
    await seen(chat.page.getByText('Cost: $0.84 of $1.00'));
    await change({});
    assert.equal(await shown.isVisible(), false);
  });

  it('offers no self-drive in an untrusted workspace', async () => {
    await chat.snapshot({ status: status({ selfDriveAllowed: false }) });
    const option = chat.page.getByRole('option', { name: 'Self-drive' });
    assert.equal(await option.isDisabled(), true);
  });

  it('takes dropped files as addresses', async () => {
    await chat.snapshot();
    await chat.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', '# comment\r\nfile:///a.ts\r\nfile:///b.ts');
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('textarea')?.dispatchEvent(drop);
    });
    assert.deepEqual(await chat.all('dropped'), [{ uris: ['file:///a.ts', 'file:///b.ts'] }]);
  });

  it('shows queued prompts in the order in which they go out, though one came that goes first', async () => {
    const view = (text: string) => ({ id: `id of ${text}`, text, attachments: [] });
    await chat.snapshot({ status: status({ queue: [view('held')], queueHeld: true }) });
    await chat.setStatus({ queue: [view('next'), view('held')], queueHeld: true });
    const waiting = chat.page.locator('.queued-text');
    await waiting.nth(1).waitFor();
    assert.deepEqual(await waiting.allInnerTexts(), ['next', 'held']);
  });

  it('shows the approval mode of a queued prompt where it is not the one that is chosen', async () => {
    const view = (text: string) => ({ id: `id of ${text}`, text, attachments: [] });
    const queue = [{ ...view('unasked'), mode: 'self-drive' } as const, view('asked')];
    await chat.snapshot({ status: status({ activity: 'working', canStop: true, queue }) });
    const items = chat.page.getByRole('region', { name: 'Queued' }).getByRole('listitem');
    await items.nth(1).waitFor();
    assert.match(await items.nth(0).innerText(), /unasked\s*Self-drive/);
    assert.doesNotMatch(await items.nth(1).innerText(), /Self-drive|Manual/);
  });

  it('shows which queued prompt is the reason for a rejection', async () => {
    const view = (text: string) => ({ id: `id of ${text}`, text, attachments: [] });
    const queue = [{ ...view('Use the tests'), isReason: true } as const, view('later')];
    await chat.snapshot({ status: status({ activity: 'working', canStop: true, queue }) });
    const items = chat.page.getByRole('region', { name: 'Queued' }).getByRole('listitem');
    await items.nth(1).waitFor();
    assert.match(await items.nth(0).innerText(), /Use the tests\s*Why you rejected/);
    assert.doesNotMatch(await items.nth(1).innerText(), /rejected/);
  });

  it('edits and takes back queued prompts', async () => {
    const queue = [{ id: 'k1', text: 'later', attachments: [] }];
    await chat.snapshot({ status: status({ activity: 'working', canStop: true, queue }) });
    await chat.button('Edit queued prompt: later').click();
    const editor = chat.page.getByRole('textbox', { name: 'Edit queued prompt: later' });
    await editor.fill('much later');
    await chat.setStatus({
      activity: 'working',
      canStop: true,
      queue: [...queue, { id: 'k2', text: 'x', attachments: [] }],
    });
    assert.equal(await editor.inputValue(), 'much later');
    await editor.press('Enter');
    assert.deepEqual(await chat.all('editQueued'), [{ id: 'k1', text: 'much later' }]);
    await chat.button('Remove queued prompt: x').click();
    assert.deepEqual(await chat.all('removeQueued'), [{ id: 'k2' }]);
    assert.deepEqual(await chat.all('send'), []);
  });

  describe('with prompts that wait', () => {
    const working = { activity: 'working', canStop: true } as const;
    const waiting = (...texts: readonly string[]): Partial<StatusView> => ({
      ...working,
      queue: texts.map((text) => ({ id: `id of ${text}`, text, attachments: [] })),
    });
    const show = (different: Partial<StatusView>): Promise<void> => chat.setStatus(different);
    const editors = (): Locator => chat.page.getByRole('textbox', { name: 'Edit queued prompt' });
    const edit = async (text: string): Promise<void> => {
      await chat.button(`Edit queued prompt: ${text.slice(0, 1)}`).click();
      await editors().last().fill(text);
    };

    it('keeps several edits apart, and lets the composer have the focus', async () => {
      await chat.snapshot({ status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await edit('b, edited');
      await chat.composer.focus();
      await show(waiting('a', 'b', 'c'));
      assert.equal(await hasFocus(chat.composer), true);
      assert.equal(await editors().first().inputValue(), 'a, edited');
      await editors().first().press('Enter');
      assert.deepEqual(await chat.all('editQueued'), [{ id: 'id of a', text: 'a, edited' }]);
      assert.equal(await editors().inputValue(), 'b, edited');
    });

    it('puts an edit into the composer whose prompt went out meanwhile', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await show(waiting('b'));
      assert.equal(await chat.composer.inputValue(), 'mine\na, edited');
      assert.equal(await hasFocus(chat.composer), true);
    });

    it('keeps an edit with the draft until it is saved, for a page that goes away', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a')) });
      const draft = async (text: string): Promise<void> => {
        await until('the draft', async () => (await chat.all('draft')).at(-1)?.text === text);
      };
      await edit('a, edited');
      await draft('mine\na, edited');
      await chat.composer.press('Enter');
      await draft('a, edited');
      await editors().press('Enter');
      await draft('');
    });
  });

  it('sends nothing into a conversation that was deleted elsewhere, and keeps what is written', async () => {
    const text = 'Deleted in another window.';
    await chat.snapshot({
      draft: 'still mine',
      status: status({
        readOnly: true,
        banners: [
          { tone: 'warning', text, actions: [action('newConversation', 'New Conversation')] },
        ],
      }),
    });
    await chat.page.getByText(text).waitFor();
    assert.equal(await chat.button('Send').isDisabled(), true);
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await chat.composer.inputValue(), 'still mine');
    await chat.button('New Conversation').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'newConversation' }]);
  });
});
