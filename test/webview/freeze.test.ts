import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { attacks, longestMs } from './attacks.ts';
import { ChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';
import { freezeOf } from './freezing.ts';

describe('replies that could freeze the page', () => {
  let chat: ChatPage;
  before(async () => {
    chat = await ChatPage.open();
    await chat.show();
  });
  after(async () => {
    await chat[Symbol.asyncDispose]();
  });

  for (const [name, text] of Object.entries(attacks))
    it(`the page does not freeze on ${name}`, async () => {
      const ms = await freezeOf(chat, text, 'at once');
      assert.ok(ms <= longestMs, `${Math.round(ms)} ms`);
    });

  it('the page does not freeze on text of two directions that is shown plainly', async () => {
    const ms = await freezeOf(chat, 'א a '.repeat(50_000), 'plainly');
    assert.ok(ms <= longestMs, `${Math.round(ms)} ms`);
  });

  it('a reply that stays unfinished leaves the page idle', async () => {
    const text = `${'$$'.repeat(6_000)}\n\n${'\\)1\\end{matrix}'.repeat(5_600)}`;
    await chat.show(reply('i1', '', { state: 'working' }));
    await chat.append('i1', text);
    await chat.rest();
  });

  const plainBlock = () =>
    chat.log.getByRole('group', { name: 'Too much formatting. Shown as plain text.' });

  it('the page shows a growing paragraph of a megabyte as plain text', async () => {
    const text = 'a *b* '.repeat(34_000);
    await chat.show(reply('i1', '', { state: 'working' }));
    for (let piece = 0; piece < 5; piece++) await chat.append('i1', text);
    const whole = text.repeat(5).trimEnd();
    await until('the page to draw the whole paragraph', async () => {
      const shown = await plainBlock().locator('code').allTextContents();
      return shown.length === 1 && shown[0] === whole;
    });
  });

  it('the page shows only the oversized block of a reply as plain text', async () => {
    await chat.show(
      reply('i1', `# Head\n\n${attacks['a header row of 30,000 cells'] ?? ''}\n**tail**`),
    );
    await chat.rest();
    assert.equal(await plainBlock().count(), 1);
    await chat.page.setViewportSize({ width: 240, height: 800 });
    const label = plainBlock().locator('.code-language');
    assert.ok(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    assert.match(await plainBlock().locator('code').innerText(), /^\|a\|a\|a/);
    assert.equal(await chat.log.getByRole('heading', { name: 'Head' }).count(), 1);
  });
});
