import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { ChatPage, shareChatPage, themeNames, type OpenOptions } from './chatPage.ts';
import { complete } from './fixtures/popups.ts';
import { states } from './fixtures/states.ts';
import { permission, prompt, reply, status } from './fixtures/views.ts';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Returns the findings of axe-core. */
async function findings(chat: ChatPage, options: RunOptions = {}): Promise<string[]> {
  await chat.rest();
  const { violations } = await chat.page.evaluate(
    (given) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
  );
}

async function openWithAxe(options: OpenOptions): Promise<ChatPage> {
  const chat = await ChatPage.open({ ...options, reducedMotion: true });
  await chat.page.evaluate(axeSource);
  return chat;
}

/** Themes differ only in colors, so the other rules run in the first one only. */
const colors: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

const looks: Readonly<Record<string, { readonly open: OpenOptions; readonly run: RunOptions }>> = {
  'dark, wide': { open: { width: 1100 }, run: {} },
  'dark, narrow and zoomed to 200 %': { open: { width: 640, height: 1200, zoom: 2 }, run: {} },
  'dark, zoomed to 400 %': { open: { width: 320, height: 256 }, run: {} },
  light: { open: { theme: 'light' }, run: colors },
  highContrast: { open: { theme: 'highContrast' }, run: colors },
  highContrastLight: { open: { theme: 'highContrastLight' }, run: colors },
};

describe('accessibility rules', () => {
  for (const [look, { open, run }] of Object.entries(looks))
    describe(look, () => {
      let chat: ChatPage;
      before(async () => (chat = await openWithAxe(open)));
      after(() => chat[Symbol.asyncDispose]());

      for (const [name, view] of Object.entries(states))
        it(`axe-core finds nothing in the state ${name} (${look})`, async () => {
          await chat.snapshot(view);
          assert.deepEqual(await findings(chat, run), []);
        });
    });

  it('axe-core finds nothing while the find box or completions are open', async () => {
    await using chat = await openWithAxe({});
    await chat.snapshot(states['done']);
    await complete(chat, 2);
    assert.deepEqual(await findings(chat), []);
    await chat.send('openFind', {});
    assert.deepEqual(await findings(chat), []);
  });
});

describe('the buttons of the page', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  it('Send and its menu stay at the right of a narrow composer', async () => {
    for (const width of [320, 170]) {
      await chat.page.setViewportSize({ width, height: 700 });
      await chat.snapshot(states['streaming']);
      const box = await chat.page.locator('.composer-box').boundingBox();
      const send = await chat.button('Send').boundingBox();
      const menu = await chat.button('More ways to send').boundingBox();
      assert.ok(box && send && menu);
      assert.ok(menu.x >= send.x + send.width && Math.abs(menu.y - send.y) < 12, 'side by side');
      const rest = box.x + box.width - (menu.x + menu.width);
      assert.ok(rest >= 0 && rest < 12, `${rest} px at ${width} px`);
    }
  });

  it('the accessibility tree contains only buttons that apply', async () => {
    const code = '```ts\na\n```\n\n```diff\n-a\n+b\n```\n\nText\n\n'.repeat(100);
    const prompts = Array.from({ length: 60 }, (_, index) => prompt(`u${index}`, 'Do it.'));
    const long = prompt('long', 'line\n'.repeat(40));
    await chat.show(...prompts, long, reply('i1', code), prompt('u', 'x', { editable: true }));
    const made = chat.page.locator('.code-block');
    await until('the reply to be made', async () => (await made.count()) === 200);
    await until('the first message to be made', async () => {
      await chat.scroller.evaluate((box) => box.scrollTo(0, 0));
      return (await chat.page.locator('[data-id=u0]').count()) === 1;
    });
    // Counts hidden buttons too: one that was never drawn has no style that hides it from screen readers.
    const count = (name: string): Promise<number> =>
      chat.log.getByRole('button', { name, exact: true, includeHidden: true }).count();
    assert.equal(await count('Copy code'), 200);
    assert.equal(await count('Open in diff editor'), 100);
    assert.equal(await count('Edit and send again'), 1);
    assert.equal(await count('Show more'), 1);
    assert.equal(await count('Copy completion ID'), 0);
  });

  it('the buttons of a queued prompt name it by its first words', async () => {
    const texts = ['Tag it', 'Write\nthe notes', 'w'.repeat(100)];
    const queue = texts.map((text) => ({ id: text, text, attachments: [] }));
    await chat.snapshot({ status: status({ queue }) });
    const shown = ['Tag it', 'Write…', `${'w'.repeat(60)}…`];
    for (const words of shown)
      for (const name of ['Edit', 'Remove'])
        await seen(chat.button(`${name} queued prompt: ${words}`));
  });
});

describe('visual settings of the system', () => {
  for (const reducedMotion of [true, false])
    it(`a revealed message has no animation if ${reducedMotion ? 'the system' : 'VS Code'} reduces motion`, async () => {
      await using chat = await ChatPage.open({ reducedMotion });
      if (!reducedMotion)
        await chat.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
      await chat.show(prompt('u1', 'one'), reply('i1', 'two', { state: 'working' }));
      const look = (): Promise<{ ground: string; animations: number }> =>
        chat.page.locator('[data-id=u1]').evaluate((message) => ({
          ground: getComputedStyle(message).backgroundColor,
          animations: document.getAnimations().length,
        }));
      const before = await look();
      assert.equal(before.animations, 0);
      await chat.send('reveal', { message: 'u1' });
      const marked = await look();
      assert.notEqual(marked.ground, before.ground);
      assert.equal(marked.animations, 0);
      await chat.page.locator('.revealed').waitFor({ state: 'detached' });
      assert.deepEqual(await look(), before);
    });

  for (const theme of themeNames)
    it(`a pressed toggle looks different in the theme ${theme}`, async () => {
      await using chat = await ChatPage.open({ theme });
      await chat.snapshot();
      await chat.send('openFind', {});
      const toggle = chat.button('Match case');
      const edge = (): Promise<string> =>
        toggle.evaluate((element) => getComputedStyle(element).borderColor);
      const before = await edge();
      await toggle.click();
      assert.notEqual(await edge(), before);
    });
});

describe('text from right to left', () => {
  const hebrew = 'שלום עולם';

  it('each block but code follows the direction of its text', async () => {
    await using chat = await ChatPage.open();
    const markdown = `${hebrew}\n\nEnglish\n\n# ${hebrew}\n\n- ${hebrew}\n- English\n\n> ${hebrew}\n\n| ${hebrew} | b |\n|-|-|\n| c | ${hebrew} |\n\n<div>${hebrew}</div>\n\n\`\`\`\n${hebrew}\n\`\`\``;
    const asked = permission('q1', { title: hebrew, detail: hebrew });
    const failure = { title: hebrew, detail: hebrew, actions: [] };
    await chat.snapshot({
      draft: hebrew,
      messages: [
        prompt('u1', hebrew, { attachments: [hebrew] }),
        reply('i1', [
          { kind: 'text', text: markdown },
          { kind: 'question', question: asked },
        ]),
        reply('i2', 'x', { state: 'failed', failure }),
        { kind: 'notice', id: 'n1', at: 0, text: hebrew },
      ],
      status: status({
        banners: [{ tone: 'info', text: hebrew, actions: [] }],
        queue: [{ id: 'k1', text: hebrew, attachments: [hebrew] }],
        attachments: [{ id: 'a', label: hebrew, characters: 1 }],
      }),
    });
    const read = (words: string) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const element = node.parentElement;
        if (!element || !['English', words].includes((node as Text).data.trim())) continue;
        found.push(
          `${element.closest('code') ? 'code' : node.nodeValue} ${getComputedStyle(element).direction}`,
        );
      }
      return found;
    };
    let directions: readonly string[] = [];
    await until('all texts to be drawn', async () => {
      directions = await chat.page.evaluate(read, hebrew);
      return directions.length >= 21;
    });
    const wrong = directions.filter(
      (each) => each !== `${hebrew} rtl` && each !== 'English ltr' && each !== 'code ltr',
    );
    assert.deepEqual(wrong, []);
    assert.equal(directions.filter((each) => each === `${hebrew} rtl`).length, 18);
    assert.equal(
      await chat.composer.evaluate((element) => getComputedStyle(element).direction),
      'rtl',
    );
  });
});
