import assert from 'node:assert/strict';
import { isSeen, seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, useChatPage } from './chatPage.ts';
import { permission, prompt, reply, status } from './fixtures/views.ts';

describe('The page and its host', () => {
  let chat: ChatPage;
  useChatPage((page) => (chat = page));

  it('the page saves the state that restores it after a reload', async () => {
    assert.deepEqual(await chat.all('ready'), [{ lastSeq: null }]);
    await chat.snapshot();
    const kept = { account: 'account', intern: 'intern_ada', conversation: 'conversation' };
    assert.deepEqual(await chat.page.evaluate(() => window.kept), kept);
  });

  it('a page whose host is dead sends nothing and keeps the draft', async () => {
    await chat.snapshot({ draft: 'kept' });
    await losesHost();
    await chat.composer.press('Enter');
    assert.deepEqual(await chat.all('send'), []);
    assert.equal(await chat.value(), 'kept');
    await chat.send('pong', { at: 0, now: Date.now() });
    assert.equal(await chat.page.getByRole('alert').isVisible(), false);
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'kept' });
    assert.match(await chat.page.locator('.hint').innerText(), /^Enter sends/);
  });

  it('a page posts its draft before another page replaces it', async () => {
    await chat.page.clock.install();
    await chat.snapshot();
    await chat.composer.fill('half a thought');
    await chat.send('leave', {});
    await chat.posted('left');
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'half a thought' });
    const before = (await chat.all('ping')).length + (await chat.all('presence')).length;
    await chat.page.keyboard.type(' more');
    await chat.page.clock.runFor(5000);
    assert.equal(await chat.value(), 'half a thought');
    assert.equal((await chat.all('ping')).length + (await chat.all('presence')).length, before);
    assert.deepEqual((await chat.all('draft')).at(-1), { text: 'half a thought' });
  });

  const blur = (): Promise<void> =>
    chat.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  /** Simulates the end of a dialog, after which the window has the focus. */
  const closeDialog = async (): Promise<void> => {
    await blur();
    await chat.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  };

  /** Simulates the death of the host. @param act runs before the page notices */
  async function losesHost(act: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    await chat.page.clock.install();
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await act();
    await chat.page.clock.runFor(2500);
    await seen(chat.page.getByRole('alert'));
  }

  /** Simulates a new host, which opens another page. */
  async function reopen(view: { readonly draft: string }): Promise<void> {
    await chat.page.reload();
    await chat.posted('ready');
    await chat.snapshot(view);
  }

  it('a page that was busy itself does not count its host as dead', async () => {
    await chat.page.clock.install({ time: 0 });
    await reopen({ draft: '' });
    await chat.page.clock.pauseAt(60_000);
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.page.clock.runFor(500);
    await chat.page.clock.fastForward(5000);
    assert.equal(await chat.page.getByRole('alert').isVisible(), false);
  });

  it('a page hands a draft that was typed without a host to the next page only once', async () => {
    await chat.snapshot({ draft: 'old' });
    await losesHost();
    await chat.composer.press('End');
    await chat.composer.pressSequentially(' and new');
    await chat.page.clock.runFor(1000);
    const tooOld = JSON.stringify({ text: 'of a tab that never came back', at: 0 });
    await chat.page.evaluate((draft) => localStorage.setItem('interns-draft/other', draft), tooOld);
    await reopen({ draft: 'old' });
    assert.equal(await chat.value(), 'old and new');
    await chat.drafted('old and new');
    assert.equal(await chat.page.evaluate(() => localStorage.length), 0);
  });

  it('a page hands a prompt that was sent just before the host died to the next page', async () => {
    await chat.snapshot({ draft: 'lost' });
    await losesHost(() => chat.composer.press('Enter').then(() => chat.composer.fill('later')));
    assert.equal(await chat.value(), 'later');
    await reopen({ draft: 'older' });
    assert.equal(await chat.value(), 'lost\nlater');
  });

  it('a prompt that the host had received does not return to the next page', async () => {
    await chat.snapshot({ draft: 'sent' });
    await losesHost(() => chat.composer.press('Enter'));
    const { at } = await chat.posted('ping');
    await chat.send('pong', { at, now: Date.now() });
    await losesHost();
    await reopen({ draft: 'of the host' });
    assert.equal(await chat.value(), 'of the host');
  });

  it('the page reports typing at most four times a second', async () => {
    await chat.snapshot();
    const typed = async () => (await chat.all('presence')).filter((each) => each.typed);
    const presence = {
      visible: true,
      focused: true,
      composing: false,
      typed: false,
      message: null,
    };
    assert.deepEqual(await chat.posted('presence'), presence);
    // Time stops while the keys are typed.
    await chat.page.clock.install({ time: 0 });
    await chat.page.clock.pauseAt(1000);
    await chat.composer.pressSequentially('quick typing');
    assert.equal((await typed()).length, 1);
    await chat.page.clock.runFor(250);
    assert.equal((await typed()).length, 2);
    await chat.page.clock.runFor(10_000);
    assert.equal((await typed()).length, 2);
    await chat.composer.press('x');
    assert.equal((await typed()).length, 3);
  });

  it('the page returns the focus to the composer or the focused message after a dialog', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', 'y'));
    await closeDialog();
    assert.equal(await chat.composerHasFocus(), true);
    await chat.send('go', { to: 'message', step: -1 });
    assert.equal(await chat.focusedId(), 'i1');
    await closeDialog();
    assert.equal(await chat.focusedId(), 'i1');
    await blur();
    await chat.send('returnFocus', {});
    assert.equal(await chat.focusedId(), 'i1');
    await chat.send('focusComposer', {});
    assert.equal(await chat.composerHasFocus(), true);
  });

  it('the composer gets the focus after an answer to the card that had it', async () => {
    const question = permission('q1');
    const part = { kind: 'question', question } as const;
    await chat.show(prompt('u1', 'x'), reply('i1', [part], { state: 'waiting' }));
    const answer = chat.button('Answer');
    await answer.click();
    await blur();
    await chat.send('returnFocus', {});
    assert.equal(await answer.evaluate((button) => button === document.activeElement), true);
    await chat.send('returnFocus', { wasAnswered: true });
    assert.equal(await chat.composerHasFocus(), true);
    await chat.send('go', { to: 'message', step: -1 });
    await chat.send('returnFocus', { wasAnswered: true });
    assert.equal(await chat.focusedId(), 'i1', 'the user reads this message');
  });

  it('the composer gets the focus from a card that is closed while a dialog has it', async () => {
    const question = permission('q1');
    const part = { kind: 'question', question } as const;
    await chat.show(prompt('u1', 'x'), reply('i1', [part], { state: 'waiting' }));
    await chat.button('Answer').click();
    await chat.page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    const closed = { ...question, pending: false, stateMessage: 'Sending', actions: [] };
    await chat.change({
      kind: 'part',
      id: 'i1',
      index: 0,
      part: { kind: 'question', question: closed },
    });
    await chat.log.getByText('Sending').waitFor();
    await chat.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.equal(await chat.composerHasFocus(), true);
  });

  it('the page announces each new sentence of a reply once', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', 'Old news. ', { state: 'working' }));
    const said = await chat.listen();
    const text =
      'The **fir|st** sen|tence. And| a second one.\n\n```ts\nlet x = 1;\n```\n\nEnd| of it';
    for (const piece of text.split('|')) await chat.append('i1', piece);
    const done = { kind: 'reply', id: 'i1', at: 0, author: 'ada', state: 'done' } as const;
    const message = { ...done, facts: [], details: [], completion: null };
    await chat.change({ kind: 'header', message });
    const end = 'ada finished';
    await until('the announcement', async () => (await said()).at(-1) === end);
    assert.equal(
      (await said()).join(' '),
      `The first sentence. And a second one. Code block End of it ${end}`,
    );
    assert.equal(await chat.log.getAttribute('aria-live'), 'off');
  });

  it('the host inserts text in place of the draft or at its end', async () => {
    await chat.snapshot({ draft: 'a' });
    await chat.send('compose', { text: 'b', where: 'append' });
    assert.equal(await chat.value(), 'a\nb');
    await chat.send('compose', { text: 'c', where: 'replace' });
    assert.equal(await chat.value(), 'c');
    await chat.drafted('c');
  });

  it('the page ignores unknown messages', async () => {
    await chat.snapshot({ status: status() });
    await chat.page.evaluate(() => {
      const named = ['nothing', 'toString'].map((type) => ({ type, body: {} }));
      for (const data of [null, 1, 'x', {}, ...named]) window.postMessage(data);
    });
    await chat.settle();
    assert.ok(await isSeen(chat.composer));
  });
});
