import assert from 'node:assert/strict';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import type { InternMessageView } from '../../src/protocol/view.ts';
import { type ChatPage, useChatPage } from './chatPage.ts';
import { notice, prompt, reply, status } from './fixtures/views.ts';

describe('The page and its host', () => {
  let chat: ChatPage;
  useChatPage((page) => (chat = page));

  it('sends ready without a number, and saves the state that restores it after a reload', async () => {
    assert.deepEqual(await chat.all('ready'), [{ lastSeq: null }]);
    await chat.snapshot();
    const kept = await chat.page.evaluate(() => window.kept);
    assert.deepEqual(kept, {
      account: 'account',
      intern: 'intern_ada',
      conversation: 'conversation',
    });
  });

  it('notices a dead host within two seconds, keeps the draft and sends nothing into nowhere', async () => {
    await chat.snapshot({ draft: 'kept' });
    await losesHost();
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await value(), 'kept');
    await chat.send('pong', { at: 0, now: Date.now() });
    assert.equal(await chat.page.getByRole('alert').isVisible(), false);
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'kept' });
  });

  it('tells its draft when another page takes its place, and is silent and takes nothing from then on', async () => {
    await chat.page.clock.install();
    await chat.snapshot();
    await chat.composer.fill('half a thought');
    await chat.send('leave', {});
    await chat.posted('left');
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'half a thought' });
    const before = (await chat.all('ping')).length + (await chat.all('typed')).length;
    await chat.page.keyboard.type(' more');
    await chat.page.clock.runFor(5000);
    assert.equal(await value(), 'half a thought');
    assert.equal((await chat.all('ping')).length + (await chat.all('typed')).length, before);
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'half a thought' });
  });

  const value = (): Promise<string> => chat.composer.inputValue();
  /** Takes the focus from everything in the page. */
  const blur = (): Promise<void> =>
    chat.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  /** A dialog of the editor has closed, and the window has the focus again. */
  const closeDialog = async (): Promise<void> => {
    await blur();
    await chat.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  };

  /** The host dies; the page does something before it knows. */
  async function losesHost(act: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await chat.page.clock.install();
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await act();
    await chat.page.clock.runFor(2500);
    await seen(chat.page.getByRole('alert'));
  }

  /** Another page of the conversation is opened, as VS Code does once there is a host again. */
  async function reopen(view: { readonly draft: string }): Promise<void> {
    await chat.page.reload();
    await chat.posted('ready');
    await chat.snapshot(view);
  }

  it('hands a draft that was typed without a host to the page that is opened when there is one again', async () => {
    await chat.snapshot({ draft: 'old' });
    await losesHost();
    await chat.composer.press('End');
    await chat.composer.pressSequentially(' and new');
    await chat.page.clock.runFor(1000);
    const tooOld = JSON.stringify({ text: 'of a tab that never came back', at: 0 });
    await chat.page.evaluate((draft) => localStorage.setItem('interns-draft/other', draft), tooOld);
    await reopen({ draft: 'old' });
    assert.equal(await value(), 'old and new');
    await until(
      'the host to be told',
      async () => (await chat.all('draft')).at(-1)?.text === 'old and new',
    );
    assert.equal(await chat.page.evaluate(() => localStorage.length), 0, 'it is kept for one page');
  });

  it('gives the next page a prompt that was sent just before the host died', async () => {
    await chat.snapshot({ draft: 'lost' });
    await losesHost(() => chat.composer.press('Enter').then(() => chat.composer.fill('later')));
    assert.equal(await value(), 'later');
    await reopen({ draft: 'older' });
    assert.equal(await value(), 'lost\nlater');
  });

  it('gives the next page no prompt that the host has, if the host was silent and died later', async () => {
    await chat.snapshot({ draft: 'sent' });
    await losesHost(() => chat.composer.press('Enter'));
    const { at } = await chat.posted('ping');
    await chat.send('pong', { at, now: Date.now() });
    await losesHost();
    await reopen({ draft: 'of the host' });
    assert.equal(await value(), 'of the host');
  });

  it('leaves the draft that the host has where nothing was written without one', async () => {
    await chat.snapshot();
    await losesHost();
    await reopen({ draft: 'of the host' });
    assert.equal(await value(), 'of the host');
  });

  it('tells that nothing unsent is left once a prompt is sent or a text was put there, without a key more: a question may open then', async () => {
    await chat.snapshot();
    const hasDraft = async (): Promise<boolean> => (await chat.posted('presence')).hasDraft;
    await chat.composer.pressSequentially('ask me');
    assert.equal(await hasDraft(), true);
    await chat.composer.press('Enter');
    assert.equal(await hasDraft(), false);
    await chat.send('compose', { text: 'from the host', where: 'replace' });
    assert.equal(await hasDraft(), true);
    await chat.button('Send').click();
    assert.equal(await hasDraft(), false);
  });

  it('tells whether it has the focus and an unsent text, and that keys are typed, the last one too, four times a second at most', async () => {
    await chat.snapshot();
    assert.deepEqual(await chat.posted('presence'), {
      inSight: true,
      focused: true,
      composing: false,
      hasDraft: false,
    });
    // Time stands still while the keys come, however long that takes.
    await chat.page.clock.install({ time: 0 });
    await chat.page.clock.pauseAt(1000);
    await chat.composer.pressSequentially('quick typing');
    assert.equal((await chat.posted('presence')).hasDraft, true);
    assert.equal((await chat.all('typed')).length, 1);
    await chat.page.clock.runFor(250);
    assert.equal((await chat.all('typed')).length, 2, 'the last key is told of too');
    await chat.page.clock.runFor(10_000);
    assert.equal((await chat.all('typed')).length, 2, 'and nothing after it');
    await chat.composer.press('x');
    assert.equal((await chat.all('typed')).length, 3);
  });

  it('puts the focus back into the composer after a dialog of the editor', async () => {
    await chat.snapshot();
    const focused = (): Promise<boolean> =>
      chat.composer.evaluate((element) => element === document.activeElement);
    await closeDialog();
    assert.equal(await focused(), true);
    await blur();
    await chat.send('focusComposer', {});
    assert.equal(await focused(), true);
  });

  it('puts the focus back to the message that was read, after a dialog and when the window has it again', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', 'y'));
    await chat.send('go', { to: 'message', step: -1 });
    const focused = (): Promise<string | undefined> =>
      chat.page.evaluate(() => (document.activeElement as HTMLElement).dataset['id']);
    assert.equal(await focused(), 'i1');
    await closeDialog();
    assert.equal(await focused(), 'i1');
    await blur();
    await chat.send('returnFocus', {});
    assert.equal(await focused(), 'i1');
  });

  describe('for who cannot see it', () => {
    const done = {
      ...({ kind: 'intern', id: 'i1', at: 0, author: 'ada', state: 'done' } as const),
      ...{ facts: [], details: [], completion: null },
    };
    const finish = (): Promise<void> => chat.change({ kind: 'header', message: done });
    const working = (text: string, different: Partial<InternMessageView> = {}): InternMessageView =>
      reply('i1', text, { state: 'working', ...different });

    /** Waits until something is announced, and returns all that was before. */
    async function allHeard(heard: readonly string[], last: string): Promise<string> {
      await until('the end to be announced', () => heard.join(' ').includes(last));
      return heard.join(' ');
    }

    /** What is announced from now on, in its order. */
    async function listen(): Promise<string[]> {
      const heard: string[] = [];
      await chat.page.exposeFunction('hear', (text: string) => heard.push(text));
      await chat.page.evaluate(() => {
        const region = document.querySelector('body [role=status].visually-hidden');
        const { hear } = window as unknown as { hear: (text: string) => void };
        new MutationObserver(() => hear(region?.textContent ?? '')).observe(region!, {
          childList: true,
        });
      });
      return heard;
    }

    it('announces whole sentences, each once, and no tokens', async () => {
      await chat.show(prompt('u1', 'x'), working(''));
      const heard = await listen();
      const text =
        'The **fir|st** sen|tence. And| a second one.\n\n```ts\nlet x = 1;\n```\n\nEnd| of it';
      for (const piece of text.split('|')) await chat.append('i1', piece);
      await finish();
      assert.equal(
        await allHeard(heard, 'ada finished'),
        'The first sentence. And a second one. Code block End of it ada finished',
      );
      assert.equal(await chat.log.getAttribute('aria-live'), 'off');
    });

    it('reads a part from its very first word, though it comes whole, and says once that it finished', async () => {
      await chat.show(prompt('u1', 'x'));
      const heard = await listen();
      await chat.change({ kind: 'add', message: working('', { parts: [] }) });
      const part = { kind: 'text', text: 'Not' } as const;
      await chat.change({ kind: 'part', id: 'i1', index: 0, part });
      await chat.append('i1', ' done yet.');
      for (let time = 0; time < 2; time++) await finish();
      await allHeard(heard, 'ada finished');
      await chat.change({ kind: 'add', message: notice('n1', 'That is all.') });
      const all = await allHeard(heard, 'That is all.');
      assert.equal(all, 'Not done yet. ada finished That is all.');
    });

    it('says nothing of what was there before', async () => {
      await chat.show(prompt('u1', 'x'), working('Old news.'));
      const heard = await listen();
      await chat.append('i1', ' And');
      await chat.append('i1', ' more.');
      await finish();
      assert.equal(await allHeard(heard, 'ada finished'), 'And more. ada finished');
    });
  });

  it('says what is seen only by looking: that a prompt is too long, and that a second Escape stops', async () => {
    await chat.snapshot({ status: status({ canStop: true }) });
    const said = (region: string, text: string): Promise<void> =>
      chat.page.locator(region, { hasText: text }).waitFor({ state: 'attached' });
    await chat.composer.fill('x'.repeat(32_001));
    await said('[role=status]', 'The prompt is too long to be sent.');
    await chat.composer.press('Escape');
    await said('[aria-live=assertive]', 'Press Escape again to stop');
  });

  it('puts text of the host into the composer, in place of the draft or at its end', async () => {
    await chat.snapshot({ draft: 'a' });
    await chat.send('compose', { text: 'b', where: 'append' });
    assert.equal(await value(), 'a\nb');
    await chat.send('compose', { text: 'c', where: 'replace' });
    assert.equal(await value(), 'c');
    await until('the draft to be told', async () => (await chat.all('draft')).at(-1)?.text === 'c');
  });

  it('ignores messages that are none of the host’s', async () => {
    await chat.snapshot({ status: status() });
    await chat.page.evaluate(() => {
      const named = ['nothing', 'toString'].map((type) => ({ type, body: {} }));
      for (const data of [null, 1, 'x', {}, ...named]) window.postMessage(data);
    });
    await chat.settle();
    assert.ok(await isSeen(chat.composer));
  });
});
