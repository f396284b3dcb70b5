import assert from 'node:assert/strict';
import type { FoundMessage } from '../../src/protocol/messages.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { conversation, moment, prompt, reply } from './fixtures/views.ts';

function matchesIn(...indexes: readonly number[]): FoundMessage[] {
  return indexes.map((index) => ({ message: `m${index}`, count: 1 }));
}

/** Searches for words, and responds with `found`. */
async function find(chat: ChatPage, query: string, found: readonly FoundMessage[]): Promise<void> {
  await chat.page.keyboard.press('Control+f');
  await chat.page.getByRole('textbox', { name: 'Find in conversation' }).fill(query);
  assert.deepEqual(await chat.posted('find'), { query, matchCase: false });
  await chat.send('found', { query, found });
}

/** Returns the indexes of the drawn messages, which must be in order. */
async function drawnIndexes({ log }: ChatPage): Promise<number[]> {
  const drawn = await log
    .getByRole('article')
    .evaluateAll((all) => all.map((each) => Number(each.dataset['id']?.slice(1))));
  const sorted = [...new Set(drawn)].sort((a, b) => a - b);
  assert.deepEqual(drawn, sorted);
  return drawn;
}

/** Returns the current match, its message, and its top in CSS pixels. */
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

  const selected = () => chat.page.evaluate(() => document.getSelection()?.toString());

  it('find steps through the matches in the whole conversation', async () => {
    await chat.snapshot({ messages: conversation(60) });
    const said = await chat.listen();
    await find(chat, 'prompt 4', matchesIn(4, 40));
    await chat.page.getByText('2 of 2', { exact: true }).waitFor();
    await chat.button('Next match').click();
    await chat.page.getByText('1 of 2', { exact: true }).waitFor();
    await seesCurrent(chat, 'Prompt 4');
    const matches = async () => (await said()).filter((text) => /^\d of/u.test(text));
    await until('the matches to be announced', async () => (await matches()).length > 1);
    assert.deepEqual(await matches(), ['2 of 2: Prompt 40', '1 of 2: Prompt 4']);
    await chat.page.keyboard.press('Escape');
    assert.equal(await chat.page.getByRole('search').isVisible(), false);
    assert.equal(await chat.focusedId(), 'm4');
    assert.equal(await selected(), 'Prompt 4');
    await chat.page.keyboard.press('Escape');
    assert.ok(await chat.composerHasFocus());
  });

  it('find shows the matches of a query that is longer than the host accepts', async () => {
    const words = 'word '.repeat(250).trim();
    await chat.show(reply('m1', words));
    await chat.page.keyboard.press('Control+f');
    await chat.page.getByRole('textbox', { name: 'Find in conversation' }).fill(words);
    const { query } = await chat.posted('find');
    await chat.send('found', { query, found: matchesIn(1) });
    await chat.page.getByText('1 of 1', { exact: true }).waitFor();
  });

  it('find marks the whole formula for a match in its source', async () => {
    await chat.show(reply('m1', 'Let $x_1 + y$ be, and $x_2$ too.'));
    await chat.log.locator('math').last().waitFor();
    await find(chat, 'x_1 +', [{ message: 'm1', count: 1 }]);
    await chat.page.getByText('1 of 1', { exact: true }).waitFor();
    const isMarked = await chat.page.evaluate(() => {
      const [range] = CSS.highlights.get('found-current') ?? [];
      return [...document.querySelectorAll('math')].map(
        (math) => range instanceof Range && range.intersectsNode(math.lastElementChild!),
      );
    });
    assert.deepEqual(isMarked, [true, false]);
    await chat.page.keyboard.press('Escape');
    assert.equal((await selected())?.trim(), '$x_1 + y$');
  });

  it('on a Mac, ⌘F opens find and Ctrl+F only moves the caret', async () => {
    await chat.snapshot();
    await chat.page.evaluate(() =>
      Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }),
    );
    const box = chat.page.getByRole('search');
    await chat.press('Control+f', 'Control+Meta+f');
    assert.equal(await box.isVisible(), false);
    await chat.press('Meta+f');
    assert.equal(await box.isVisible(), true);
  });

  it('find keeps the query when VS Code opens it again', async () => {
    await chat.snapshot({ messages: conversation(4), draft: 'x' });
    await chat.composer.focus();
    await find(chat, 'nothing', []);
    await chat.send('openFind', {});
    await chat.page.keyboard.type('!');
    const box = chat.page.getByRole('textbox', { name: 'Find in conversation' });
    assert.equal(await box.inputValue(), 'nothing!');
    await chat.page.keyboard.press('Escape');
    await chat.page.keyboard.type('y');
    assert.equal(await chat.value(), 'xy');
  });

  it('a search in all conversations selects its words in the page', async () => {
    await chat.showEnd(conversation(300), 60);
    await chat.send('reveal', { message: 'm11', query: 'reply 11' });
    await until('the words to be selected', async () => (await selected()) === 'Reply 11');
    assert.equal(await chat.focusedId(), 'm11');
  });

  it('find reaches a match 9,000 messages back without drawing those between', async () => {
    await chat.showEnd(conversation(10_000), 60);
    await find(chat, 'prompt 1', matchesIn(1000));
    await seesCurrent(chat, 'Prompt 1');
    await until('the messages around it to be drawn', async () => {
      const drawn = await drawnIndexes(chat);
      return drawn.includes(999) && drawn.includes(1019) && (await chat.all('history')).length > 0;
    });
    const { top } = await current(chat);
    await chat.settle();
    await chat.settle();
    assert.ok(Math.abs((await current(chat)).top - top) <= 2, 'the match moved');
    const { length } = await drawnIndexes(chat);
    assert.ok(length < 300, `${length} messages are drawn`);
  });

  it('find steps across messages that are not drawn with the right count', async () => {
    await chat.showEnd(conversation(4000), 60);
    const indexes = [10, 1200, 1202, 2600, 3990];
    await find(chat, 'prompt', matchesIn(...indexes));
    for (const [button, order] of [
      ['Previous match', [4, 3, 2, 1, 0, 4]],
      ['Next match', [3, 4, 0, 1, 2]],
    ] as const)
      for (const index of order) {
        await chat.page.getByText(`${index + 1} of 5`, { exact: true }).waitFor();
        await seesCurrent(chat, 'Prompt', `m${indexes[index] ?? ''}`);
        await chat.button(button).click();
      }
    await drawnIndexes(chat);
  });

  it('the page draws the messages between a match and the end as the reader scrolls', async () => {
    await chat.showEnd(conversation(300), 60);
    await find(chat, 'prompt 1', matchesIn(100));
    await seesCurrent(chat, 'Prompt 1');
    const everDrawn = new Set<number>();
    const scrollUntil = async (step: number, index: number): Promise<void> => {
      await until(`message ${index} to be drawn`, async () => {
        await chat.scroller.evaluate((box, by) => box.scrollBy(0, by), step);
        const drawn = await drawnIndexes(chat);
        for (const each of drawn) everDrawn.add(each);
        return drawn.includes(index);
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

  it('find marks a match across markup, code and line breaks', async () => {
    await chat.show(reply('m0', 'say hello **wor**`ld`\nagain'), ...conversation(3).slice(1));
    await find(chat, 'hello world again', matchesIn(0));
    await until('the match', async () => /^hello world\s+again$/.test((await current(chat)).text));
  });

  it('find scrolls a long line of code to a match, and back', async () => {
    const words = 'word '.repeat(60);
    await chat.show(reply('m1', `\`\`\`\nedge ${words}edge\n\`\`\`\n`));
    const isInBlock = () =>
      chat.page.evaluate(() => {
        const [range] = CSS.highlights.get('found-current') ?? [];
        const { left, right } = document.querySelector('pre')!.getBoundingClientRect();
        const match = range instanceof Range ? range.getBoundingClientRect() : undefined;
        return match !== undefined && match.left > left && match.right < right;
      });
    await find(chat, 'edge', matchesIn(1));
    await chat.page.getByText('2 of 2', { exact: true }).waitFor();
    assert.ok(await isInBlock());
    await chat.button('Next match').click();
    await chat.page.getByText('1 of 2', { exact: true }).waitFor();
    assert.ok(await isInBlock());
    assert.equal(await chat.page.locator('pre').evaluate(({ scrollLeft }) => scrollLeft), 0);
  });

  it('find marks only nearby matches in a reply with thousands', async () => {
    const line = 'e e e e e e e e e e\n\n';
    await chat.show(reply('m0', line.repeat(2000)), ...conversation(3).slice(1));
    await find(chat, 'e', [{ message: 'm0', count: 20_000 }]);
    await chat.page.getByText('20,000 of 20,000', { exact: true }).waitFor();
    await seesCurrent(chat, 'e');
    const marked = await chat.page.evaluate(() => CSS.highlights.get('found')?.size ?? 0);
    assert.ok(marked > 500 && marked <= 2000, `${marked} matches are marked`);
    await chat.button('Next match').click();
    await chat.page.getByText('1 of 20,000', { exact: true }).waitFor();
    await seesCurrent(chat, 'e');
  });

  it('find counts the drawn matches if the host counts others', async () => {
    const texts = ['word word', 'nothing', 'word', 'nothing'];
    await chat.show(...texts.map((text, index) => reply(`m${index}`, text)));
    const found = [5, 1, 2, 1].map((count, index) => ({ message: `m${index}`, count }));
    await find(chat, 'word', found);
    const shown: (string | undefined)[] = [];
    for (const count of ['7 of 7', '2 of 3', '1 of 3', '3 of 3', '2 of 3']) {
      await chat.page.getByText(count, { exact: true }).waitFor();
      shown.push((await current(chat)).message);
      await chat.button('Previous match').click();
    }
    assert.deepEqual(shown, ['m2', 'm0', 'm0', 'm2', 'm0']);
  });

  it('find reaches words in folded reasoning that was never drawn', async () => {
    const thought = {
      kind: 'reasoning',
      text: 'a hidden needle',
      startedAt: moment,
      endedAt: null,
    } as const;
    await chat.show(
      reply('m0', [{ ...thought, endedAt: moment + 1 }]),
      ...conversation(3).slice(1),
    );
    await find(chat, 'needle', matchesIn(0));
    await seesCurrent(chat, 'needle');
  });

  it('a long prompt stays unfolded after find showed it, until the user folds it', async () => {
    const long = prompt('m0', `${'Line\n'.repeat(40)}needle`, { editable: true });
    await chat.show(long, ...conversation(3).slice(1));
    await find(chat, 'needle', matchesIn(0));
    await seesCurrent(chat, 'needle');
    await chat.change({ kind: 'replace', message: { ...long, editable: false } });
    const less = chat.log.getByRole('button', { name: 'Show less', expanded: true });
    await less.click();
    await chat.log.getByRole('button', { name: 'Show more', expanded: false }).waitFor();
  });

  it('the jump button counts only blocks of new messages as new', async () => {
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
