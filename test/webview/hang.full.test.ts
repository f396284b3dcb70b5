import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { PageLife } from '../../src/features/chatPanel/page/pageLife.ts';
import { until } from '../harness/until.ts';
import { ChatPage } from './chatPage.ts';
import { action, reply, status } from './fixtures/views.ts';

const text = '# Head\n\n| a |\n|---|\n| **b** |\n\n```ts\nconst c = 1;\n```\n';

/** Makes the page hang as soon as it draws a table. */
async function hangOnTables({ page }: ChatPage): Promise<void> {
  await page.evaluate(`{
    const create = document.createElement.bind(document);
    document.createElement = (name) => {
      while (name === 'table');
      return create(name);
    };
  }`);
}

describe('a page that hangs', () => {
  for (const how of ['as it opens', 'while a reply streams'] as const)
    it(`the page after one that hangs ${how} shows the replies as plain text`, async () => {
      let hangs = false;
      const life = new PageLife({
        clock: systemClock,
        log: { error: () => undefined, warn: () => undefined },
        probe: () => Promise.resolve(),
        load: () => undefined,
        onDidChangeHanging: (now) => (hangs = now),
      });
      {
        await using hung = await ChatPage.open({ onPost: () => life.handleMessage() });
        life.handleReady(true);
        await hangOnTables(hung);
        const isGone = Promise.allSettled([
          how === 'as it opens'
            ? hung.show(reply('i1', text))
            : hung
                .show(reply('i1', '', { state: 'working' }))
                .then(() => hung.change({ kind: 'append', id: 'i1', part: 0, text })),
        ]);
        await until('the host to notice', () => hangs);
        await hung[Symbol.asyncDispose]();
        await isGone;
      }
      life.dispose();

      await using next = await ChatPage.open();
      await hangOnTables(next);
      const offer = { tone: 'warning', text: 'Shown plainly.' } as const;
      const banners = [{ ...offer, actions: [action('showFormatted', 'Show Formatting')] }];
      const messages = [reply('i1', text, { state: 'working' })];
      await next.snapshot({ messages, isPlain: true, status: status({ banners }) });
      await next.change({ kind: 'append', id: 'i1', part: 0, text: '\n| x |\n|---|\n' });
      await next.rest();
      assert.equal(
        await next.log.locator('.reply').evaluate((shown) => shown.textContent),
        `${text}\n| x |\n|---|\n`,
      );
      assert.equal(await next.log.locator('.reply :is(h1, strong, code)').count(), 0);
      await next.button('Show Formatting').click();
      assert.deepEqual(await next.posted('act'), { action: 'showFormatted' });
      assert.deepEqual(next.errors, []);
    });

  it('the page formats replies again that were shown as plain text', async () => {
    await using chat = await ChatPage.open();
    const line = 'word '.repeat(200_000);
    await chat.snapshot({ messages: [reply('i1', line), reply('i2', text)], isPlain: true });
    await chat.rest();
    assert.equal(await chat.log.getByRole('heading', { name: 'Head' }).count(), 0);
    await chat.snapshot({ messages: [reply('i1', line), reply('i2', text)] });
    await chat.rest();
    assert.equal(await chat.log.getByRole('heading', { name: 'Head' }).count(), 1);
    assert.equal(await chat.log.getByRole('table').count(), 1);
  });
});
