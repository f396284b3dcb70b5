import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { prompt } from './fixtures/views.ts';

describe('what is dropped on the composer or pasted', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  it('the composer posts the URIs of files that are dropped on it', async () => {
    await chat.snapshot();
    await chat.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', '# comment\r\nfile:///a.ts\r\nfile:///b.ts');
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('textarea')?.dispatchEvent(drop);
    });
    assert.deepEqual(await chat.all('dropped'), [{ uris: ['file:///a.ts', 'file:///b.ts'] }]);
  });

  for (const type of ['paste', 'drop'] as const)
    it(`the composer says that it takes no image by ${type}`, async () => {
      await chat.snapshot();
      await chat.composer.evaluate((box, type) => {
        const data = new DataTransfer();
        data.items.add(new File([''], 'a.png', { type: 'image/png' }));
        const paste = new ClipboardEvent(type, { clipboardData: data, bubbles: true });
        const drop = new DragEvent(type, { dataTransfer: data, bubbles: true });
        box.dispatchEvent(type === 'paste' ? paste : drop);
      }, type);
      await seen(
        chat.page.locator('.hint', { hasText: 'Only text can be sent. Add text files with +.' }),
      );
    });

  it('text that is dropped on the composer is inserted', async () => {
    await chat.show(prompt('u', 'Banana'));
    const text = chat.page.getByText('Banana');
    await text.dblclick();
    await text.dragTo(chat.composer);
    assert.equal((await chat.value()).trim(), 'Banana');
  });
});
