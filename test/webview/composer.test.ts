import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { QueuedPromptView, StatusView } from '../../src/protocol/view.ts';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { action, band, settings, status } from './fixtures/views.ts';

const working = { activity: 'working' } as const;

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
  shareChatPage((page) => (chat = page));

  const type = (text: string): Promise<void> => chat.composer.pressSequentially(text);

  it('Enter sends the prompt and Shift+Enter adds a line', async () => {
    await chat.snapshot();
    await type('first');
    await chat.press('Shift+Enter');
    await type('second');
    await chat.press('Enter');
    await chat.assertSent('first\nsecond');
    assert.equal(await chat.value(), '');
    const drafts = (await chat.all('draft')).map(({ text }) => text);
    // The host deletes the draft once it has sent it.
    assert.equal(drafts.includes(''), false);
  });

  it('the user sends a prompt only with Ctrl+Enter or ⌘↵ if the setting says so', async () => {
    const hint = chat.page.locator('.hint');
    const withCtrl = { ...settings, sendWith: 'ctrl+enter' } as const;
    await chat.snapshot({ status: status({ ...waiting('q'), settings: withCtrl }) });
    assert.match(await hint.innerText(), /^Ctrl\+Enter sends, Enter starts a new line/);
    await type('one');
    await chat.press('Enter', 'Shift+Enter');
    await type('two');
    await chat.assertSent();
    await chat.press('Control+Enter');
    await type('three');
    await chat.press('Meta+Enter');
    await chat.assertSent('one\n\ntwo', 'three');
    await chat.button('Edit queued prompt: q').click();
    const box = chat.page.getByRole('textbox', { name: 'Edit queued prompt: q' });
    for (const key of ['End', 'Enter', 'm', 'Control+Enter']) await box.press(key);
    assert.deepEqual(await chat.all('editQueued'), [{ id: 'id of q', text: 'q\nm' }]);
    await chat.setStatus();
    assert.match(await hint.innerText(), /^Enter sends, Shift\+Enter starts a new line/);
  });

  it('Stop and Send needs one more key than Send, and a run', async () => {
    const withCtrl = { ...settings, sendWith: 'ctrl+enter' } as const;
    const plain = { text: 'x' };
    const stopping = { text: 'x', stopsRun: true };
    await chat.snapshot();
    for (const [different, key, expected] of [
      [{ activity: 'working' }, 'Enter', plain],
      [{ activity: 'working' }, 'Control+Enter', stopping],
      [{ activity: 'working' }, 'Meta+Enter', stopping],
      [{ activity: 'idle' }, 'Control+Enter', plain],
      [{ activity: 'working', settings: withCtrl }, 'Control+Enter', plain],
      [{ activity: 'working', settings: withCtrl }, 'Control+Shift+Enter', stopping],
      [{ activity: 'working', settings: withCtrl }, 'Meta+Shift+Enter', stopping],
    ] as const) {
      await chat.setStatus(different);
      await chat.composer.fill('x');
      await chat.press(key);
      assert.deepEqual((await chat.all('send')).at(-1), expected, key);
    }
    assert.equal((await chat.all('send')).length, 7);
  });

  it('Stop and Send is in the menu beside Send, and on a queued prompt', async () => {
    await chat.snapshot({ status: status(waiting('q')), draft: 'x' });
    const menu = chat.page.evaluate(
      () =>
        new Promise((resolve) => {
          const section = (target: EventTarget | null) =>
            (target as HTMLElement).closest<HTMLElement>('[data-vscode-context]')?.dataset;
          document.addEventListener('contextmenu', ({ target }) =>
            resolve(section(target)?.['vscodeContext']),
          );
        }),
    );
    await chat.button('More ways to send').click();
    assert.match(String(await menu), /"webviewSection":"internsSend"/);
    await chat.send('stopAndSend', {});
    assert.deepEqual(await chat.all('send'), [{ text: 'x', stopsRun: true }]);
    await chat.send('stopAndSend', {});
    const ofPrompt = chat.button('Stop and send queued prompt: q');
    assert.equal(await ofPrompt.locator('.codicon-arrow-up').count(), 0, 'it would mean “move up”');
    await ofPrompt.click();
    const queued = { id: 'id of q' };
    await until('both posts', async () => (await chat.all('stopAndSendQueued')).length === 2);
    assert.deepEqual(await chat.all('stopAndSendQueued'), [queued, queued]);
    await chat.setStatus({ ...waiting('q'), activity: 'idle' });
    assert.equal(await ofPrompt.isVisible(), false);
  });

  it('Escape cancels the edit of a queued prompt and keeps its text', async () => {
    await chat.snapshot({ status: status(waiting('q')) });
    const edit = chat.button('Edit queued prompt: q');
    await edit.click();
    const box = chat.page.getByRole('textbox', { name: 'Edit queued prompt: q' });
    for (const key of ['End', 'x', 'Escape']) await box.press(key);
    assert.equal(await edit.evaluate((each) => each === document.activeElement), true);
    await chat.setStatus();
    assert.deepEqual([await chat.value(), await chat.all('editQueued')], ['', []]);
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
    // Safari sends this key after the end of the composition.
    await chat.composer.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await cdp.send('Input.insertText', { text: '日本' });
    await chat.assertSent();
    assert.equal(await chat.value(), '日本');
    assert.equal((await chat.posted('presence')).composing, false);
  });

  it('the composer has no direction of its own only while text is pasted into it', async () => {
    await chat.snapshot({ draft: 'שלום\n' });
    const directions = await chat.composer.evaluateHandle((box: HTMLTextAreaElement) => {
      const seen: string[] = [];
      // This runs before the listener of the box.
      document.addEventListener('input', () => seen.push(box.dir), { capture: true });
      return seen;
    });
    await chat.press('Control+a', 'Control+c', 'End', 'Control+v');
    await until('the paste', async () => (await chat.value()) === 'שלום\nשלום\n');
    await chat.press('x');
    assert.deepEqual(await directions.jsonValue(), ['', 'auto']);
  });

  it('the composer counts the characters of attachments near the limit', async () => {
    const attachments = [{ id: 'a', label: 'a.ts', characters: 30_000 }];
    await chat.snapshot({ status: status({ attachments }), draft: 'ready' });
    await chat.page.getByText('30,005 of 32,000 characters').waitFor();
    await chat.button('Remove a.ts').click();
    assert.deepEqual(await chat.all('removeAttachment'), [{ id: 'a' }]);
  });

  it('the composer scrolls to a new attachment', async () => {
    const attachments = Array.from({ length: 30 }, (_, index) => ({
      id: `a${index}`,
      label: `src/a${index}.ts`,
      characters: 10,
    }));
    await chat.snapshot({ status: status({ attachments: attachments.slice(1) }) });
    await chat.page.locator('.chips').evaluate((list) => (list.scrollTop = 0));
    await chat.setStatus({ attachments: [...attachments.slice(1), ...attachments.slice(0, 1)] });
    await seen(chat.button('Remove src/a0.ts'));
  });

  it('the composer keeps the draft when the host sends another snapshot', async () => {
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await chat.value(), 'from the host');
    await chat.composer.fill('newer');
    await chat.snapshot({ draft: 'from the host' });
    assert.equal(await chat.value(), 'newer');
  });

  it('the user stops the run by pressing Escape twice within a second', async () => {
    await chat.snapshot({ status: status(working), draft: 'kept' });
    await chat.press('Escape');
    const again = { hasText: 'Press Escape again to stop' };
    await seen(chat.page.locator('.hint', again));
    await chat.press('Escape');
    await chat.page.locator('[aria-live=assertive]', again).waitFor({ state: 'attached' });
    assert.deepEqual(await chat.all('act'), [{ action: 'stop' }]);
    assert.equal(await chat.value(), 'kept');
    const pressAt = (ms: number) =>
      chat.composer.evaluate((input, timeStamp) => {
        const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
        Object.defineProperty(event, 'timeStamp', { value: timeStamp });
        input.dispatchEvent(event);
      }, ms);
    for (const [ms, stops] of [
      [0, 1],
      [1001, 1],
      [2001, 2],
    ] as const) {
      await pressAt(ms);
      assert.equal((await chat.all('act')).length, stops, `at ${ms} ms`);
    }
  });

  it('Escape stops no run that waits for an answer, and no run if the setting is off', async () => {
    await chat.snapshot();
    for (const different of [
      {},
      { activity: 'waiting' },
      { ...working, settings: { ...settings, escapeStops: false } },
    ] as const) {
      await chat.setStatus(different);
      await chat.press('Escape', 'Escape');
      assert.deepEqual(await chat.all('act'), []);
      assert.equal(await chat.page.getByText('Press Escape again to stop').count(), 0);
    }
    await chat.button('Stop').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'stop' }]);
  });

  it('the composer shows the approval mode that the host confirms, not the selected one', async () => {
    await chat.snapshot();
    const mode = chat.page.getByRole('combobox', { name: 'Approval mode' });
    await mode.selectOption('Self-drive');
    assert.deepEqual(await chat.all('setMode'), [{ mode: 'self-drive' }]);
    assert.equal(await mode.inputValue(), 'manual');
    const promise = chat.page.getByText('The intern asks before actions that need approval.');
    await seen(promise);
    await chat.setStatus({ mode: 'self-drive', selfDriveBand: band });
    assert.equal(await mode.inputValue(), 'self-drive');
    assert.equal(await promise.count(), 0);
    await chat.button('Switch to Manual').click();
    assert.deepEqual((await chat.all('setMode')).at(-1), { mode: 'manual' });
    await chat.setStatus({ selfDriveAllowed: false });
    const option = chat.page.getByRole('option', { name: 'Self-drive' });
    assert.equal(await option.isDisabled(), true);
  });

  it('the composer counts down the time left in self-drive', async () => {
    const selfDriveBand = { text: 'Self-drive, {time} left', until: Date.now() + 90_000 };
    await chat.snapshot({ status: status({ mode: 'self-drive', selfDriveBand }) });
    const shown = chat.page.getByRole('group', { name: 'Self-drive' });
    assert.match(await shown.innerText(), /Self-drive, 1:(30|2\d) left/u);
    const after = { text: 'This run stays in self-drive' };
    const cost = 'Cost: $0.84 of $1.00';
    await chat.setStatus({ selfDriveBand: after, activity: 'working', cost });
    assert.match(await shown.innerText(), /^This run stays in self-drive\s+Stop$/u);
    await seen(chat.page.getByText(cost));
    await chat.setStatus({});
    assert.equal(await shown.isVisible(), false);
  });

  it('the countdown of self-drive ends when its band disappears', async () => {
    const end = Date.now() + 90_000;
    const selfDriveBand = { text: 'Self-drive, {time} left', until: end };
    await chat.snapshot({ status: status({ mode: 'self-drive', selfDriveBand }) });
    const text = chat.page.locator('.band-text');
    assert.match(await text.innerText(), /\d/u);
    const banner = { tone: 'info', text: '{time} left', until: end, actions: [] } as const;
    await chat.setStatus({ banners: [banner] });
    const other = chat.page.locator('.banner-text').first();
    const first = await other.innerText();
    await until('another countdown to go on', async () => (await other.innerText()) !== first);
    assert.equal(await text.textContent(), '');
  });

  describe('queued prompts', () => {
    const editors = (): Locator => chat.page.getByRole('textbox', { name: 'Edit queued prompt' });
    const edit = async (text: string): Promise<void> => {
      await chat.button(`Edit queued prompt: ${text.slice(0, 1)}`).click();
      await editors().last().fill(text);
    };

    it('the queue shows queued prompts in order, with their mode if it differs', async () => {
      await chat.snapshot({ status: status(waiting('held')) });
      const reason = { text: 'why', isReason: true } as const;
      await chat.setStatus(waiting(reason, { text: 'unasked', mode: 'self-drive' }, 'held'));
      const items = chat.page.getByRole('region', { name: 'Queued' }).getByRole('listitem');
      await items.nth(2).waitFor();
      const shown = [/^why\s*Rejection reason$/, /^unasked\s*Self-drive$/, /^held$/];
      for (const [index, words] of shown.entries())
        assert.match((await items.nth(index).innerText()).trim(), words);
    });

    it('a queued prompt that is to be sent first moves to the top of the queue', async () => {
      await chat.snapshot({ status: status(waiting('a', 'b', 'c')) });
      await edit('b, edited');
      const stopAndSend = chat.button('Stop and send queued prompt: c');
      await stopAndSend.press('Enter');
      await chat.setStatus(waiting('c', 'a', 'b'));
      const items = chat.page.getByRole('region', { name: 'Queued' }).locator('.queued');
      const texts = (await items.allInnerTexts()).map((text) => text.trim());
      assert.deepEqual(texts, ['c', 'a', '']);
      assert.equal(await editors().inputValue(), 'b, edited');
      assert.equal(await stopAndSend.evaluate((button) => button.matches(':focus')), true);
    });

    it('the user edits and removes queued prompts one by one', async () => {
      await chat.snapshot({ status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await edit('b, edited');
      await chat.composer.focus();
      await chat.setStatus(waiting('a', 'b', 'c'));
      assert.equal(await chat.composerHasFocus(), true);
      assert.equal(await editors().first().inputValue(), 'a, edited');
      await editors().first().press('Enter');
      assert.deepEqual(await chat.all('editQueued'), [{ id: 'id of a', text: 'a, edited' }]);
      assert.equal(await editors().inputValue(), 'b, edited');
      await chat.button('Remove queued prompt: c').click();
      assert.deepEqual(await chat.all('removeQueued'), [{ id: 'id of c' }]);
      await chat.assertSent();
    });

    it('the host knows which queued prompts are being edited', async () => {
      await chat.snapshot({ status: status(waiting('a', 'b')) });
      const posts = async () => (await chat.all('editingQueued')).map(({ ids }) => ids.join());
      await edit('a, edited');
      await edit('b, edited');
      await editors().first().press('Enter');
      await editors().press('Escape');
      const all = ['id of a', 'id of a,id of b', 'id of b', ''];
      await until('all posts', async () => (await posts()).length === all.length);
      assert.deepEqual(await posts(), all);
      await edit('a, edited again');
      await chat.setStatus(waiting('b'));
      await until('the end of its edit', async () => (await posts()).length === all.length + 2);
      assert.equal((await posts()).at(-1), '');
    });

    it('the composer takes the edit of a queued prompt if the prompt was sent', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a', 'b')) });
      await edit('a, edited');
      await chat.setStatus(waiting('b'));
      assert.equal(await chat.value(), 'mine\na, edited');
      assert.equal(await chat.composerHasFocus(), true);
    });

    it('a composition in the box of a queued prompt ends when the prompt is sent', async () => {
      await chat.snapshot({ status: status(waiting('q')) });
      await chat.button('Edit queued prompt: q').click();
      const cdp = await chat.page.context().newCDPSession(chat.page);
      await cdp.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
      assert.equal((await chat.posted('presence')).composing, true);
      await chat.setStatus();
      await until('the end', async () => !(await chat.posted('presence')).composing);
    });

    it('the composer adds the edit of a queued prompt to the draft until it is saved', async () => {
      await chat.snapshot({ draft: 'mine', status: status(waiting('a')) });
      await edit('a, edited');
      await chat.drafted('mine\na, edited');
      await chat.press('Enter');
      await chat.drafted('a, edited');
      await editors().press('Enter');
      await chat.drafted('');
    });
  });

  it('the composer keeps the draft of a deleted conversation unsent', async () => {
    const text = 'Deleted in another window.';
    const actions = [action('newConversation', 'New Conversation')];
    const banners = [{ tone: 'warning', text, actions }] as const;
    await chat.snapshot({ draft: 'still mine', status: status({ readOnly: true, banners }) });
    await chat.page.getByText(text).waitFor();
    assert.equal(await chat.button('Send').isDisabled(), true);
    await chat.press('Enter');
    await chat.assertSent();
    assert.equal(await chat.value(), 'still mine');
    await chat.button('New Conversation').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'newConversation' }]);
  });
});
