import assert from 'node:assert/strict';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../harness/browser.ts';
import { screensFolder } from '../harness/paths.ts';
import { isSeen } from '../harness/seen.ts';
import { ChatPage, shareChatPage, type OpenOptions } from './chatPage.ts';
import { complete, popups } from './fixtures/popups.ts';
import { states } from './fixtures/states.ts';
import { prompt, reply, status } from './fixtures/views.ts';
import { always, assertPressable, unseen } from './pressable.ts';

describe('isSeen', () => {
  let page: Page;
  before(async () => {
    page = await (await sharedBrowser()).newPage({ viewport: { width: 400, height: 300 } });
  });
  after(() => page.close());

  const box = 'position:absolute;left:50px;top:50px;width:100px;height:40px;background:red';
  const shown = (style = '') => `<p id=it style="${box};${style}">x</p>`;
  const cover = (style: string) => `<p style="position:absolute;background:blue;${style}"></p>`;
  const clipping = 'position:absolute;inset:0 0 auto;height:70px;overflow:auto';
  const cases: Readonly<Record<string, readonly [html: string, expected: boolean]>> = {
    'what nothing hides': [shown(), true],
    'what has round ends': [shown('border-radius:20px'), true],
    'what something transparent lies over': [shown() + cover('inset:0;opacity:0'), true],
    'what is not there': ['', false],
    'what is in the page but not drawn': [shown('display:none'), false],
    'what is transparent': [shown('opacity:0'), false],
    'what ends outside of the window': [shown('left:350px'), false],
    'what its parent clips': [`<div style="${clipping}">${shown()}</div>`, false],
    'what something covers at one corner': [
      shown() + cover('left:140px;top:80px;width:20px;height:20px'),
      false,
    ],
  };
  for (const [what, [html, expected]] of Object.entries(cases)) {
    it(`isSeen ${expected ? 'sees' : 'does not see'} ${what}`, async () => {
      await page.setContent(html);
      assert.equal(await isSeen(page.locator('#it')), expected);
      await page.setContent('<iframe style="width:400px;height:300px;border:3px solid"></iframe>');
      const frame = page.frameLocator('iframe');
      await frame.locator('body').evaluate((body, content) => (body.innerHTML = content), html);
      assert.equal(await isSeen(frame.locator('#it')), expected);
    });
  }

  it('isSeen does not see what is covered in a frame', async () => {
    const covered = cover('left:106px;top:0;width:9px;height:200px');
    await page.setContent(`<iframe style="width:300px;height:200px"></iframe>${covered}`);
    const frame = page.frameLocator('iframe');
    const html = `${shown()}<p id=other style="${box};left:150px">x</p>`;
    await frame.locator('body').evaluate((body, content) => (body.innerHTML = content), html);
    assert.equal(await isSeen(frame.locator('#it')), false);
    assert.equal(await isSeen(frame.locator('#other')), true);
  });
});

/** Each theme and each size once, since themes change no sizes. */
const looks: readonly Required<Pick<OpenOptions, 'theme' | 'width' | 'height'>>[] = [
  { theme: 'dark', width: 420, height: 800 },
  { theme: 'light', width: 240, height: 800 },
  { theme: 'highContrast', width: 320, height: 256 },
  { theme: 'highContrastLight', width: 900, height: 420 },
];

/** All states but the one whose messages are only drawn as they are reached. */
const { long, ...withoutLong } = states;
assert.ok(long);

for (const look of looks)
  describe(`${look.width} by ${look.height} px, ${look.theme}`, () => {
    let chat: ChatPage;
    shareChatPage((page) => (chat = page), { ...look, reducedMotion: true });

    const capture = async (name: string): Promise<void> => {
      const file = `page-${name.replaceAll(' ', '-')}-${look.theme}.png`;
      await chat.page.screenshot({ path: path.join(screensFolder, file) });
    };

    for (const [name, view] of Object.entries(withoutLong))
      it(`a ${look.theme} page of ${look.width} px shows all that can be pressed: ${name}`, async () => {
        await chat.snapshot(view);
        await capture(name);
        await assertPressable(chat, view);
      });

    for (const [name, open] of Object.entries(popups))
      it(`a ${look.theme} page of ${look.width} px shows ${name}`, async () => {
        const opened = await open(chat);
        await capture(name);
        assert.deepEqual(await unseen([...opened, ...always(chat)]), []);
      });
  });

describe('a composer full of files and text', () => {
  it('a full composer takes two rows of files and two fifths of the page at most', async () => {
    await using chat = await ChatPage.open({ width: 420, height: 800 });
    await chat.snapshot(states['crowded']);
    const sizes = await chat.page.evaluate(() =>
      ['.composer .chip', '.composer .chips', '.composer textarea'].map((selector) => {
        const element = document.querySelector(selector);
        return { height: element?.clientHeight ?? 0, whole: element?.scrollHeight ?? 0 };
      }),
    );
    const [chip, chips, text] = sizes;
    assert.ok(chip && chips && text);
    assert.ok(chips.height >= 2 * chip.height && chips.height < 3 * chip.height, 'two rows');
    assert.ok(text.height <= 320, `${text.height} px of text`);
    assert.ok(chips.whole > chips.height && text.whole > text.height, 'both scroll');
  });

  it('a window of 320 by 256 px leaves room for the whole composer', async () => {
    await using chat = await ChatPage.open({ theme: 'highContrast', width: 260, height: 154 });
    for (const [name, view] of Object.entries(withoutLong)) {
      await chat.snapshot(view);
      const inside = await chat.page.evaluate(() => {
        const [box, tools] = ['.composer-box', '.composer-tools'].map((selector) =>
          document.querySelector(selector)?.getBoundingClientRect(),
        );
        return box && tools && tools.bottom <= box.bottom;
      });
      assert.deepEqual([inside, ...(await unseen(always(chat)))], [true], name);
    }
  });

  it('the arrow keys scroll the completions to the marked one', async () => {
    await using chat = await ChatPage.open({ width: 320, height: 256 });
    await chat.snapshot(states['crowded']);
    await complete(chat, 40);
    for (let press = 0; press < 3; press++) {
      await chat.page.keyboard.press('ArrowUp');
      assert.ok(await isSeen(chat.page.locator('.completion[aria-selected=true]')));
    }
  });
});

describe('a side bar of 280 px', () => {
  it('the facts of a reply have the whole line in a side bar of 280 px', async () => {
    await using chat = await ChatPage.open({ width: 280, height: 800 });
    const facts = ['intern-large', '12,482 tokens (3,100 cached)', '$0.08'];
    await chat.show(reply('i1', 'Hi', { facts }), prompt('u1', 'Go on'));
    const article = chat.log.getByRole('article').first();
    const width = (selector: string) =>
      article.locator(selector).evaluate((element) => element.getBoundingClientRect().width);
    assert.equal(await width('.facts'), await width('.reply'));
    await article.hover();
    const shown = [article.locator('time'), article.getByRole('button', { name: 'Copy' })];
    assert.deepEqual(await unseen([...shown, chat.log.getByText('Go on')]), []);
  });

  it('the composer of a side bar keeps its height when a run starts and ends', async () => {
    await using chat = await ChatPage.open({ width: 280, height: 800 });
    await chat.show(prompt('u1', 'Go on'));
    const heights = () =>
      chat.page.evaluate(() =>
        ['.composer', '.composer-tools'].map(
          (selector) => document.querySelector(selector)?.getBoundingClientRect().height,
        ),
      );
    const before = await heights();
    await chat.setStatus({ activity: 'working' });
    assert.deepEqual(await unseen([chat.button('Stop'), chat.button('Send')]), []);
    assert.deepEqual(await heights(), before);
    assert.ok((before[1] ?? 0) < 50, `${before[1]} px of tools`);
    await chat.setStatus();
    assert.equal(await chat.button('Stop').count(), 0);
    assert.deepEqual(await heights(), before);
  });

  it('a queued prompt has more room than its attachments in a side bar', async () => {
    await using chat = await ChatPage.open({ width: 240, height: 800 });
    const attachments = ['src/config/loader/file.ts:10-42'];
    const text = 'Then open a pull request';
    const queue = [{ id: 'k1', text, attachments, isReason: true } as const];
    await chat.snapshot({ status: status({ queue }) });
    const [shown, , label] = await chat.page
      .locator('.queued > span:not(.codicon)')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    assert.ok(shown! > label!, `${shown} px of the prompt, ${label} px of its files`);
    const list = chat.page.locator('.queue-list');
    assert.ok(await list.evaluate((each) => each.scrollWidth <= each.clientWidth));
  });
});
