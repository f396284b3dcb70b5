import assert from 'node:assert/strict';
import type { StatusView } from '../../src/protocol/view.ts';
import { ChatPage } from './chatPage.ts';
import { action, prompt, reply, status } from './fixtures/views.ts';

describe('By keyboard alone, the focus', () => {
  let chat: ChatPage;
  beforeEach(async () => {
    chat = await ChatPage.open();
  });
  afterEach(async () => {
    assert.deepEqual(chat.errors, []);
    await chat[Symbol.asyncDispose]();
  });

  const show = (different: Partial<StatusView>): Promise<void> =>
    chat.change({ kind: 'status', status: status(different) });
  const press = async (name: string): Promise<void> => {
    await chat.button(name).first().focus();
    await chat.page.keyboard.press('Enter');
  };
  /** The accessible name of what has the focus. */
  const focused = (): Promise<string> =>
    chat.page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });

  it('goes on to the next chip where one is taken off, then into the composer', async () => {
    const chips = ['a.ts', 'b.ts'].map((label) => ({ id: label, label, size: 9, characters: 9 }));
    await chat.snapshot({ status: status({ attachments: chips }) });
    await press('Remove a.ts');
    await show({ attachments: chips.slice(1) });
    assert.equal(await focused(), 'Remove b.ts');
    await chat.page.keyboard.press('Enter');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('stays with the prompts that wait where one is saved or taken back, then goes into the composer', async () => {
    const queue = ['a', 'b'].map((id) => ({ id, text: id, attachments: [] }));
    await chat.snapshot({ status: status({ queue }) });
    await press('Edit queued prompt');
    await chat.page.keyboard.type('!');
    await chat.page.keyboard.press('Enter');
    assert.equal(await focused(), 'Edit queued prompt');
    await press('Remove queued prompt');
    await show({ queue: queue.slice(1) });
    assert.equal(await focused(), 'Remove queued prompt');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('goes into the composer where a banner goes, and stays where it is drawn again', async () => {
    const banner = (text: string): Partial<StatusView> => ({
      banners: [{ tone: 'info', text, actions: [action('sendNow', 'Send Now')] }],
    });
    await chat.snapshot({ status: status(banner('Waits')) });
    await press('Send Now');
    await show(banner('Waits again'));
    assert.equal(await focused(), 'Send Now');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('goes into the composer where Stop has stopped, with the band of self-drive and without', async () => {
    await chat.snapshot();
    for (const selfDriveBand of [false, true]) {
      await show({ canStop: true, selfDriveBand });
      await press('Stop');
      await show({});
      assert.equal(await focused(), 'Message ada');
    }
  });

  it('goes into the conversation where Jump to latest has jumped', async () => {
    const text = 'A paragraph.\n\n'.repeat(100);
    await chat.show(prompt('u1', 'x'), reply('i1', text));
    await chat.page.locator('.scroller').hover();
    await chat.page.mouse.wheel(0, -500);
    await chat.button('Jump to latest').waitFor();
    await press('Jump to latest');
    await chat.button('Jump to latest').waitFor({ state: 'hidden' });
    const place = await chat.page.evaluate(() => document.activeElement?.className);
    assert.match(place ?? '', /scroller/u);
  });
});
