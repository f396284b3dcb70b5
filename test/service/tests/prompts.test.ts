import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Step, Turn } from '../core/script.ts';
import { PROMPTS, scriptedBrain } from '../scripts/prompts.ts';
import { MARKDOWN_SAMPLE, REASONING_SAMPLE } from '../scripts/samples.ts';
import { SIMULATING_KEYS } from '../service.ts';
import { ask, useService } from './support.ts';

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
  useService();

  it('the README lists every prompt and every key of the service', () => {
    for (const [usage, does] of PROMPTS)
      assert.ok(README.includes(`| \`${usage}\` | ${does} |`), usage);
    for (const { key, simulates } of SIMULATING_KEYS)
      assert.ok(README.includes(`| \`${key}\` | ${simulates} |`), key);
  });

  it('the answer to help lists every prompt in a table', () => {
    for (const [usage] of PROMPTS) assert.ok(said('help').includes(`\n| \`${usage}\` | `), usage);
  });

  for (const [usage] of PROMPTS)
    it(`the service plays "${usage}" in any case, whatever later lines say`, () => {
      const prompt = usage.replace('REASON', 'timeout').replace(/\b(N|STATUS)\b/g, '3');
      assert.notEqual(said(prompt), said('something else'));
      assert.equal(steps(`${prompt}\n\n\`\`\`ts\ncode\n\`\`\``)[0]?.do, steps(prompt)[0]?.do);
      if (!/[A-Z]/.test(usage)) assert.deepEqual(steps(usage.toUpperCase()), steps(usage));
    });

  // Rule 8.14
  it('the prompt "markdown" writes Markdown of every kind', () => {
    assert.equal(said('markdown'), MARKDOWN_SAMPLE);
  });

  // Rule 8.15
  it('the prompt "think" reasons before it speaks', async () => {
    const { reasoning, text } = await ask('think');
    assert.equal(reasoning, REASONING_SAMPLE);
    assert.match(text, /slower way/);
  });
});
