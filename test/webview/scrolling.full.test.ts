import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { typicalReply } from './fixtures/gfmExamples.ts';
import { prompt, reply, status } from './fixtures/views.ts';

/** Enough scrolls to find a fault that occurs once in twenty. */
const rounds = 50;

/** Posts the messages one by one, like a stream. */
function stream(messages: readonly unknown[]): void {
  let next = 0;
  const timer = setInterval(() => {
    if (next === messages.length) clearInterval(timer);
    else window.postMessage(messages[next++]);
  }, 7);
}

/**
 * Scrolls up without input, as a screen reader does, at any moment of drawing, and returns by the button. Returns the
 * distances, in CSS pixels, of the scrolls that the page undid.
 */
async function scrollAway(times: number): Promise<number[]> {
  const find = (selector: string): HTMLElement => {
    const element = document.querySelector(selector);
    if (element instanceof HTMLElement) return element;
    throw new Error(`there is no ${selector}`);
  };
  const scroller = find('.scroller');
  const jump = find('.jump');
  const follows = (): boolean => jump.hidden !== false;
  const drawn = (): Promise<void> =>
    new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve());
      });
      observer.observe(find('.feed'), { childList: true, subtree: true, characterData: true });
    });
  const lost: number[] = [];
  for (let round = 0; round < times; round++) {
    jump.click();
    do await drawn();
    while (!follows());
    await drawn();
    await new Promise((resolve) => setTimeout(resolve, (round * 7) % 50));
    const up = [4, 12, 40, 150, 700][round % 5] ?? 0;
    const top = scroller.scrollTop - up;
    scroller.scrollTop = top;
    await drawn();
    await drawn();
    if (follows() || scroller.scrollTop > top + 1) lost.push(up);
  }
  return lost;
}

describe('scrolling while a reply streams', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  /** Returns the changes that grow a reply to a text, by `characters` at a time. */
  const growth = (text: string, characters: number) =>
    Array.from({ length: Math.ceil(text.length / characters) }, (_, index) => {
      const piece = text.slice(index * characters, (index + 1) * characters);
      return chat.changesMessage({ kind: 'append', id: 'i1', part: 0, text: piece });
    });

  it(`the transcript stops following a reply at each of ${rounds} scrolls without a key or wheel`, async () => {
    await chat.show(
      prompt('u0', 'Before'),
      reply('i0', `${typicalReply}\n\n`.repeat(20)),
      reply('i1', '', { state: 'working' }),
    );
    const text = `${typicalReply}\n\n`.repeat(400).slice(0, 80_000);
    await chat.page.evaluate(stream, growth(text, 20));
    assert.deepEqual(await chat.page.evaluate(scrollAway, rounds), []);
    await chat.scroller.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await until(
      'the end to be followed again',
      async () => !(await chat.button('Jump to latest').isVisible()),
    );
  });

  it('the transcript goes to the end for a prompt just sent, but not for a queued one', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', 'A paragraph of some words.\n\n'.repeat(80)));
    const top = async (): Promise<number> => await chat.scroller.evaluate((box) => box.scrollTop);
    await chat.scroller.hover();
    await chat.page.mouse.wheel(0, -600);
    await seen(chat.button('Jump to latest'));
    const before = await top();
    await chat.change({ kind: 'add', message: prompt('u2', 'from the queue') });
    await chat.change({ kind: 'add', message: reply('i2', 'Answered.', { state: 'working' }) });
    await chat.settle();
    assert.equal(await top(), before);
    await chat.composer.fill('mine');
    await chat.composer.press('Enter');
    await chat.change({ kind: 'add', message: prompt('u3', 'mine') });
    await chat.button('Jump to latest').waitFor({ state: 'hidden' });
    assert.ok((await top()) > before);
  });

  it('the transcript stays at the end while banners come and go', async () => {
    const banner = { tone: 'info', text: 'The session is busy.', actions: [] } as const;
    const busy = status({ banners: [banner] });
    const text = 'Some words.\n\n'.repeat(80);
    await chat.snapshot({ status: busy, messages: [prompt('u1', 'x'), reply('i1', text)] });
    const changes = [status(), busy, status(), busy].map((each) =>
      chat.changesMessage({ kind: 'status', status: each }),
    );
    await chat.page.evaluate((all) => {
      // Reading a size between two changes forces a layout.
      addEventListener('message', () => document.querySelector('.scroller')?.scrollTop);
      for (const data of all) dispatchEvent(new MessageEvent('message', { data }));
    }, changes);
    await chat.rest();
    assert.equal(await chat.button('Jump to latest').isVisible(), false);
  });

  it('the transcript stays at the end while tables fill and blocks shrink', async () => {
    await chat.show(prompt('u0', 'Before'), reply('i1', '', { state: 'working' }));
    const text = `${typicalReply}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n`.repeat(10);
    const seen = await chat.page.evaluate(
      async ({ all }) => {
        const jump = document.querySelector('.jump');
        let shown = 0;
        for (const message of all) {
          window.postMessage(message);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (jump instanceof HTMLElement && !jump.hidden) shown++;
        }
        return shown;
      },
      { all: growth(text, 9).slice(0, 300) },
    );
    assert.equal(seen, 0);
  });
});
