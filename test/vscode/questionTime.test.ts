import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { EXPIRED_KEPT_MS, REMINDER_MS } from '../../src/chat/questions/broker.ts';
import { ANSWER_TIME_MS } from '../../src/chat/questions/countdown.ts';
import { GUARD_MS } from '../../src/host/questions/guardedPick.ts';
import type { FieldDescriptor } from '../service/core/interactions.ts';
import { startService, type Service } from '../service/service.ts';
import { SleepyClock } from '../unit/chat/questions/fakes.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import { QuestionWindow } from './support/questionWindow.ts';
import { Screen } from './support/screen.ts';
import { eventually } from './support/workspace.ts';

const expired = /ada has probably cancelled the question\. You can still try\./;

const permission = (operation: string | null) =>
  ({ kind: 'permission', operation, options: ['allow_once', 'reject_once'] }) as const;

interface Filled extends FieldDescriptor {
  /** What its user enters: a text, a row, or several. */
  readonly enter: string | readonly [string] | readonly [string, string];
  /** What the service gets. */
  readonly value: unknown;
}

const field = (name: string, type: string, options: readonly string[] = []) => ({
  name,
  type,
  required: true,
  options,
});

/** A field of each kind that has a dialog or a validation of its own. */
const fields: readonly Filled[] = [
  { ...field('text', 'string'), enter: 'some words', value: 'some words' },
  { ...field('number', 'number'), enter: '2.5', value: 2.5 },
  { ...field('integer', 'integer'), enter: '3', value: 3 },
  { ...field('boolean', 'boolean'), enter: ['true'], value: true },
  { ...field('choice', 'string', ['north', 'south']), enter: ['south'], value: 'south' },
  { ...field('several', 'array', ['a', 'b', 'c']), enter: ['a', 'c'], value: ['a', 'c'] },
  { ...field('list', 'array'), enter: 'x, y', value: ['x', 'y'] },
  { ...field('unknown', 'colour'), enter: 'red', value: 'red' },
];

const form = (asked: readonly Filled[]) =>
  asking({
    kind: 'elicitation',
    message: 'How?',
    fields: asked.map(({ name, type, required, options }) => ({ name, type, required, options })),
  });

describe('the time of a question', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let clock: SleepyClock;
  let window: QuestionWindow;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interns-'));
    service = await startService({ brain: askingBrain });
    screen = new Screen();
    clock = new SleepyClock(Date.now());
    window = new QuestionWindow({ service, folder, window: 'w1', clock });
  });

  afterEach(async () => {
    await screen.dispose();
    await window.close();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Enters what a field's dialog asks for, without taking it. */
  function enter({ enter: entered }: Filled): void {
    if (typeof entered === 'string') screen.write(entered);
    else if (entered.length > 1) screen.tick(entered);
  }

  async function take({ enter: entered }: Filled): Promise<void> {
    if (typeof entered !== 'string' && entered.length === 1) await screen.choose(entered[0]);
    else await screen.enter();
  }

  async function ask(prompt: string) {
    const conversation = await window.ask(prompt);
    await window.run('interns.answer');
    await screen.waitFor(/./);
    return conversation;
  }

  it('runs out under a permission, which says so and is taken all the same', async () => {
    const conversation = await ask(asking(permission('shell')));
    clock.advance(ANSWER_TIME_MS);
    await screen.waitFor(expired);
    assert.match(screen.words, /ada asks to use shell · time is up/);
    await screen.choose('Allow once');
    await eventually(() => window.textOf(conversation).includes('allow_once'));
  });

  for (const asked of fields)
    it(`runs out under a field of type ${asked.type}${asked.options.length > 0 ? ' with options' : ''}, which says so and is taken all the same`, async () => {
      const conversation = await ask(form([asked]));
      await screen.waitFor(new RegExp(`^${asked.name}$`, 'm'));
      assert.doesNotMatch(screen.words, expired);
      clock.advance(ANSWER_TIME_MS);
      await screen.waitFor(expired);
      enter(asked);
      await take(asked);
      await screen.waitFor(/ada asks: How\? · time is up/);
      assert.match(screen.words, expired);
      clock.advance(GUARD_MS);
      await screen.choose('Accept');
      const answer = { kind: 'accepted', content: { [asked.name]: asked.value } };
      await eventually(() => window.textOf(conversation) === JSON.stringify(answer));
    });

  it('runs out under a review, which says so and is taken all the same', async () => {
    const conversation = await ask(form([]));
    clock.advance(ANSWER_TIME_MS - 1);
    assert.doesNotMatch(screen.words, expired);
    assert.match(screen.words, / · 0:01$/m);
    clock.advance(1);
    await screen.waitFor(expired);
    await screen.choose('Accept');
    await eventually(() => window.textOf(conversation).includes('accepted'));
  });

  it('is out for the service too: the answer is told as too late, with a way to be asked again', async () => {
    const conversation = await ask(asking(permission('shell')));
    clock.advance(ANSWER_TIME_MS);
    service.state.endRun(conversation.state.session!);
    await screen.choose('Allow once');
    await eventually(() => screen.messages.length > 0);
    assert.match(screen.messages[0]!.text, /answered already, or its time ran out/);
    assert.deepEqual(screen.messages[0]!.buttons, ['Ask Again', 'Show Conversation']);
  });

  it('is told when it is up, also for a second question while the word on the first is still unread', async () => {
    const first = await window.ask(asking(permission('first')));
    clock.advance(60_000);
    const second = await window.ask(asking(permission('second')));
    clock.advance(ANSWER_TIME_MS - 60_000);
    assert.equal(window.of(first)?.state, 'expired');
    clock.advance(60_000);
    assert.equal(window.of(second)?.state, 'expired');
    assert.deepEqual(
      screen.messages.map(({ kind, buttons }) => [kind, ...buttons]),
      [
        ['warning', 'Answer Anyway', 'Show Conversation'],
        ['warning', 'Answer Anyway', 'Show Conversation'],
      ],
    );
  });

  it('is told once for a burst that runs out together', async () => {
    for (const operation of ['a', 'b', 'c']) await window.ask(asking(permission(operation)));
    clock.advance(ANSWER_TIME_MS);
    assert.equal(screen.messages.length, 1);
  });

  it('closes a question that nobody answers any more, in its conversation too', async () => {
    const conversation = await window.ask(asking(permission('shell')));
    clock.advance(ANSWER_TIME_MS);
    screen.messages[0]!.press();
    clock.advance(EXPIRED_KEPT_MS + 60_000);
    await eventually(() => conversation.state.phase.kind === 'idle');
    const [part] = conversation.transcript.lastReply!.parts;
    assert.equal(part?.kind === 'question' && part.why, 'expired');
    assert.equal(window.badge, undefined);
  });

  it('that has a minute left brings a reminder, wherever its user is, and another colour to the status bar', async () => {
    const conversation = await window.ask(asking(permission('shell')));
    window.watch(conversation);
    clock.advance(1_000);
    await screen.waitFor(/shell/);
    await screen.escape();
    const [item] = screen.statusItems;
    const colour = () => (item?.backgroundColor as vscode.ThemeColor & { id: string }).id;
    assert.equal(colour(), 'statusBarItem.warningBackground');
    clock.advance(ANSWER_TIME_MS - REMINDER_MS - 1_000);
    const [reminder] = screen.progress.filter(({ isOpen }) => isOpen);
    assert.match(reminder?.text ?? '', /ada asks to use shell · 1:00/);
    assert.match(item?.text ?? '', /1 question · 1:00/);
    assert.equal(colour(), 'statusBarItem.errorBackground');
    await window.run('interns.answer');
    await screen.waitFor(/shell/);
    assert.equal(reminder?.isOpen, false, 'the notification goes when the question is asked');
  });

  it('brings a notification for each later question, since its user may have hidden the one before, and one for a burst', async () => {
    const open = () => screen.progress.filter(({ isOpen }) => isOpen);
    await window.ask(asking(permission('first')));
    clock.advance(1_000);
    clock.advance(60_000);
    assert.equal(screen.progress.length, 1, 'it comes once for one question');
    for (const operation of ['second', 'third']) await window.ask(asking(permission(operation)));
    clock.advance(1_000);
    assert.equal(screen.progress.length, 2);
    await eventually(() => open().length === 1);
    assert.match(open()[0]!.text, /ada asks to use first · .*\(2 more\)/);
  });

  it('goes on while the machine sleeps: what is shown after it is what is left', async () => {
    await ask(asking(permission('shell')));
    clock.sleep(120_000);
    clock.advance(1_000);
    await screen.waitFor(/ · 2:59$/m);
    assert.match(screen.statusItems[0]?.text ?? '', / · 2:59$/);
  });

  it('is kept by Escape at every step of a form, with all that was entered, and nothing is sent', async () => {
    const conversation = await ask(form(fields));
    const again = async (words: RegExp) => {
      await screen.escape();
      await screen.waitForClosed();
      assert.equal(window.of(conversation)?.state, 'pending');
      assert.equal(service.state.session(conversation.state.session!)?.run, 'paused');
      await window.run('interns.answer');
      await screen.waitFor(words);
    };
    for (const [index, asked] of fields.entries()) {
      const title = new RegExp(`^${asked.name}$`, 'm');
      await screen.waitFor(title);
      enter(asked);
      await again(title);
      assert.equal(screen.step, `${index + 1}/${fields.length + 1}`);
      if (typeof asked.enter === 'string') assert.equal(screen.value, asked.enter);
      else if (asked.enter.length > 1) assert.deepEqual(screen.ticked, asked.enter);
      await take(asked);
    }
    await screen.waitFor(/ada asks: How\?/);
    await again(/ada asks: How\?/);
    clock.advance(GUARD_MS);
    await screen.choose('Accept');
    const content = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    await eventually(
      () => window.textOf(conversation) === JSON.stringify({ kind: 'accepted', content }),
    );
  });

  it('goes back and forth between the steps of a form, and a field is edited from the review', async () => {
    const [text, number] = fields as [Filled, Filled];
    const conversation = await ask(form([text, number]));
    screen.write('first');
    await screen.enter();
    await screen.waitFor(/^number$/m);
    screen.write('1');
    await screen.back();
    await screen.waitFor(/^text$/m);
    assert.equal(screen.value, 'first');
    await screen.enter();
    await screen.waitFor(/^number$/m);
    assert.equal(screen.value, '1');
    await screen.enter();
    await screen.waitFor(/ada asks: How\?/);
    clock.advance(GUARD_MS);
    await screen.choose('text');
    await screen.waitFor(/^text$/m);
    screen.write('second');
    await screen.enter();
    await screen.waitFor(/ada asks: How\?/);
    clock.advance(GUARD_MS);
    await screen.choose('Accept');
    const answer = { kind: 'accepted', content: { text: 'second', number: 1 } };
    await eventually(() => window.textOf(conversation) === JSON.stringify(answer));
  });
});
