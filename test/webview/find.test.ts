import assert from 'node:assert/strict';
import type { FoundMessage } from '../../src/protocol/messages.ts';
import type { MessageView } from '../../src/protocol/view.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { moment, prompt, reply } from './fixtures/views.ts';

function conversation(count: number): MessageView[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? prompt(`m${index}`, `Prompt ${index}`)
      : reply(`m${index}`, `Reply ${index}\n\n- one\n- two\n\nand a paragraph of words`),
  );
}

function matchesIn(...places: readonly number[]): FoundMessage[] {
  return places.map((index) => ({ message: `m${index}`, count: 1 }));
}

/** From now on, what the live regions of the page say. */
async function listen({ page }: ChatPage): Promise<() => Promise<readonly string[]>> {
  const said = await page.evaluateHandle(() => {
    const heard: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const target of new Set(records.map((record) => record.target)))
        if (target instanceof Element && target.matches('[role=status], [aria-live]'))
          heard.push(target.textContent);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    return heard;
  });
  return () => said.jsonValue();
}

/** Looks for words; the test says where the host finds them. */
async function find(chat: ChatPage, query: string, found: readonly FoundMessage[]): Promise<void> {
  await chat.page.keyboard.press('Control+f');
  await chat.page.getByRole('textbox', { name: 'Find in conversation' }).fill(query);
  assert.deepEqual(await chat.posted('find'), { query, matchCase: false });
  await chat.send('found', { query, found });
}

/** The places of the drawn messages, in the order of the page. */
async function drawnPlaces({ log }: ChatPage): Promise<number[]> {
  return await log
    .getByRole('article')
    .evaluateAll((all) => all.map((article) => Number(article.getAttribute('data-id')?.slice(1))));
}

/** What is marked as the current match, in which message, and how far its top is below the viewport's, in CSS pixels. */
async function current({ page }: ChatPage) {
  return await page.evaluate(() => {
    const [range] = CSS.highlights.get('found-current') ?? [];
    if (!(range instanceof Range)) return { text: '', message: undefined, top: 0 };
    const message = range.startContainer.parentElement?.closest('article')?.dataset['id'];
    const top = Math.round(range.getBoundingClientRect().top);
    return { text: range.toString(), message, top };
  });
}

async function seesCurrent(chat: ChatPage, text: string, message?: string): Promise<void> {
  await until(`${text} to be the current match in view`, async () => {
    const match = await current(chat);
    const isIt = match.text === text && (message ?? match.message) === match.message;
    return isIt && match.top > 0 && match.top < 700;
  });
}

describe('Find', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  it('goes through matches in all of the conversation, drawn or not, marks them, and says their number once', async () => {
    await chat.snapshot({ messages: conversation(60) });
    const said = await listen(chat);
    await find(chat, 'prompt 4', matchesIn(4, 40));
    await chat.page.getByText('2 of 2').waitFor();
    await chat.button('Next match').click();
    await chat.page.getByText('1 of 2').waitFor();
    await seesCurrent(chat, 'Prompt 4');
    assert.deepEqual(await said(), ['2 of 2', '1 of 2'], 'the number of matches is said once');
    await chat.page.keyboard.press('Escape');
    assert.equal(await chat.page.getByRole('search').isVisible(), false);
    const left = await chat.page.evaluate(() => ({
      focus: (document.activeElement as HTMLElement).dataset['id'],
      selection: document.getSelection()?.toString(),
    }));
    assert.deepEqual(left, { focus: 'm4', selection: 'Prompt 4' });
    await chat.page.keyboard.press('Escape');
    assert.equal(
      await chat.composer.evaluate((element) => element === document.activeElement),
      true,
    );
  });

  it('marks the whole of a formula that is matched, since its source is not seen', async () => {
    await chat.show(reply('m1', 'Let $x_1 + y$ be, and $x_2$ too.'));
    await chat.log.locator('math').last().waitFor();
    await find(chat, 'x_1 +', [{ message: 'm1', count: 1 }]);
    await chat.page.getByText('1 of 1').waitFor();
    const isMarked = await chat.page.evaluate(() => {
      const [range] = CSS.highlights.get('found-current') ?? [];
      return [...document.querySelectorAll('math')].map(
        (math) => range instanceof Range && range.intersectsNode(math.lastElementChild!),
      );
    });
    assert.deepEqual(isMarked, [true, false]);
    await chat.page.keyboard.press('Escape');
    const selected = await chat.page.evaluate(() => document.getSelection()?.toString());
    assert.equal(selected?.trim(), '$x_1 + y$');
  });

  it('gives the focus back where nothing was found, and what was typed is not lost to the key that VS Code has seen too', async () => {
    await chat.snapshot({ messages: conversation(4), draft: 'x' });
    await chat.composer.focus();
    await find(chat, 'nothing', []);
    await chat.send('openFind', {});
    await chat.page.keyboard.type('!');
    const box = chat.page.getByRole('textbox', { name: 'Find in conversation' });
    assert.equal(await box.inputValue(), 'nothing!');
    await chat.page.keyboard.press('Escape');
    await chat.page.keyboard.type('y');
    assert.equal(await chat.composer.inputValue(), 'xy');
  });

  it('leaves who searched all conversations at the words that were found', async () => {
    await chat.showEnd(conversation(300), 60);
    await chat.send('reveal', { message: 'm11', words: 'reply 11' });
    const selected = (): Promise<string | undefined> =>
      chat.page.evaluate(() => document.getSelection()?.toString());
    await until('the words to be selected', async () => (await selected()) === 'Reply 11');
    const focused = await chat.page.evaluate(
      () => (document.activeElement as HTMLElement).dataset['id'],
    );
    assert.equal(focused, 'm11');
  });

  it('reaches a match 9,000 messages back without drawing what lies between, and holds it in its place', async () => {
    await chat.showEnd(conversation(10_000), 60);
    await find(chat, 'prompt 1', matchesIn(1000));
    await seesCurrent(chat, 'Prompt 1');
    await until('the messages around it to be drawn', async () => {
      const places = await drawnPlaces(chat);
      return (
        places.includes(999) && places.includes(1019) && (await chat.all('history')).length > 0
      );
    });
    const { top } = await current(chat);
    await chat.settle();
    await chat.settle();
    assert.ok(Math.abs((await current(chat)).top - top) <= 2, 'the match moved');
    const places = await drawnPlaces(chat);
    assert.ok(places.length < 300, `${places.length} messages are drawn`);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
  });

  it('steps to and fro across parts that are not drawn, with the count right at each step', async () => {
    await chat.showEnd(conversation(4000), 60);
    const places = [10, 1200, 1202, 2600, 3990];
    await find(chat, 'prompt', matchesIn(...places));
    for (const [button, order] of [
      ['Previous match', [4, 3, 2, 1, 0, 4]],
      ['Next match', [3, 4, 0, 1, 2]],
    ] as const)
      for (const index of order) {
        await chat.page.getByText(`${index + 1} of 5`).waitFor();
        await seesCurrent(chat, 'Prompt', `m${places[index] ?? ''}`);
        await chat.button(button).click();
      }
    const drawn = await drawnPlaces(chat);
    assert.deepEqual(
      drawn,
      [...new Set(drawn)].sort((a, b) => a - b),
    );
  });

  it('draws what lies between as the reader scrolls there from either side, in order and without a hole', async () => {
    await chat.showEnd(conversation(300), 60);
    await find(chat, 'prompt 1', matchesIn(100));
    await seesCurrent(chat, 'Prompt 1');
    const scroller = chat.page.locator('.scroller');
    const everDrawn = new Set<number>();
    const scrollUntil = async (step: number, place: number): Promise<void> => {
      await until(`message ${place} to be drawn`, async () => {
        await scroller.evaluate((box, by) => box.scrollBy(0, by), step);
        const places = await drawnPlaces(chat);
        for (const each of places) everDrawn.add(each);
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
        return places.includes(place);
      });
    };
    await scrollUntil(400, 140);
    await chat.button('Jump to latest').click();
    await chat.log.locator('[data-id=m299]').waitFor();
    await scrollUntil(-400, 200);
    await scrollUntil(-400, 141);
    await scrollUntil(-400, 0);
    assert.equal(everDrawn.size, 300);
    assert.equal(await chat.page.getByText('Loading earlier messages').isVisible(), false);
  });

  it('marks a match across marks, code and line breaks as it is read', async () => {
    await chat.show(reply('m0', 'say hello **wor**`ld`\nagain'), ...conversation(3).slice(1));
    await find(chat, 'hello world again', matchesIn(0));
    await until('the match', async () => /^hello world\s+again$/.test((await current(chat)).text));
  });

  it('marks what is near in a reply that is full of matches, and reaches the last of them', async () => {
    const line = 'e e e e e e e e e e\n\n';
    await chat.show(reply('m0', line.repeat(2000)), ...conversation(3).slice(1));
    await find(chat, 'e', [{ message: 'm0', count: 20_000 }]);
    await chat.page.getByText('20,000 of 20,000').waitFor();
    await seesCurrent(chat, 'e');
    const marked = await chat.page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
    assert.ok(marked > 500 && marked <= 2000, `${marked} matches are marked`);
    await chat.button('Next match').click();
    await chat.page.getByText('1 of 20,000', { exact: true }).waitFor();
    await seesCurrent(chat, 'e');
  });

  it('marks and counts what is drawn where the host reads a message in another way, and passes over what has no match', async () => {
    const texts = ['word word', 'nothing', 'word', 'nothing'];
    await chat.show(...texts.map((text, place) => reply(`m${place}`, text)));
    const found = [5, 1, 2, 1].map((count, place) => ({ message: `m${place}`, count }));
    await find(chat, 'word', found);
    const places: (string | undefined)[] = [];
    for (const count of ['7 of 7', '2 of 3', '1 of 3', '3 of 3', '2 of 3']) {
      await chat.page.getByText(count, { exact: true }).waitFor();
      places.push((await current(chat)).message);
      await chat.button('Previous match').click();
    }
    assert.deepEqual(places, ['m2', 'm0', 'm0', 'm2', 'm0']);
  });

  it('finds words in reasoning that was folded away and never drawn', async () => {
    const thought = { kind: 'reasoning', text: 'a hidden needle', startedAt: moment } as const;
    await chat.show(
      reply('m0', [{ ...thought, endedAt: moment + 1 }]),
      ...conversation(3).slice(1),
    );
    await find(chat, 'needle', matchesIn(0));
    await seesCurrent(chat, 'needle');
  });

  it('counts as new what came since, not what was drawn of earlier messages', async () => {
    await chat.showEnd(conversation(400), 60);
    await find(chat, 'prompt 2', matchesIn(20));
    await seesCurrent(chat, 'Prompt 2');
    assert.equal((await chat.button('Jump to latest').innerText()).trim(), '');
    await chat.change({ kind: 'add', message: reply('m400', 'One.\n\nTwo.') });
    await until(
      'two new blocks',
      async () => (await chat.button('Jump to latest').innerText()).trim() === '2',
    );
  });
});
