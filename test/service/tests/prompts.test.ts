import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Step, Turn } from '../core/script.ts';
import { PROMPTS, scriptedBrain } from '../scripts/prompts.ts';
import { HOSTILE_SAMPLE, MARKDOWN_SAMPLE, REASONING_SAMPLE } from '../scripts/samples.ts';
import { tokens } from '../scripts/text.ts';
import { PLAYING_KEYS } from '../service.ts';
import { ask, bench } from './support.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function steps(prompt: string, turn: Partial<Turn> = {}): Step[] {
  const script = scriptedBrain({
    prompt,
    mode: 'manual',
    internName: 'ada',
    earlier: [],
    canUseSecret: () => false,
    ...turn,
  });
  const taken: Step[] = [];
  for (let next = script.next(); next.done !== true; next = script.next()) taken.push(next.value);
  return taken;
}

function said(prompt: string, turn?: Partial<Turn>): string {
  return steps(prompt, turn)
    .map((step) => (step.do === 'say' ? step.text : ''))
    .join('');
}

describe('service prompts', () => {
  it('are all in the README, and so are the keys', () => {
    for (const { usage, does } of PROMPTS)
      assert.ok(README.includes(`| \`${usage}\` | ${does} |`), usage);
    for (const { key, plays } of PLAYING_KEYS) {
      assert.ok(README.includes(`| \`${key}\` | ${plays} |`), key);
    }
  });

  it('are all in the answer to help, as a table', () => {
    for (const { usage } of PROMPTS) assert.ok(said('help').includes(`\n| \`${usage}\` | `), usage);
  });

  for (const { usage } of PROMPTS) {
    it(`play "${usage}" as its own row, in any case, whatever follows on later lines`, () => {
      const prompt = usage.replace('REASON', 'timeout').replace(/\b(N|STATUS)\b/g, '3');
      assert.notEqual(said(prompt), said('something else'));
      assert.equal(steps(`${prompt}\n\n\`\`\`ts\ncode\n\`\`\``)[0]?.do, steps(prompt)[0]?.do);
      if (!/[A-Z]/.test(usage)) assert.deepEqual(steps(usage.toUpperCase()), steps(usage));
    });
  }

  it('answer anything else with a friendly echo', () => {
    assert.match(said('What is *this*?'), /> What is \*this\*\?/);
    assert.match(said(''), /Try `help`/);
    assert.match(said('again', { earlier: ['one'] }), /number 2 prompt/);
  });

  it('echo a text to the letter', () => {
    assert.equal(said('echo two  words\nand a line'), 'two  words\nand a line');
  });

  // Rule 8.14
  it('write Markdown of every kind', () => {
    const text = said('markdown');
    assert.equal(text, MARKDOWN_SAMPLE);
    for (const kind of [
      '# ',
      '- [x] ',
      '1. ',
      '|:---',
      '> ',
      '```ts',
      '```python',
      '```diff',
      '![',
      '](',
      '~~',
      '---\n',
    ]) {
      assert.ok(text.includes(kind), kind);
    }
  });

  it('write hostile markup whole', () => {
    assert.equal(said('hostile'), HOSTILE_SAMPLE);
    for (const kind of ['<script', 'onerror', 'javascript:', 'command:', 'file:', '<iframe']) {
      assert.ok(HOSTILE_SAMPLE.includes(kind), kind);
    }
  });

  it('write as many kilobytes as were asked for', () => {
    assert.equal(said('long 64').length, 64 * 1024);
  });

  it('name the known reasons to one who asks for another', () => {
    assert.match(said('fail nonsense'), /- rate_limited\n/);
    assert.match(said('fail in stream nonsense'), /- run_ended\n/);
    assert.ok(!said('fail in stream nonsense').includes('rate_limited'));
  });

  // Rule 8.15
  it('think before they speak', async () => {
    const { service } = await bench();
    const { reasoning, text } = await ask(service, 'think');
    assert.equal(reasoning, REASONING_SAMPLE);
    assert.match(text, /slower way/);
  });

  it('cut any text into pieces that join to it, none of them half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, size) => {
        const pieces = tokens(text, size);
        assert.equal(pieces.join(''), text);
        assert.ok(pieces.every((piece) => piece !== '' && !/\p{Surrogate}/u.test(piece)));
      }),
    );
  });
});
