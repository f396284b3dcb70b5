import assert from 'node:assert/strict';
import path from 'node:path';
import { screensFolder } from '../harness/paths.ts';
import { languageBundle, languages } from '../harness/strings.ts';
import { ChatPage } from './chatPage.ts';
import { states } from './fixtures/states.ts';
import { strings } from './fixtures/strings.ts';
import { assertPressable } from './pressable.ts';

/** A page of 280 px in a language, and its words. */
async function openIn(language: string) {
  const bundle = await languageBundle(language);
  const say = (english: string) => bundle[english] ?? english;
  const translated = <T>(words: T): T =>
    JSON.parse(JSON.stringify(words), (name, word: unknown) =>
      typeof word === 'string' && name !== 'kind' ? say(word) : word,
    ) as T;
  const chat = await ChatPage.open({
    ...{ width: 280, height: 800, reducedMotion: true },
    strings: { ...translated(strings), locale: language },
  });
  return { chat, say, translated };
}

// seen.test.ts and reach.test.ts check the page in English.
for (const language of languages)
  describe(`a page of 280 px in ${language}`, () => {
    let opened: Awaited<ReturnType<typeof openIn>>;
    before(async () => (opened = await openIn(language)));
    after(() => opened.chat[Symbol.asyncDispose]());

    it(`the composer keeps its height in ${language} when a run starts`, async () => {
      const { chat } = opened;
      await chat.snapshot();
      const height = () =>
        chat.page.locator('.composer').evaluate((composer) => composer.clientHeight);
      const before = await height();
      await chat.setStatus({ activity: 'working' });
      assert.equal(await height(), before);
    });

    it(`a page of 280 px in ${language} shows everything that can be pressed`, async () => {
      const { chat, say, translated } = opened;
      for (const [name, view] of Object.entries(states)) {
        await chat.snapshot(translated(view));
        const file = `page-${name.replaceAll(' ', '-')}-${language}.png`;
        await chat.page.screenshot({ path: path.join(screensFolder, file) });
        if (name !== 'long') await assertPressable(chat, view, say);
        const boxes = chat.page.locator(
          'body, main, .scroller, .passing, .band, .composer, .composer-tools',
        );
        const wide = await boxes.evaluateAll((all) =>
          all.filter((box) => box.scrollWidth > box.clientWidth).map(({ outerHTML }) => outerHTML),
        );
        assert.deepEqual(wide, [], name);
      }
      assert.deepEqual(chat.errors, []);
    });
  });
