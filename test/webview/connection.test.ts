import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { ChatPage } from './chatPage.ts';
import { prompt, reply, status } from './fixtures/views.ts';

describe('The page and its host', () => {
  let chat: ChatPage;
  beforeEach(async () => {
    chat = await ChatPage.open();
  });
  afterEach(async () => {
    assert.deepEqual(chat.errors, []);
    await chat[Symbol.asyncDispose]();
  });

  it('says hello with nothing, and keeps what brings it back after a reload', async () => {
    assert.deepEqual(await chat.all('hello'), [{ have: null }]);
    await chat.snapshot();
    const kept = await chat.page.evaluate(() => window.kept);
    assert.deepEqual(kept, { account: 'account', conversation: 'conversation' });
  });

  it('notices a dead host within two seconds, keeps the draft and sends nothing into nowhere', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ draft: 'kept' });
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.page.clock.runFor(2000);
    await chat.page.getByRole('alert').waitFor();
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await chat.composer.inputValue(), 'kept');
    await chat.send('pong', { at: 0 });
    assert.equal(await chat.page.getByRole('alert').isVisible(), false);
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'kept' });
  });

  it('hands a draft that was typed without a host to the page that is opened when there is one again', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ draft: 'old' });
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.page.clock.runFor(2000);
    await chat.page.getByRole('alert').waitFor();
    await chat.composer.press('End');
    await chat.composer.pressSequentially(' and new');
    await chat.page.clock.runFor(1000);
    await chat.page.reload();
    await chat.posted('hello');
    await chat.snapshot({ draft: 'old' });
    assert.equal(await chat.composer.inputValue(), 'old and new');
    await until(
      'the host to be told',
      async () => (await chat.all('draft')).at(-1)?.text === 'old and new',
    );
    assert.equal(await chat.page.evaluate(() => localStorage.length), 0, 'it is kept for one page');
  });

  it('gives back a prompt that was sent into nowhere before the host was known to be dead, here and in the next page', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ draft: 'lost' });
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.composer.press('Enter');
    await chat.composer.pressSequentially('later');
    await chat.page.clock.runFor(2000);
    await chat.page.getByRole('alert').waitFor();
    assert.equal(await chat.composer.inputValue(), 'lost\nlater');
    await chat.page.reload();
    await chat.posted('hello');
    await chat.snapshot({ draft: 'older' });
    assert.equal(await chat.composer.inputValue(), 'lost\nlater');
  });

  it('gives back no prompt that the host has, though it was silent for a while or died later', async () => {
    await chat.page.clock.install();
    await chat.snapshot({ draft: 'sent' });
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.composer.press('Enter');
    await chat.page.clock.runFor(2000);
    await chat.page.getByRole('alert').waitFor();
    assert.equal(await chat.composer.inputValue(), 'sent');
    const { at } = await chat.posted('ping');
    await chat.send('pong', { at });
    assert.equal(await chat.composer.inputValue(), '');
    await chat.page.clock.runFor(2500);
    await chat.page.getByRole('alert').waitFor();
    assert.equal(await chat.composer.inputValue(), '');
  });

  it('leaves the draft that the host has where nothing was written without one', async () => {
    await chat.page.clock.install();
    await chat.snapshot();
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.page.clock.runFor(2000);
    await chat.page.getByRole('alert').waitFor();
    await chat.page.reload();
    await chat.posted('hello');
    await chat.snapshot({ draft: 'of the host' });
    assert.equal(await chat.composer.inputValue(), 'of the host');
  });

  it('tells whether it has the focus and an unsent text, and that keys are typed, four times a second at most', async () => {
    await chat.snapshot();
    assert.deepEqual(await chat.posted('presence'), {
      focused: true,
      composing: false,
      hasDraft: false,
    });
    await chat.page.clock.install();
    await chat.composer.pressSequentially('quick typing');
    assert.equal((await chat.posted('presence')).hasDraft, true);
    const typed = (await chat.all('typed')).length;
    assert.ok(typed >= 1 && typed <= 2, `${typed} reports`);
    await chat.page.clock.runFor(300);
    await chat.composer.press('x');
    assert.equal((await chat.all('typed')).length, typed + 1);
  });

  it('puts the focus back into the composer after a dialog of the editor', async () => {
    await chat.snapshot();
    await chat.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      window.dispatchEvent(new Event('focus'));
    });
    const focused = async (): Promise<boolean> =>
      await chat.composer.evaluate((element) => element === document.activeElement);
    assert.equal(await focused(), true);
    await chat.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await chat.send('focusComposer', {});
    assert.equal(await focused(), true);
  });

  it('announces whole sentences, each once, and no tokens', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', '', { state: 'working' }));
    const heard: string[] = [];
    await chat.page.exposeFunction('hear', (text: string) => heard.push(text));
    await chat.page.evaluate(() => {
      const region = document.querySelector('body [role=status].visually-hidden');
      const { hear } = window as unknown as { hear: (text: string) => void };
      new MutationObserver(() => hear(region?.textContent ?? '')).observe(region!, {
        childList: true,
      });
    });
    for (const text of [
      'The **fir',
      'st** sen',
      'tence. And',
      ' a second one.\n\n```ts\nlet x = 1;\n```\n\nEnd',
      ' of it',
    ])
      await chat.change({ kind: 'append', id: 'i1', part: 0, text });
    const shell = {
      kind: 'intern',
      id: 'i1',
      at: 0,
      author: 'ada',
      state: 'done',
      facts: [],
    } as const;
    await chat.change({ kind: 'shell', message: shell });
    await until('the end to be announced', () => heard.join(' ').includes('ada finished'));
    assert.equal(
      heard.join(' '),
      'The first sentence. And a second one. Code block End of it ada finished',
    );
    assert.equal(await chat.log.getAttribute('aria-live'), 'off');
  });

  it('says what is seen only by looking: that a prompt is too long, and that a second Escape stops', async () => {
    await chat.snapshot({ status: status({ canStop: true }) });
    const said = (text: string): Promise<void> =>
      chat.page.locator('[role=status].visually-hidden', { hasText: text }).waitFor();
    await chat.composer.fill('x'.repeat(32_001));
    await said('The prompt is too long to be sent.');
    await chat.composer.press('Escape');
    await said('Press Escape again to stop');
  });

  it('puts text of the host into the composer, in place of the draft or at its end', async () => {
    await chat.snapshot({ draft: 'a' });
    await chat.send('compose', { text: 'b', where: 'append' });
    assert.equal(await chat.composer.inputValue(), 'a\nb');
    await chat.send('compose', { text: 'c', where: 'replace' });
    assert.equal(await chat.composer.inputValue(), 'c');
    await until('the draft to be told', async () => (await chat.all('draft')).at(-1)?.text === 'c');
  });

  it('ignores messages that are none of the host’s', async () => {
    await chat.snapshot({ status: status() });
    await chat.page.evaluate(() => {
      for (const data of [
        null,
        1,
        'x',
        {},
        { type: 'nothing', body: {} },
        { type: 'toString', body: {} },
      ])
        window.postMessage(data);
    });
    await chat.settle();
    assert.equal(await chat.composer.isVisible(), true);
  });
});
