import assert from 'node:assert/strict';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { prompt } from './fixtures/views.ts';

describe('the recall of prompts', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  /** Presses a key once for each text, and expects that text in the composer. */
  async function shows(key: 'ArrowUp' | 'ArrowDown', ...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await chat.press(key);
      assert.equal(await chat.value(), text);
    }
  }

  it('the arrow keys recall earlier prompts and then the draft', async () => {
    // The caret also moves by the rows of a wrapped line.
    const long = `${'words '.repeat(25)}\nlast`;
    await chat.snapshot({ recall: ['one', long], draft: 'mine' });
    await chat.press('Home');
    await shows('ArrowUp', long, long, long);
    const caret = await chat.composer.evaluate((box: HTMLTextAreaElement) => box.selectionStart);
    assert.ok(caret < 100, `the caret is at ${caret}`);
    await shows('ArrowUp', 'one');
    await shows('ArrowDown', long, 'mine');
  });

  it('the composer recalls each prompt once, wherever it was sent', async () => {
    await chat.snapshot({ recall: ['one'] });
    const arrive = (text: string) =>
      chat.change({ kind: 'add', message: prompt(`u-${text}`, text) });
    await arrive('elsewhere');
    await shows('ArrowUp', 'elsewhere', 'one');
    for (const text of ['first', 'queued']) {
      await chat.composer.fill(text);
      await chat.press('Enter');
    }
    await chat.composer.fill('mine');
    await chat.press('Home');
    await shows('ArrowUp', 'queued');
    for (const text of ['first', 'queued', 'last']) await arrive(text);
    assert.equal(await chat.value(), 'queued');
    await shows('ArrowUp', 'first', 'elsewhere');
    await chat.press('End');
    await shows('ArrowDown', 'first', 'queued', 'last', 'mine');
    // A snapshot brings those that the page missed.
    await chat.snapshot({ recall: ['one', 'elsewhere', 'first', 'queued', 'last', 'missed'] });
    await chat.press('Home');
    await shows('ArrowUp', 'missed', 'last', 'queued');
  });

  it('the composer recalls no prompt by an agent of the editor', async () => {
    await chat.snapshot({ recall: ['mine'] });
    const byAgent = { ...prompt('u-agent', 'of an agent'), isByAgent: true } as const;
    await chat.change({ kind: 'add', message: byAgent });
    await shows('ArrowUp', 'mine');
  });

  it('the composer recalls prompts of other conversations after its own', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await chat.press('Home');
    for (const other of ['older', 'other']) {
      await chat.forget();
      await shows('ArrowUp', 'one', 'one');
      await chat.posted('recall');
      await chat.send('recalled', { prompts: ['oldest', other] });
      assert.equal(await chat.value(), other);
      await chat.press('ArrowUp');
      await shows('ArrowUp', 'oldest');
      await chat.press('End');
      await shows('ArrowDown', other, 'one', 'mine');
      assert.equal((await chat.all('recall')).length, 1);
      await chat.press('Home');
    }
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await chat.value(), 'mine');
  });

  it('the composer recalls prompts of other conversations if its own has none', async () => {
    await chat.snapshot();
    await chat.press('ArrowUp');
    await chat.posted('recall');
    await chat.send('recalled', { prompts: ['other'] });
    assert.equal(await chat.value(), 'other');
    await chat.press('Enter');
    await chat.assertSent('other');
    await shows('ArrowUp', 'other', 'other');
    await chat.press('End');
    await chat.composer.pressSequentially('!');
    await chat.send('recalled', { prompts: ['late'] });
    assert.equal(await chat.value(), 'other!');
  });

  it('the composer shows the draft again once a recalled prompt is sent', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await chat.press('Home', 'ArrowUp');
    assert.equal((await chat.posted('draft')).text, 'mine');
    await chat.press('Enter');
    await chat.assertSent('two');
    assert.equal(await chat.value(), 'mine');
    assert.equal((await chat.posted('draft')).text, 'mine');
  });

  it('Enter that is held down sends a recalled prompt but not the draft after it', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await chat.press('Home', 'ArrowUp');
    for (let repeat = 0; repeat < 3; repeat++) await chat.page.keyboard.down('Enter');
    await chat.assertSent('two');
    assert.equal(await chat.value(), 'mine');
  });

  it('the composer keeps a changed prompt when the arrows recall another one', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await chat.press('Home', 'ArrowUp');
    await chat.composer.pressSequentially(' changed');
    await chat.drafted('mine\ntwo changed');
    await chat.press('Home');
    await shows('ArrowUp', 'one');
    await shows('ArrowDown', 'two changed');
  });

  it('the composer recalls the draft that a prompt to be edited has replaced', async () => {
    await chat.snapshot({ recall: ['one'], draft: 'mine' });
    await chat.send('compose', { text: 'one', where: 'replace' });
    assert.equal(await chat.value(), 'one');
    await chat.press('Home');
    await shows('ArrowUp', 'mine');
    await shows('ArrowDown', 'one');
  });

  it('the composer recalls the draft and a changed prompt that another text has replaced', async () => {
    await chat.snapshot({ recall: ['one', 'two'], draft: 'mine' });
    await chat.press('Home', 'ArrowUp');
    await chat.composer.pressSequentially(' changed');
    await chat.send('compose', { text: 'one', where: 'replace' });
    await chat.press('Home');
    await shows('ArrowUp', 'two changed');
    await chat.press('Home');
    await shows('ArrowUp', 'mine');
  });
});
