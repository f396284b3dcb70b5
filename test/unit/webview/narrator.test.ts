import assert from 'node:assert/strict';
import type { ReplyMessageView, QuestionView, StatusView } from '../../../src/protocol/view.ts';
import { Announcer } from '../../../src/webview/announcer.ts';
import { Narrator } from '../../../src/webview/narrator.ts';
import { Localizer } from '../../../src/webview/localizer.ts';
import { strings } from '../../webview/fixtures/strings.ts';
import {
  notice,
  permission,
  prompt,
  reply,
  settings,
  snapshot,
  status,
} from '../../webview/fixtures/views.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { ScreenReader } from './support/screenReader.ts';

const sentence = (index: number): string => `Sentence ${index} is about as long as sentences are. `;

/** A conversation with its narrator and a screen reader. */
class Story {
  readonly clock = new FakeClock();
  readonly reader = new ScreenReader(this.clock);
  readonly announcer = new Announcer(this.reader, this.clock, strings.skipped);
  readonly #narrator = new Narrator(
    this.announcer,
    new Localizer(strings),
    this.clock,
    (until) => until - this.clock.now(),
  );
  #reply: ReplyMessageView = reply('i1', '', { state: 'working' });
  #status: StatusView;

  constructor(different: Partial<StatusView> = {}) {
    this.#status = status(different);
    this.announcer.speechRate = this.#status.settings.speechRate;
    this.#narrator.begin(snapshot({ messages: [prompt('u0', 'x')], status: this.#status }));
  }

  status(different: Partial<StatusView>): void {
    this.#status = { ...this.#status, ...different };
    this.#narrator.setStatus(this.#status);
  }

  /** Adds a prompt and ten sentences of its reply. */
  askMuch(): void {
    this.ask();
    for (let index = 0; index < 10; index++) this.write(sentence(index));
    this.wait(1);
  }

  /** Adds a prompt and begins its reply. */
  ask(id = 'i1'): void {
    this.#narrator.handleAdded(prompt(`prompt of ${id}`, 'x'));
    this.status({ activity: 'working' });
    this.#reply = reply(id, '', { state: 'working' });
    this.#narrator.handleAdded(this.#reply);
  }

  /** Shows a working reply in a new page. */
  reopen(text: string): void {
    this.#reply = reply('i1', text, { state: 'working' });
    this.#narrator.begin(snapshot({ messages: [this.#reply], status: this.#status }));
  }

  write(text: string): void {
    const [part] = this.#reply.parts;
    const before = part?.kind === 'text' ? part.text : '';
    const grown = { kind: 'text', text: before + text } as const;
    this.#reply = { ...this.#reply, parts: [grown] };
    this.#narrator.handleAppended(this.#reply.id, 0, grown, text);
  }

  become(different: Partial<ReplyMessageView>): void {
    this.#reply = { ...this.#reply, ...different };
    this.#narrator.handleChanged(this.#reply);
  }

  askedBy(question: QuestionView): void {
    const parts = [...this.#reply.parts, { kind: 'question', question } as const];
    this.become({ state: 'waiting', parts });
  }

  notice(text: string): void {
    this.#narrator.handleAdded(notice('n', text));
  }

  wait(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }

  /** Returns everything that was heard, after all of it was said. */
  get heard(): string[] {
    this.wait(600);
    return this.reader.texts;
  }
}

describe('Narration', () => {
  const shell = permission('q1', { title: 'Allow run_shell?' });

  it('the narration keeps up with a reply ten times as fast as speech', () => {
    const story = new Story();
    story.ask();
    for (let index = 0; index < 300; index++) {
      story.write(sentence(index));
      story.wait(0.3);
      const [last] = story.reader.heard.slice(-1);
      const said = Number(/\d+/.exec(last?.text ?? '')?.[0] ?? index);
      assert.ok(index - said <= 90, `sentence ${said} is said when ${index} is written`);
    }
    const written = story.clock.now();
    story.become({ state: 'done' });
    assert.match(story.heard.slice(-2).join(' '), /Sentence 299 .*\. ada finished$/u);
    const { heard, longestWait } = story.reader;
    assert.ok(heard.every(({ cut }) => !cut));
    assert.ok(longestWait < 1, `something waited ${longestWait} s in the screen reader`);
    const endedAt = heard.at(-1)?.at ?? Infinity;
    const latest = (written - 1_700_000_000_000) / 1000 + 25;
    assert.ok(endedAt < latest, `the end is said at ${endedAt} s`);
  });

  for (const [speechRate, isSkipping] of [
    [15, true],
    [200, false],
  ] as const)
    it(`the narration says where it skips sentences at ${speechRate} characters per second`, () => {
      const story = new Story({ settings: { ...settings, speechRate } });
      story.ask();
      for (let index = 0; index < 100; index++) {
        story.write(sentence(index));
        story.wait(0.3);
      }
      let expected = 0;
      for (const text of story.heard.slice(1)) {
        const numbers = [...text.matchAll(/\d+/gu)].map(Number);
        const [said = NaN] = numbers;
        assert.equal(text.startsWith('Skipped. '), said !== expected, text);
        expected = (numbers.at(-1) ?? NaN) + 1;
      }
      assert.equal(
        story.heard.some((text) => text.startsWith('Skipped. ')),
        isSkipping,
      );
    });

  it('the narration announces each sentence of a slow reply once and in order', () => {
    const story = new Story();
    story.ask();
    for (let index = 0; index < 20; index++) {
      for (const piece of sentence(index).match(/.{1,7}/gu) ?? []) story.write(piece);
      story.wait(5);
    }
    story.become({ state: 'done' });
    const sentences = Array.from({ length: 20 }, (_, index) => sentence(index).trim());
    assert.deepEqual(story.heard, ['Sent', ...sentences, 'ada finished']);
  });

  const elicitation = { kind: 'elicitation', title: 'The intern has a question' } as const;
  const failure = { title: 'The intern is out of tokens', detail: '', actions: [] };
  for (const [what, happen, said] of [
    ['a question', (story) => story.askedBy(shell), 'Allow run_shell?'],
    [
      'an elicitation',
      (story) => story.askedBy(permission('q1', { ...elicitation, detail: 'Which branch?' })),
      'The intern has a question: Which branch?',
    ],
    ['a failure', (story) => story.become({ state: 'failed', failure }), failure.title],
  ] satisfies [string, (story: Story) => void, string][])
    it(`the narration announces ${what} in the middle of a reply at once`, () => {
      const story = new Story();
      story.askMuch();
      happen(story);
      assert.deepEqual(story.reader.heard.at(-1), { text: said, at: 1, cut: false });
      assert.equal(story.heard.at(-1), said);
      story.become({ state: 'working', parts: [{ kind: 'text', text: 'Thanks. On I go.\n' }] });
      story.become({ state: 'done' });
      assert.equal(story.heard.at(-1), 'ada finished');
    });

  it('the narration announces once that a prompt is queued and once that it is sent', () => {
    const story = new Story({ activity: 'working' });
    const waiting = (id: string) => ({ id, text: id, attachments: [] });
    story.status({ queue: [waiting('a')] });
    story.wait(5);
    story.status({ queue: [waiting('a'), waiting('b')] });
    story.wait(5);
    story.status({ queue: [waiting('b')], activity: 'idle' });
    story.ask();
    assert.deepEqual(story.heard, ['Queued', 'Queued', 'Sent', 'Thinking']);
  });

  it('the narration announces once, after four seconds, that a silent intern is thinking', () => {
    const story = new Story();
    story.ask();
    story.wait(3.9);
    assert.deepEqual(story.reader.texts, ['Sent']);
    story.wait(60);
    story.write('Here it is. ');
    story.wait(60);
    assert.deepEqual(story.heard, ['Sent', 'Thinking', 'Here it is.']);
  });

  it('the narration announces a stopped run at once instead of the rest of the reply', () => {
    const story = new Story();
    story.askMuch();
    story.announcer.interrupt('Press Escape again to stop');
    story.become({ state: 'stopped' });
    assert.deepEqual(story.heard.slice(-2), ['Press Escape again to stop', 'Stopped']);
    assert.ok((story.reader.heard.at(-2)?.at ?? 99) <= 1);
    const [hint, stopped] = story.reader.givenAt.slice(-2);
    assert.ok(stopped! - hint! > 0.5, 'Orca says the polite text first if both wait');
    story.ask('i2');
    story.wait(1);
    story.become({ state: 'cut' });
    assert.equal(story.heard.at(-1), 'Interrupted');
  });

  it('the narration announces attachments, changes of self-drive and retries', () => {
    const story = new Story();
    const file = { id: 'a', label: 'a.ts', characters: 9 };
    story.status({ attachments: [file] });
    story.status({ mode: 'self-drive' });
    const tone = 'info';
    const text = 'The service is busy (too many runs). Retrying in {time}.';
    const banners = [{ tone, text, until: story.clock.now() + 80_000, actions: [] }] as const;
    story.status({ banners });
    story.wait(10);
    story.status({ banners, mode: 'manual' });
    story.notice('A new session starts here');
    assert.deepEqual(story.heard, [
      'a.ts attached Self-drive is on The service is busy (too many runs). Retrying in 1 minute, 20 seconds.',
      'Self-drive is off A new session starts here',
    ]);
  });

  it('the narration says that a run stays in self-drive after self-drive was switched off', () => {
    const story = new Story();
    story.status({ mode: 'self-drive', selfDriveBand: { text: 'Self-drive' } });
    story.wait(10);
    story.status({ mode: 'manual', selfDriveBand: { text: 'This run stays in self-drive' } });
    story.wait(10);
    assert.equal(story.heard.at(-1), 'This run stays in self-drive');
  });

  it('the narration waits until a dialog that closes has given the focus back', () => {
    const story = new Story();
    story.ask();
    story.wait(10);
    story.reader.isFocused = false;
    const before = story.reader.texts.length;
    story.become({ state: 'done', parts: [{ kind: 'text', text: 'It is done.' }] });
    story.wait(0.3);
    story.reader.isFocused = true;
    story.announcer.handleFocus();
    story.wait(0.3);
    assert.equal(story.reader.texts.length, before);
    story.wait(10);
    assert.deepEqual(story.heard.slice(before), ['It is done.', 'ada finished']);
  });

  it('the narration announces only questions and ends of replies while the page is hidden', () => {
    const story = new Story();
    story.askMuch();
    story.reader.isVisible = false;
    story.wait(60);
    const before = story.reader.texts.length;
    for (let index = 10; index < 20; index++) story.write(sentence(index));
    story.status({ mode: 'self-drive' });
    story.askedBy(shell);
    story.wait(60);
    story.become({ state: 'working', parts: [{ kind: 'text', text: sentence(20) }] });
    story.become({ state: 'done' });
    assert.deepEqual(story.heard.slice(before), ['Allow run_shell?', 'ada finished']);
    assert.ok(before <= 3, `${before} sentences were said out of sight`);
  });

  for (const [markdown, spoken] of [
    [
      'Set `MAX_RETRY_COUNT` to `2**3`, in `src/api/retry.ts`.',
      'Set MAX_RETRY_COUNT to code, in src/api/retry.ts.',
    ],
    ['Set MAX_RETRY_COUNT to 2 * 3, or 2**3.', 'Set MAX_RETRY_COUNT to 2 * 3, or 2**3.'],
    ['Run `npm test -- --grep x` or `stop()`.', 'Run npm test -- --grep x or stop().'],
    [
      '- [ ] **Bold**, _leaning_ and ~~gone~~ [words](https://a.test/b_c).',
      'Bold, leaning and gone words.',
    ],
    ['Say `a. b` first.', 'Say a. b first.'],
    ['## A heading', 'A heading'],
    ['| Name | Size |\n| --- | ---: |\n| a.ts | 9 |', 'Name, Size a.ts, 9'],
    ['Look:\n\n1. ```ts\n   let a = 1. \n   - ```\n   ```\n\nDone.', 'Look: Code block Done.'],
    ['***\n\nDone', 'Done'],
  ] as const)
    it(`the narration reads out ${JSON.stringify(markdown.slice(0, 40))} as words`, () => {
      for (const length of [1, 3, 1000]) {
        const story = new Story();
        story.ask();
        story.become({ parts: [{ kind: 'text', text: markdown.slice(0, length) }] });
        for (let at = length; at < markdown.length; at += length)
          story.write(markdown.slice(at, at + length));
        for (let time = 0; time < 2; time++) story.become({ state: 'done' });
        assert.equal(story.heard.join(' '), `Sent ${spoken} ada finished`);
      }
    });

  for (const [place, begun, rest, said] of [
    ['a code block', 'Look:\n```\nlet a', ' = 1;\n```\nDone.', 'Done.'],
    ['a sentence', 'One. And t', 'wo.', 'And two.'],
  ] as const)
    it(`a page that opens in the middle of ${place} announces what follows`, () => {
      for (const narration of ['sentences', 'onCompletion', 'off'] as const) {
        const story = new Story({ settings: { ...settings, narration } });
        story.reopen(begun);
        story.write(rest);
        story.become({ state: 'done' });
        const end = narration === 'onCompletion' ? `ada finished. ${said}` : 'ada finished';
        assert.deepEqual(story.heard, narration === 'sentences' ? [said, end] : [end]);
      }
    });

  it('the narration announces a reply at its end with `onCompletion` and never with `off`', () => {
    for (const [narration, end] of [
      ['onCompletion', 'ada finished. One. Two, and more.'],
      ['off', 'ada finished'],
    ] as const) {
      const story = new Story({ settings: { ...settings, narration } });
      story.ask();
      story.write('One. Two, ');
      story.wait(60);
      assert.deepEqual(story.reader.texts, ['Sent']);
      story.write('and more.');
      story.become({ state: 'done' });
      assert.deepEqual(story.heard, ['Sent', end]);
    }
  });

  it('the narration announces each sentence once after it was switched on during the reply', () => {
    const story = new Story({ settings: { ...settings, narration: 'off' } });
    story.ask();
    story.write('One. ');
    story.status({ settings });
    story.write('Two. ');
    story.become({ facts: ['model'] });
    assert.deepEqual(story.heard, ['Sent', 'Two.']);
  });

  it('the narration splits no character of a long text without spaces', () => {
    const story = new Story({ settings: { ...settings, speechRate: 200 } });
    story.ask();
    const words = `a${'😀'.repeat(700)}`;
    story.write(`${words}. And more. `);
    const heard = story.heard.slice(1);
    assert.ok(
      heard.every((text) => text.isWellFormed()),
      heard.join('|'),
    );
    assert.ok(heard.join('').replaceAll(' ', '').includes(words));
  });

  it('the narration splits no character where it cuts a long question or reply', () => {
    const story = new Story({ settings: { ...settings, narration: 'onCompletion' } });
    const long = `a${'😀'.repeat(2000)}`;
    story.ask();
    story.askedBy(permission('q1', { title: long }));
    story.become({ state: 'working', parts: [{ kind: 'text', text: long }] });
    story.become({ state: 'done' });
    const cut = story.heard.filter(({ length }) => length > 2900);
    assert.deepEqual(
      cut.map((text) => text.isWellFormed()),
      [true, true],
    );
  });

  it('the narration takes little time for megabytes without the end of a sentence', () => {
    const story = new Story();
    story.ask();
    for (const mark of ['[', '`', '*', '| ', '- ', '"', 'x', '!['])
      for (let piece = 0; piece < 50; piece++) story.write(mark.repeat(2000));
    story.become({ state: 'done' });
    assert.equal(story.heard.at(-1), 'ada finished');
  });
});
