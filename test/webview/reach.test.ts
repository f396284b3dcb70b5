import '../unit/support/vscodeHook.ts';
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { sharedBrowser } from '../harness/browser.ts';
import { isSeen, seen } from '../harness/seen.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { complete } from './fixtures/popups.ts';
import { states } from './fixtures/states.ts';
import {
  band,
  conversation,
  permission,
  prompt,
  reply,
  settings,
  status,
} from './fixtures/views.ts';
import { always, unseen } from './pressable.ts';

// After the hook, which resolves `vscode`.
const { accountOf, keyInfoOf } = await import('../unit/support/fakeAccounts.ts');
const { keyInfoPage } = await import('../../src/features/keyInfo/keyInfoPage.ts');

/** The least width and height of what is pressed, in CSS pixels (WCAG 2.2, 2.5.8). */
const MIN_TARGET_PIXELS = 24;

/** Focuses elements, and returns those whose outline is cut by a box around them. Runs in the page. */
function cutOutlines(elements: readonly (HTMLElement | SVGElement)[]): readonly string[] {
  return elements
    .filter((element) => {
      element.focus();
      element.scrollIntoView({ block: 'nearest' });
      const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(element);
      const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
      const inner = element.getBoundingClientRect();
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, contentVisibility, overflowClipMargin } = getComputedStyle(box);
        const isSkippable = contentVisibility === 'auto';
        if (outlineStyle === 'none' || (overflowX === 'visible' && !isSkippable)) continue;
        const room = isSkippable ? parseFloat(overflowClipMargin) : 0;
        const outer = box.getBoundingClientRect();
        const least = Math.min(
          inner.left - outer.left,
          outer.right - inner.right,
          // A message may be higher than the page.
          ...(inner.height > outer.height
            ? []
            : [inner.top - outer.top, outer.bottom - inner.bottom]),
        );
        if (least + room < reach) return true;
      }
      return false;
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 200));
}

describe('a page of 320 by 256 px', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page), { width: 320, height: 256, reducedMotion: true });

  const isCut = (locator: Locator) =>
    locator.evaluate(
      (element) =>
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    );

  it('the tools of a focused prompt are seen, and do not cover its text', async () => {
    await chat.show(prompt('u1', 'Hello'));
    const message = chat.log.locator('[data-id=u1]');
    await message.focus();
    const tools = message.locator('.message-tools');
    await seen(tools);
    const [above, text] = [
      await tools.boundingBox(),
      await message.getByText('Hello').boundingBox(),
    ];
    assert.ok(above!.y + above!.height <= text!.y, JSON.stringify([above, text]));
  });

  it('a low page shows a short warning of self-drive, and all of it if asked', async () => {
    const text = `${band.text} ${'It goes on. '.repeat(8)}`.trim();
    const running = { activity: 'working', mode: 'self-drive', selfDriveBand: { text } } as const;
    await chat.snapshot({ status: status(running) });
    const short = chat.page.locator('.band-short');
    await seen(short);
    assert.equal(await short.textContent(), 'Self-drive: no sandbox');
    assert.equal(await isCut(short), false);
    const more = chat.page.locator('.band').getByRole('button', { name: 'Show more' });
    await more.click();
    assert.equal(await more.getAttribute('aria-expanded'), 'true');
    const whole = chat.page.locator('.band-text');
    assert.equal(await whole.textContent(), text);
    assert.equal(await isCut(whole), false);
    await whole.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    assert.ok(await whole.isVisible());
    await more.click();
    assert.deepEqual(await unseen([short, chat.button('Stop')]), []);
  });

  it('a chip with a long label keeps the whole button that removes it', async () => {
    const label = 'src/config/loader/environment.ts:10-42';
    const attachments = [{ id: 'a', label, characters: 1200 }];
    await chat.snapshot({ status: status({ attachments }) });
    const box = await chat.button(`Remove ${label}`).boundingBox();
    assert.ok(box && box.width >= MIN_TARGET_PIXELS, `${box?.width} px wide`);
  });
});

describe('the reach of the page', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  it('all that can be pressed is at least 24 px wide and high', async () => {
    const folded = { messages: [prompt('u', 'line\n'.repeat(40)), reply('i', '```\na\n```')] };
    const { long, ...others } = states;
    assert.ok(long);
    for (const view of [folded, ...Object.values(others)]) {
      await chat.snapshot(view);
      const small = await chat.page
        .locator('button:visible, select:visible, summary:visible')
        .evaluateAll(
          (all, least) =>
            all
              .filter((each) => {
                const { width, height } = each.getBoundingClientRect();
                return Math.min(width, height) < least - 0.01;
              })
              .map(({ outerHTML }) => outerHTML),
          MIN_TARGET_PIXELS,
        );
      assert.deepEqual(small, []);
    }
  });

  it('no box that scrolls or skips its content cuts the outline of the focus', async () => {
    for (const [name, view] of Object.entries(states)) {
      await chat.snapshot(view);
      await chat.rest();
      const controls = chat.page.locator(':is(button, a, summary, textarea, .message):visible');
      assert.deepEqual(await controls.evaluateAll(cutOutlines), [], name);
    }
  });

  it('nothing covers the buttons of a reply under the mouse', async () => {
    const all = conversation(24);
    for (const width of [900, 320])
      for (const facts of [[], ['12 input tokens']]) {
        await chat.page.setViewportSize({ width, height: 800 });
        await chat.show(...all.map((each) => (each.kind === 'reply' ? { ...each, facts } : each)));
        await chat.rest();
        // The second one is the last of its group.
        for (const id of ['m15', 'm19', 'm23']) {
          const message = chat.log.locator(`[data-id=${id}]`);
          await message.scrollIntoViewIfNeeded();
          await message.locator('.reply').hover();
          const covered = await message.evaluate((element) =>
            [...element.querySelectorAll('.message-foot button')].flatMap((button) => {
              const { x, y, width: across, height } = button.getBoundingClientRect();
              const hits = [2, height / 2, height - 2].map((down) =>
                document.elementFromPoint(x + across / 2, y + down),
              );
              return hits.filter((hit) => !button.contains(hit)).map((hit) => hit?.className);
            }),
          );
          assert.deepEqual(covered, [], `${id} at ${width} px with ${facts.length} facts`);
        }
      }
  });

  it('no button, chip or selection cuts text of twice the usual size', async () => {
    for (const view of [states['failed'], states['crowded']]) {
      const twice = status({ ...view?.status, settings: { ...settings, fontSize: 26 } });
      await chat.snapshot({ ...view, status: twice });
      const cut = await chat.page.locator(':is(button, select, .chip):visible').evaluateAll((all) =>
        all
          .filter((each) => each.textContent.trim() !== '')
          .filter((each) => each.clientHeight < parseFloat(getComputedStyle(each).fontSize) * 1.15)
          .map(({ outerHTML }) => outerHTML),
      );
      assert.deepEqual(cut, []);
    }
  });

  it('Enter on a prompt that cannot be sent says why', async () => {
    await chat.snapshot();
    const said = chat.page.locator('[aria-live=assertive]');
    const shown = chat.page.locator('.hint');
    for (const [text, different, reason] of [
      ['  \n ', {}, 'Type a prompt to send.'],
      ['x'.repeat(32_001), {}, 'The prompt is too long to send.'],
      ['x', { readOnly: true }, 'This conversation was deleted. It can’t be continued.'],
    ] as const) {
      await chat.setStatus(different);
      await chat.composer.fill(text);
      assert.ok(await chat.button('Send').isDisabled());
      await chat.press('Enter');
      await shown.filter({ hasText: reason }).waitFor();
      await said.filter({ hasText: reason }).first().waitFor({ state: 'attached' });
    }
    const tooLong = { hasText: 'The prompt is too long to send.' };
    await chat.page.locator('[role=status]', tooLong).waitFor({ state: 'attached' });
    await chat.setStatus();
    await chat.composer.fill('🙂'.repeat(32_000));
    assert.equal(await chat.button('Send').isDisabled(), false);
    assert.match((await shown.textContent()) ?? '', /^Enter sends/u);
    assert.deepEqual(await chat.all('send'), []);
  });

  it('the page is not widened by long words, addresses and tables at 280 px', async () => {
    await chat.page.setViewportSize({ width: 280, height: 800 });
    const word = 'Donaudampfschifffahrt'.repeat(20);
    const address = `https://example.com/${'a/long/path/'.repeat(20)}?q=${'z'.repeat(99)}`;
    const row = (cell: string): string => `|${` ${cell} |`.repeat(40)}\n`;
    const table = row('head') + row('-') + row('value');
    const text = `${word}\n\n${address}\n\n\`${'abc_'.repeat(60)}\`\n\n${table}\n- ${word}\n  - ${word}\n\n> ${word}\n\n# ${word}\n\n\`\`\`\n${'code '.repeat(99)}\n\`\`\``;
    const question = permission('q1', { title: word, detail: address });
    const failure = { title: word, detail: address, actions: [] };
    await chat.snapshot({
      messages: [
        prompt('u1', `${word} ${address}`, { attachments: [word] }),
        reply('i1', [
          { kind: 'text', text },
          { kind: 'question', question },
        ]),
        reply('i2', 'x', { state: 'failed', failure, facts: [word] }),
      ],
      status: status({
        ...{ title: word, internName: word, cost: word },
        banners: [{ tone: 'info', text: word, actions: [] }],
        queue: [{ id: 'k', text: word, attachments: [] }],
        attachments: [{ id: 'a', label: word, characters: 9 }],
      }),
    });
    await chat.rest();
    const wide = await chat.page.evaluate(() =>
      [...document.querySelectorAll('body, main, .scroller, .message, .status-area, .composer')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ className, scrollWidth }) => `${className}: ${scrollWidth}`),
    );
    assert.deepEqual(wide, []);
    const scrolls = await chat.page
      .locator('.table, pre')
      .evaluateAll((all) => all.map((each) => each.scrollWidth > each.clientWidth));
    assert.deepEqual(scrolls, [true, true]);
  });

  for (const height of [800, 340])
    it(`the narrowest side bar cuts no button at a height of ${height} px`, async () => {
      await chat.page.setViewportSize({ width: 170, height });
      for (const name of ['streaming', 'waiting', 'failed', 'crowded']) {
        const view = states[name] ?? {};
        await chat.snapshot(view);
        const boxes = chat.page.locator('body, .scroller, .passing, .banner, .band, .composer');
        const wide = await boxes.evaluateAll((all) =>
          all
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ outerHTML }) => outerHTML),
        );
        assert.deepEqual(wide, [], name);
        const stop = (view.status?.activity ?? 'idle') !== 'idle' ? [chat.button('Stop')] : [];
        assert.deepEqual(await unseen([...always(chat), ...stop]), [], name);
      }
    });

  it('a table reads in the direction of its text, and code from left to right', async () => {
    const text = (word: string): string => `| ${word} | b |\n|:-|-|\n| c | d |`;
    await chat.show(reply('i1', `${text('שלום')}\n\n${text('Hi')}\n\n\`\`\`\nשלום x\n\`\`\``));
    await chat.rest();
    const firstIsLeft = await chat.page.locator('thead').evaluateAll((heads) =>
      heads.map((head) => {
        const [first, second] = head.querySelectorAll('th');
        return first!.getBoundingClientRect().left < second!.getBoundingClientRect().left;
      }),
    );
    assert.deepEqual(firstIsLeft, [false, true]);
    const alignments = await chat.page
      .locator('th')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).textAlign.replace(/.*-/, '')));
    assert.deepEqual(alignments, ['left', 'start', 'left', 'start']);
    const code = chat.page.locator('pre code');
    assert.equal(await code.evaluate((each) => getComputedStyle(each).direction), 'ltr');
  });

  describe('forced colors', () => {
    beforeEach(() => chat.page.emulateMedia({ forcedColors: 'active' }));
    afterEach(() => chat.page.emulateMedia({ forcedColors: 'none' }));

    const look = (locator: Locator) =>
      locator.evaluate((element) => {
        const { borderColor, borderStyle, outlineStyle } = getComputedStyle(element);
        return { borderColor, borderStyle, outlineStyle };
      });

    it('forced colors keep the edges of all that can be pressed and the focus visible', async () => {
      await chat.snapshot(states['failed']);
      await chat.composer.fill('x');
      await chat.rest();
      for (const name of ['Send', 'Retry']) {
        const button = chat.button(name);
        await button.focus();
        const { borderStyle, outlineStyle } = await look(button);
        assert.deepEqual([borderStyle, outlineStyle], ['solid', 'solid'], name);
      }
      for (const part of ['.composer-box', '.failure', '.banner', '.message.user'])
        assert.equal((await look(chat.page.locator(part).first())).borderStyle, 'solid', part);
      assert.ok(await isSeen(chat.button('Send')));
    });

    it('forced colors show whether the composer has the focus', async () => {
      await chat.snapshot();
      const edge = async () => (await look(chat.page.locator('.composer-box'))).borderColor;
      await chat.composer.focus();
      const focused = await edge();
      await chat.composer.blur();
      assert.notEqual(await edge(), focused);
    });

    it('forced colors show which completion is active', async () => {
      await chat.snapshot();
      await complete(chat, 2);
      const [active, other] = await chat.page.getByRole('option').all();
      assert.ok(active && other);
      const edge = async (option: Locator) => {
        const { borderStyle, outlineStyle } = await look(option);
        return [borderStyle, outlineStyle];
      };
      assert.notDeepEqual(await edge(active), await edge(other));
    });
  });
});

describe('the page of an API key', () => {
  const { record } = accountOf('account-1');
  const info = keyInfoOf({ label: 'the key of the nightly build', limit: 100 });
  const content = { kind: 'read', info, record, costs: undefined, readAt: 0 } as const;

  it('the key page of 320 px gives values the whole width, and its actions are links', async () => {
    const page = await (await sharedBrowser()).newPage({ viewport: { width: 320, height: 800 } });
    await page.setContent(keyInfoPage('Key', content));
    const widths = await page
      .locator('dd')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    assert.ok(Math.min(...widths) > 250, `${Math.min(...widths)} px`);
    const isWide = () => document.documentElement.scrollWidth > window.innerWidth;
    assert.equal(await page.evaluate(isWide), false);
    assert.deepEqual(await page.getByRole('link').allInnerTexts(), ['Refresh', 'Copy as JSON']);
    await page.close();
  });
});
