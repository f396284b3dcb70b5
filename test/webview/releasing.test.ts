import assert from 'node:assert/strict';
import type { MessageView } from '../../src/protocol/view.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage, topOf } from './chatPage.ts';
import { typicalReply } from './fixtures/gfmExamples.ts';
import { prompt, reply } from './fixtures/views.ts';

/** Most elements that a conversation of any length may keep at the page size of these tests. */
const mostElements = 3000;

function conversation(prompts: number): MessageView[] {
  return Array.from({ length: prompts }, (_, index) => [
    prompt(`u${index}`, `Prompt ${index}`),
    reply(
      `i${index}`,
      index % 5 === 0 ? typicalReply : `Reply ${index}\n\n- one\n- two\n\nand words`,
    ),
  ]).flat();
}

describe('messages far from the reader', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  const elements = () => chat.log.evaluate((log) => log.querySelectorAll('*').length);
  const isDrawn = async (id: string) => (await chat.log.locator(`[data-id=${id}]`).count()) > 0;
  const released = (id: string) => until(`${id} to be released`, async () => !(await isDrawn(id)));
  const scrollTo = async (top: number) => {
    await chat.scroller.evaluate((box, to) => (box.scrollTop = to), top);
    await chat.settle();
  };

  /** Shows the end of a conversation and scrolls to its start by steps, as a reader does. */
  async function showFromStart(messages: readonly MessageView[]): Promise<void> {
    await chat.showEnd(messages, 60);
    await until('the start to be reached', async () => {
      await chat.scroller.evaluate((box) => box.scrollBy(0, -1500));
      await chat.settle();
      return (await isDrawn('u0')) && (await chat.scroller.evaluate((box) => box.scrollTop === 0));
    });
  }

  /** The message at the top of the viewport, and where its top is. */
  async function read(): Promise<{ id: string; top: number }> {
    return chat.scroller.evaluate((box) => {
      const { top } = box.getBoundingClientRect();
      const all = [...box.querySelectorAll<HTMLElement>('.message')];
      const at = all.find((each) => each.getBoundingClientRect().bottom > top + 1);
      return { id: at?.dataset['id'] ?? '', top: (at?.getBoundingClientRect().top ?? 0) - top };
    });
  }

  /** Shows a conversation that was scrolled through to its start and back to its end. */
  async function readThrough(prompts: number): Promise<void> {
    await showFromStart(conversation(prompts));
    await chat.button('Jump to latest').click();
  }

  it('the page releases messages while 200 prompts come one after the other', async () => {
    await chat.show();
    const messages = conversation(200);
    for (let from = 0; from < messages.length; from += 40)
      await chat.change(
        ...messages.slice(from, from + 40).map((message) => ({ kind: 'add', message }) as const),
      );
    await released('u0');
    await until('the elements to be released', async () => (await elements()) < mostElements);
    assert.ok((await chat.distanceToEnd()) < 1, 'the end was left');
  });

  it('the reader stays in place when messages are released and drawn again', async () => {
    await showFromStart(conversation(100));
    const middle = await chat.scroller.evaluate((box) => box.scrollHeight / 2);
    await scrollTo(middle);
    const before = {
      ...(await read()),
      height: await chat.scroller.evaluate((box) => box.scrollHeight),
    };
    await released('u0');
    await released('i80');
    await chat.rest();
    const height = await chat.scroller.evaluate((box) => box.scrollHeight);
    assert.deepEqual({ ...(await read()), height }, before);
    for (let top = middle; top > 0; top -= 700) await scrollTo(top);
    await scrollTo(middle);
    assert.deepEqual(await read(), { id: before.id, top: before.top });
  });

  it('messages that are drawn again at another width leave the reader in place', async () => {
    await readThrough(60);
    await released('u0');
    await chat.page.setViewportSize({ width: 420, height: 800 });
    await chat.rest();
    await chat.scroller.hover();
    while ((await chat.scroller.evaluate((box) => box.scrollTop)) > 1000) {
      const at = await read();
      await chat.scroller.evaluate((box) => box.scrollBy(0, -600));
      await chat.settle();
      const message = chat.log.locator(`[data-id=${at.id}]`);
      const moved = (await topOf(message)) - (await topOf(chat.scroller));
      assert.ok(Math.abs(moved - at.top - 600) <= 2, `${at.id} went ${moved - at.top} for 600`);
    }
  });

  it('the page keeps messages with the focus, a selection or opened reasoning drawn', async () => {
    const messages = conversation(200);
    const thought = { kind: 'reasoning', text: 'Hm', startedAt: 0, endedAt: 1 } as const;
    messages[301] = reply('i150', [thought, { kind: 'text', text: 'Thought about' }]);
    await showFromStart(messages);
    const shown = (id: string) => chat.log.locator(`[data-id=${id}]`);
    await chat.send('reveal', { message: 'i150' });
    await shown('i150').locator('details[open]').waitFor();
    await chat.send('reveal', { message: 'u80' });
    await shown('u80').evaluate((message) => document.getSelection()?.selectAllChildren(message));
    await chat.send('reveal', { message: 'u60' });
    await until('the focus on it', async () => (await chat.focusedId()) === 'u60');
    await scrollTo(0);
    for (const id of ['u30', 'u110', 'i180']) await released(id);
    for (const id of ['i150', 'u60', 'u80']) assert.ok(await isDrawn(id), id);
    await chat.composer.focus();
    await chat.page.evaluate(() => document.getSelection()?.removeAllRanges());
    await scrollTo(1);
    for (const id of ['u60', 'u80']) await released(id);
    assert.ok(await isDrawn('i150'));
  });

  it('the lines of a code block stay wrapped while the reader is far away', async () => {
    const messages = conversation(200);
    messages[301] = reply('i150', '```ts\nlet a = 1;\n```');
    await showFromStart(messages);
    await chat.send('reveal', { message: 'i150' });
    const block = chat.log.locator('[data-id=i150] .code-block');
    await block.hover();
    await block.getByRole('button', { name: 'Wrap lines' }).click();
    await chat.composer.focus();
    assert.ok(await isDrawn('i165'));
    await scrollTo(0);
    await released('i165');
    await chat.send('reveal', { message: 'i150' });
    await block.waitFor();
    assert.match((await block.getAttribute('class')) ?? '', /wrapped/);
  });

  it('a fold of raw HTML stays as the reader left it when its message is drawn again', async () => {
    const messages = conversation(100);
    messages[101] = reply('i50', '<details open>\n<summary>One</summary>\n\nwords\n\n</details>');
    await showFromStart(messages);
    await chat.send('reveal', { message: 'i50' });
    const fold = chat.log.locator('[data-id=i50] details');
    await fold.getByText('One').click();
    await fold.and(chat.log.locator(':not([open])')).waitFor();
    await chat.composer.focus();
    await scrollTo(0);
    await released('i50');
    await chat.send('go', { to: 'message', step: 1 });
    await scrollTo(await chat.scroller.evaluate((box) => box.scrollHeight / 2));
    await fold.waitFor();
    assert.equal(await fold.getAttribute('open'), null);
  });

  it('the page draws released messages again when a selection spans them', async () => {
    await showFromStart(conversation(150));
    await released('u75');
    await chat.log.evaluate((log) => {
      const at = (id: string) =>
        log.querySelector(`[data-id=${id}] .prompt-text`)?.firstChild ?? log;
      document.getSelection()?.setBaseAndExtent(at('u1'), 0, log, log.childNodes.length);
    });
    await until('all prompts to be selected', async () => {
      const selected = await chat.page.evaluate(() => document.getSelection()?.toString() ?? '');
      const found = new Set(selected.match(/Prompt \d+/g));
      return found.size === 149;
    });
  });

  it('find, links and keys reach released messages', async () => {
    await readThrough(100);
    await released('u3');
    await chat.page.keyboard.press('Control+f');
    await chat.page.getByRole('textbox', { name: 'Find in conversation' }).fill('prompt 3');
    await chat.posted('find');
    await chat.send('found', { query: 'prompt 3', found: [{ message: 'u3', count: 1 }] });
    const inView = (id: string) =>
      until(`${id} to be in view`, () =>
        chat.log.locator(`[data-id=${id}]`).evaluateAll((found) =>
          found.some((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return bottom > 0 && top < 700;
          }),
        ),
      );
    await inView('u3');
    await chat.page.keyboard.press('Escape');
    await chat.button('Jump to latest').click();
    await chat.composer.focus();
    await released('u20');
    await chat.send('reveal', { message: 'u20' });
    await inView('u20');
    for (const id of ['u19', 'u18', 'u17']) {
      await chat.send('go', { to: 'prompt', step: -1 });
      await inView(id);
    }
  });

  it('a released message shows its changes when it is drawn again', async () => {
    await readThrough(100);
    await released('i50');
    const part = { kind: 'text', text: 'Changed' } as const;
    await chat.change({ kind: 'part', id: 'i50', index: 0, part });
    await chat.send('reveal', { message: 'i50' });
    await chat.log.getByText('Changed', { exact: true }).waitFor();
  });
});
