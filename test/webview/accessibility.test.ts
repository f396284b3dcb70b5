import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { ChatPage, themeNames } from './chatPage.ts';
import type { OpenOptions } from './chatPage.ts';
import { states } from './fixtures/states.ts';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe-core finds on the page, a line a finding. */
async function findings({ page }: ChatPage): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary ?? ''}`),
  );
}

const sizes: Readonly<Record<string, OpenOptions>> = {
  wide: { width: 1100 },
  'narrow and zoomed to 200 %': { width: 640, height: 1200, zoom: 2 },
};

describe('axe-core finds nothing', () => {
  for (const theme of themeNames)
    for (const [size, options] of Object.entries(sizes))
      for (const [name, view] of Object.entries(states))
        it(`${name}, ${theme}, ${size}`, async () => {
          await using chat = await ChatPage.open({ ...options, theme, reducedMotion: true });
          await chat.snapshot(view);
          assert.deepEqual(await findings(chat), []);
        });

  it('with the find box and completions open', async () => {
    await using chat = await ChatPage.open({ reducedMotion: true });
    await chat.snapshot(states['done']);
    await chat.composer.pressSequentially('look at @lo');
    const { request } = await chat.posted('complete');
    const items = [{ id: 'f1', label: 'load.ts', detail: 'src/config' }];
    await chat.send('completions', { request, items });
    assert.deepEqual(await findings(chat), []);
    await chat.send('openFind', {});
    assert.deepEqual(await findings(chat), []);
  });
});

describe('At 320 px', () => {
  for (const [name, view] of Object.entries(states))
    it(`nothing is cut off sideways: ${name}`, async () => {
      await using chat = await ChatPage.open({ width: 320, height: 700 });
      await chat.snapshot(view);
      const overflow = await chat.page.evaluate(() => {
        const boxes = [
          ...document.querySelectorAll('main, .scroller, .foot, .composer, .composer-tools'),
        ];
        return boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className);
      });
      assert.deepEqual(overflow, []);
    });

  it('Send stays at the right, also where the panel has room for a few words only', async () => {
    for (const width of [320, 170]) {
      await using chat = await ChatPage.open({ width, height: 700 });
      await chat.snapshot(states['streaming']);
      const box = await chat.page.locator('.composer-box').boundingBox();
      const send = await chat.button('Send').boundingBox();
      assert.ok(box && send);
      const rest = box.x + box.width - (send.x + send.width);
      assert.ok(rest >= 0 && rest < 12, `${rest} px at ${width} px`);
    }
  });
});
