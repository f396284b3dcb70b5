import assert from 'node:assert/strict';
import fc from 'fast-check';
import { samples } from '../harness/testSet.ts';
import { markers, mixOf } from '../unit/webview/support/markerMixes.ts';
import { ChatPage } from './chatPage.ts';
import { longestMs } from './attacks.ts';
import { freezeOf, type Way } from './freezing.ts';

/** Characters of a reply. */
const size = 100_000;
const runs = samples(500, 30);
const mixes = samples(200, 10);
/** A fixed seed, so that a failure is caused by a change of the code. */
const seed = 1;
/** The share of replies that may take longer on a busy machine. */
const mostOver = 0.01;
/** Longest time for all replies, in milliseconds, on a busy machine. */
const allMs = 20 * 60_000;

/** Parts of Markdown, HTML, TeX and highlighted code. */
const openers = [
  ...['> ', '- ', '1. ', '# ', '\n', '\n\n', '    ', '\t', '| ', '|', '|-', '---\n', '===\n'],
  ...['```\n', '~~~\n', '```ini\n', '```java\n', '```ts\n', '```html\n', '```css\n', '```md\n'],
  ...['- [ ] ', '[a]: ', '[^a]: ', '*', '**', '_', '~~', '`', '``', '[', ']', '](', ')', '!['],
  ...['\\', '<', '>', '&amp;', '&#32;', '"', "'", '<div>', '</div>', '<details>', '<summary>'],
  ...['<table><tr><td>', '<b>', '<a href="', '<!--', '-->', '<img alt="', 'https://a.b/', 'www.a.'],
  ...['a@b.c', '?', 'a/b.ts', ' ', 'a', 'word ', '1', '(', '{', ';', '=', '.', ':'],
  ...['$', '$$', '$$\n', '\\(', '\\)', '\\[', '\\]', '\\frac{', '\\sqrt{', '^{', '_', '}'],
  ...['\\left(', '\\right)', '\\begin{matrix}', '\\end{matrix}', '&', '\\\\', '\\text{'],
];

/** A few openers, repeated: nested if they can be nested, else in a row. */
const recipe = fc.array(
  fc.record({
    unit: fc.array(fc.constantFrom(...openers), { minLength: 1, maxLength: 4 }),
    share: fc.integer({ min: 1, max: 10 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A paragraph of two markers. */
const mix = fc.record({
  one: fc.constantFrom(...markers),
  other: fc.constantFrom(...markers),
  how: fc.constantFrom('halves' as const, 'turns' as const),
  length: fc.constantFrom(10_000, 100_000, 1_000_000),
});

function replyOf(parts: readonly { unit: readonly string[]; share: number }[]): string {
  const shares = parts.reduce((sum, { share }) => sum + share, 0);
  return parts
    .map(({ unit, share }) => {
      const text = unit.join('');
      return text.repeat(Math.ceil((size * share) / shares / text.length));
    })
    .join('\n\n');
}

async function assertFewFreezes<T>(
  recipes: fc.Arbitrary<T>,
  numRuns: number,
  textOf: (recipe: T) => string,
): Promise<void> {
  await using chat = await ChatPage.open();
  await chat.show();
  const way = fc.constantFrom<Way>('at once', 'in pieces');
  let longest = 0;
  const frozen: string[] = [];
  await fc.assert(
    fc.asyncProperty(recipes, way, async (made, how) => {
      const ms = Math.round(await freezeOf(chat, textOf(made), how));
      longest = Math.max(longest, ms);
      if (ms > longestMs) frozen.push(`${ms} ms, ${how}: ${JSON.stringify(made)}`);
    }),
    { numRuns, seed, endOnFailure: true },
  );
  console.log(`      the longest task of ${numRuns} replies took ${longest} ms`);
  console.log(frozen.map((each) => `      ${each}\n`).join(''));
  assert.ok(frozen.length <= numRuns * mostOver, frozen.join('\n'));
}

describe('random replies', () => {
  it(`none of ${runs} random replies freezes the page`, async () => {
    await assertFewFreezes(recipe, runs, replyOf);
  }).timeout(allMs);

  it(`none of ${mixes} random paragraphs of two markers freezes the page`, async () => {
    await assertFewFreezes(mix, mixes, ({ one, other, how, length }) =>
      mixOf(one, other, how, length),
    );
  }).timeout(allMs);
});
