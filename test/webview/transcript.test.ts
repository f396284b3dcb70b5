import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { ChatPage, shareChatPage, topOf } from './chatPage.ts';
import { typicalReply } from './fixtures/gfmExamples.ts';
import {
  action,
  conversation as shortConversation,
  moment,
  permission,
  prompt,
  reply,
  settings,
} from './fixtures/views.ts';
import type { BannerView, QuestionView } from '../../src/protocol/view.ts';

const conversation = (count: number, from = 0) => shortConversation(count, from, typicalReply);
const againSoon = (): BannerView => {
  return { tone: 'info', text: 'Again in {time}.', until: Date.now() + 65_000, actions: [] };
};

describe('the transcript', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  const ask = async (different: Partial<QuestionView>, on = chat): Promise<QuestionView> => {
    const question = permission('q1', different);
    await on.show(reply('i1', [{ kind: 'question', question }], { state: 'waiting' }));
    return question;
  };
  const replaceQuestion = (question: QuestionView) =>
    chat.change({ kind: 'part', id: 'i1', index: 0, part: { kind: 'question', question } });
  const toStart = () => chat.scroller.evaluate((box) => (box.scrollTop = 0));
  const isAtEnd = () => until('the end', async () => (await chat.distanceToEnd()) < 2);
  const message = (id: string) => chat.log.locator(`[data-id=${id}]`);

  it('a tooltip shows the details of a reply over its facts', async () => {
    const details = ['17 tokens in total', 'Completion ID: chatcmpl-1'];
    const counted = { facts: ['12 input tokens'], details, completion: 'chatcmpl-1' };
    await chat.show(reply('i1', 'Hi', counted), reply('i2', 'Hm', { facts: ['a-model'] }));
    const [known, unknown] = [message('i1'), message('i2')];
    assert.equal(await known.locator('.facts').getAttribute('title'), details.join('\n'));
    await known.hover();
    await known.getByRole('button', { name: 'Copy completion ID' }).click();
    assert.deepEqual(await chat.posted('copy'), { text: 'chatcmpl-1' });
    assert.equal(await unknown.getByRole('button', { name: 'Copy completion ID' }).count(), 0);
  });

  it('a message shows its time and its tools on hover and focus', async () => {
    await chat.show(prompt('u1', 'Hello'), reply('i1', 'Hi', { facts: ['Took 2s'] }));
    for (const [id, author, faded] of [
      ['u1', 'You', '.message-tools'],
      ['i1', 'ada', 'time'],
    ] as const) {
      const article = message(id);
      const time = article.locator('time');
      await until('the time', async () => /\d/.test(await time.innerText()));
      const opacity = () =>
        article.locator(faded).evaluate((each) => getComputedStyle(each).opacity);
      assert.equal(await opacity(), '0');
      await article.focus();
      assert.equal(await opacity(), '1');
      await article.blur();
      await article.hover();
      assert.equal(await opacity(), '1');
      const moment = await time.getAttribute('title');
      assert.equal(await article.getAttribute('aria-label'), `${author}, ${moment}`);
      await article.getByRole('button', { name: 'Continue in New Conversation…' }).click();
      assert.deepEqual(await chat.posted('act'), { action: 'continueInNew', target: id });
      await article.getByRole('button', { name: 'Copy link to message' }).click();
      assert.deepEqual(await chat.posted('copyLink'), { id });
      await chat.page.mouse.move(0, 0);
      await article.getByRole('button', { name: 'Copy link to message' }).blur();
      const menu = JSON.parse((await article.getAttribute('data-vscode-context'))!) as object;
      assert.deepEqual(menu, { webviewSection: 'internsMessage', message: id });
    }
    await message('u1').focus();
    assert.equal((await chat.posted('presence')).message, 'u1');
    await chat.composer.focus();
    assert.equal((await chat.posted('presence')).message, null);
  });

  it('the transcript inserts a date divider between messages of different days', async () => {
    const day = 86_400_000;
    const messages = conversation(60).map((each, index) => ({
      ...each,
      at: moment + Math.floor(index / 20) * day,
    }));
    await chat.snapshot({ messages: messages.slice(10), earlier: 10 });
    await until('the first of them', async () => {
      await toStart();
      if ((await chat.all('history')).length > 0)
        await chat.send('history', { from: 0, messages: messages.slice(0, 10) });
      return (await message('m0').count()) === 1;
    });
    for (const [id, later] of [
      ['m20', 1],
      ['m40', 2],
    ] as const) {
      const label = await chat.page.evaluate(
        (time) => new Date(time).toLocaleDateString('en', { dateStyle: 'full' }),
        moment + later * day,
      );
      // Distant messages are released, and drawn again with their dividers.
      await chat.send('reveal', { message: id });
      await chat.log
        .locator(`.day[role=separator]:has(+ [data-id=${id}])`, { hasText: label })
        .waitFor();
    }
    assert.equal(
      await chat.log.locator('.day:not(:has(+ :is([data-id=m20], [data-id=m40])))').count(),
      0,
    );
  });

  it('the page applies the font size of the settings at once', async () => {
    await chat.show(reply('i1', 'Words\n\n```\ncode\n```'));
    const sizes = () =>
      chat.log.locator('.markdown :is(p, code)').evaluateAll((all) =>
        all.map((each) => {
          const { fontSize, fontFeatureSettings } = getComputedStyle(each);
          return [fontSize, fontFeatureSettings];
        }),
      );
    const before = await sizes();
    const codeFeatures = '"calt" 0, "liga" 0';
    await chat.setStatus({ settings: { ...settings, fontSize: 21, codeFeatures } });
    await until('the size', async () => (await sizes())[0]?.[0] === '21px');
    assert.deepEqual((await sizes())[1], [before[1]?.[0], codeFeatures]);
    await chat.setStatus();
    await until('the size before', async () => (await sizes())[0]?.[0] === before[0]?.[0]);
  });

  for (const [intent, act] of Object.entries({
    'the wheel': async (page) => {
      await page.mouse.move(400, 300);
      await page.mouse.wheel(0, -300);
    },
    'a key': async (page) => {
      await page.locator('.scroller').focus();
      for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowUp');
    },
    'a selection': async (page) => {
      await page.locator('.feed p').last().selectText();
    },
  } satisfies Record<string, (page: ChatPage['page']) => Promise<void>>))
    it(`the transcript stops following a reply at ${intent}`, async () => {
      await chat.show(...conversation(9), reply('i1', 'Start', { state: 'working' }));
      await isAtEnd();
      await act(chat.page);
      const jump = chat.button('Jump to latest');
      await seen(jump);
      const before = await topOf(message('i1'));
      await chat.append('i1', '\n\none\n\ntwo\n\nthree\n\n');
      await until('the count', async () => (await jump.innerText()).trim() === '3');
      const now = await topOf(message('i1'));
      assert.ok(Math.abs(now - before) < 400, `moved from ${before} to ${now}`);
      await jump.click();
      await isAtEnd();
      assert.equal(await jump.isVisible(), false);
    });

  it('Jump to latest works while a key still scrolls', async () => {
    await chat.show(...conversation(9));
    await isAtEnd();
    await chat.scroller.press('ArrowUp');
    const jump = chat.button('Jump to latest');
    await jump.focus();
    // In one task, so that no scroll event comes before the click.
    await jump.evaluate((button: HTMLElement) => {
      const box = document.querySelector('.scroller')!;
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp' }));
      box.scrollTop -= 60;
      button.click();
    });
    await isAtEnd();
    assert.equal(await jump.isVisible(), false);
  });

  it('the transcript keeps a selection and the focus inside a block that grows', async () => {
    const text = 'The **first** words, see [this](https://example.test) and';
    await chat.show(reply('i1', text, { state: 'working' }));
    await chat.log.getByRole('link').focus();
    await chat.log.getByText('first', { exact: true }).selectText();
    for (const more of [' and `more', ' code`', ' of\nthem **that**', '\n\n- next'])
      await chat.append('i1', more);
    assert.equal(await chat.page.evaluate(() => document.getSelection()?.toString()), 'first');
    assert.equal(await chat.page.evaluate(() => document.activeElement?.textContent), 'this');
  });

  it('a selection of messages copies no times, labels or buttons', async () => {
    const question = permission('q1', { stateMessage: 'Waiting' });
    const card = { kind: 'question', question } as const;
    const text = { kind: 'text', text: 'So:\n\n```ts\nlet a = 1;\n```' } as const;
    await chat.show(prompt('u1', 'Do it'), reply('i1', [text, card]), prompt('u2', 'And now?'));
    await chat.rest();
    await chat.log.evaluate((log) => document.getSelection()?.selectAllChildren(log));
    const selected = await chat.page.evaluate(() => document.getSelection()?.toString() ?? '');
    for (const words of ['Do it', 'So:', 'let a = 1;', question.title, 'And now?'])
      assert.ok(selected.includes(words), words);
    assert.doesNotMatch(selected, /ts\n|\d:\d\d [AP]M|Answer/);
  });

  it('the transcript draws earlier messages as the reader reaches them', async () => {
    // Messages may be drawn and released again between two looks at the page.
    const everDrawn = await chat.page.evaluateHandle(() => {
      const ids = new Set<string>();
      const look = (): void => {
        for (const each of document.querySelectorAll('article')) ids.add(each.dataset['id'] ?? '');
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true });
      return ids;
    });
    await chat.snapshot({ messages: conversation(60, 100), earlier: 100 });
    const articles = chat.log.getByRole('article');
    await until('the messages near it', async () => (await articles.count()) >= 4 + 20);
    await chat.rest();
    assert.equal(await articles.count(), 4 + 20, 'draws more than is near the viewport');
    await until('the history to be asked for', async () => {
      await toStart();
      return (await chat.all('history')).length > 0;
    });
    assert.deepEqual(await chat.all('history'), [{ from: 0, count: 100 }]);
    await chat.send('history', { from: 0, messages: conversation(100) });
    await until('the first message', async () => {
      await toStart();
      return await chat.log.getByText('Prompt 0', { exact: true }).isVisible();
    });
    const drawn = await articles.evaluateAll((all) =>
      all.map((each) => Number(each.dataset['id']?.slice(1))),
    );
    assert.ok(drawn.every((index, at) => at === 0 || index > (drawn[at - 1] ?? -1)));
    assert.equal(await everDrawn.evaluate(({ size }) => size), 160);
  });

  it('a question shows its time left and opens its dialog', async () => {
    const question = await ask({ deadline: Date.now() + 100_000 });
    await chat.log.getByText(/Time left: 1:\d\d/).waitFor();
    await chat.button('Answer').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'answer', target: 'q1' }]);
    await replaceQuestion({
      ...question,
      pending: false,
      stateMessage: 'Allowed once',
      actions: [],
    });
    await chat.log.getByText('Allowed once').waitFor();
    await chat.log.getByRole('group', { name: /Allowed once/ }).waitFor();
    assert.equal(await chat.button('Answer').count(), 0);
    assert.equal(await chat.focusedId(), 'i1');
  });

  /** Shows the end of a long reply with a question. Returns the changes that answer it, and that continue the reply. */
  const askAtEnd = async () => {
    const question = permission('q1');
    const before = { kind: 'text', text: 'Some words.\n\n'.repeat(80) } as const;
    const parts = [before, { kind: 'question', question }] as const;
    await chat.show(reply('i1', parts, { state: 'waiting' }));
    await isAtEnd();
    await chat.button('Answer').click();
    const answered = { ...question, pending: false, stateMessage: 'Allowed once', actions: [] };
    const after = { kind: 'text', text: 'More words.\n\n'.repeat(80) } as const;
    return [
      { kind: 'part', id: 'i1', index: 1, part: { kind: 'question', question: answered } },
      { kind: 'part', id: 'i1', index: 2, part: after },
    ] as const;
  };

  it('the transcript follows the reply when a dialog returns the focus to Answer', async () => {
    const [answer, more] = await askAtEnd();
    await chat.button('Answer').blur();
    // With a key as the last input, the browser shows a ring where the focus returns.
    await chat.page.keyboard.press('Enter');
    await chat.page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
    await chat.change(answer);
    assert.equal(await chat.focusedId(), 'i1');
    await chat.change(more);
    await chat.log.getByText('More words.').last().waitFor();
    await isAtEnd();
  });

  it('the transcript follows the reply when it grows as a focused question shrinks', async () => {
    await chat.change(...(await askAtEnd()));
    await chat.log.getByText('More words.').last().waitFor();
    await isAtEnd();
  });

  it('the transcript draws the text after a question', async () => {
    const parts = [
      { kind: 'question', question: permission('q1') },
      { kind: 'text', text: 'I wait' },
    ] as const;
    await chat.show(reply('i1', parts, { state: 'waiting' }));
    await seen(chat.log.getByText('I wait'));
    await chat.rest();
    await chat.change({ kind: 'append', id: 'i1', part: 1, text: ' no longer.' });
    await seen(chat.log.getByText('I wait no longer.'));
  });

  it('a prompt that was sent in manual mode loses its self-drive mark', async () => {
    await chat.show(prompt('u1', 'Hello', { mode: 'self-drive' }));
    await seen(chat.log.getByText('Sent in self-drive'));
    await chat.change({ kind: 'replace', message: prompt('u1', 'Hello') });
    assert.equal(await chat.log.getByText('Sent in self-drive').count(), 0);
  });

  for (const aheadMs of [-3_600_000, 3_600_000])
    it(`a countdown uses the host's clock if the page is ${aheadMs < 0 ? 'behind' : 'ahead'}`, async () => {
      await using skewed = await ChatPage.open({ aheadMs });
      await ask({ deadline: Date.now() + 100_000 }, skewed);
      await skewed.setStatus({ banners: [againSoon()] });
      await skewed.log.getByText(/Time left: 1:[34]\d/).waitFor();
      await skewed.page.getByText(/Again in (1:0\d|0:5\d)\./).waitFor();
    });

  it("a countdown corrects its time by the host's clock after a sleep", async () => {
    await ask({ deadline: Date.now() + 100_000 });
    await chat.log.getByText(/Time left: 1:\d\d/).waitFor();
    await chat.page.evaluate(() => Object.assign(window, { silent: true }));
    await chat.send('pong', { at: 0, now: Date.now() + 95_000 });
    await chat.log.getByText(/Time left: 0:0\d/).waitFor();
  });

  it("a countdown shows at most the full time if the host's clock was set back", async () => {
    await ask({ deadline: Date.now() + 3_600_000 });
    await chat.log.getByText('Time left: 5:00').waitFor();
  });

  it('the transcript shows a failure with its actions', async () => {
    const failure = { title: 'Lost', detail: 'Why', actions: [action('retry', 'Retry')] };
    await chat.show(reply('i1', 'Half', { state: 'failed', failure }));
    await chat.button('Retry').click();
    assert.deepEqual(await chat.all('act'), [{ action: 'retry', target: 'i1' }]);
  });

  it('a double click on Retry sends the prompt once, and a later click sends it again', async () => {
    const failure = { title: 'Lost', detail: 'Why', actions: [action('retry', 'Retry')] };
    await chat.show(reply('i1', 'Half', { state: 'failed', failure }));
    await chat.button('Retry').dblclick();
    assert.equal((await chat.all('act')).length, 1);
    await chat.button('Retry').press('Enter');
    assert.equal((await chat.all('act')).length, 2);
  });

  it('the failure of a run leaves the page once the user has stopped that run', async () => {
    const failure = { title: 'Lost', detail: 'Why', actions: [action('retry', 'Retry')] };
    await chat.show(reply('i1', 'Half', { state: 'failed', failure }));
    await chat.log.getByText('Lost').waitFor();
    const { parts: _, ...message } = reply('i1', '', { state: 'stopped' });
    await chat.change({ kind: 'header', message });
    await chat.log.getByText('Stopped').waitFor();
    assert.equal(await chat.log.getByText('Lost').count(), 0);
  });

  it('the transcript draws text that a server sends after the end of the reply', async () => {
    await chat.show(reply('i1', 'Half', { state: 'working' }));
    const { parts: _, ...message } = reply('i1', '');
    await chat.change({ kind: 'header', message });
    await chat.rest();
    await chat.append('i1', ' of it\n\n- and a list');
    await chat.log.getByText('of it').waitFor({ timeout: 5000 });
    await chat.log.getByRole('listitem').getByText('and a list').waitFor({ timeout: 5000 });
  });

  it('folded reasoning shows how long it took', async () => {
    const times = { startedAt: moment, endedAt: moment + 125_000 };
    const thought = { kind: 'reasoning', text: 'Hidden **thoughts**', ...times } as const;
    await chat.show(reply('i1', [thought, { kind: 'text', text: 'Answer' }]));
    const summary = chat.log.getByText('Thought for 2m 5s');
    assert.equal(await chat.log.getByText('thoughts').isVisible(), false);
    await summary.click();
    await chat.log.getByText('thoughts').waitFor();
  });

  it('opened reasoning stays open when the host sends another snapshot', async () => {
    const thought = (text: string) =>
      ({ kind: 'reasoning', text, startedAt: moment, endedAt: moment + 5000 }) as const;
    const message = reply('i1', [thought('First idea'), thought('Second idea')]);
    await chat.show(message);
    await chat.log.locator('summary').last().click();
    await chat.log.getByText('Second idea').waitFor();
    await chat.show(message);
    await chat.log.getByText('Second idea').waitFor({ timeout: 5000 });
    assert.equal(await chat.log.getByText('First idea').isVisible(), false);
    await chat.log.locator('summary').last().click();
    await chat.show(message);
    await chat.rest();
    assert.equal(await chat.log.getByText('Second idea').isVisible(), false);
  });

  it('the page requests a snapshot if changes are missing', async () => {
    await chat.show(reply('i1', 'One', { state: 'working' }));
    await chat.append('i1', ' two');
    await chat.log.getByText('One two').waitFor();
    await chat.forget();
    const change = { kind: 'append', id: 'i1', part: 0, text: ' five' } as const;
    await chat.send('changes', { seq: 99, changes: [change] });
    assert.deepEqual(await chat.all('ready'), [{ lastSeq: 2 }]);
  });
});
