import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { INTERACTION_DEADLINE_MS } from '../../src/base/limits.ts';
import {
  MAX_WAITING_AFTER_DEADLINE_MS,
  REMIND_BEFORE_DEADLINE_MS,
} from '../../src/conversation/questions/pendingQuestions.ts';
import type { Service } from '../service/service.ts';
import { settled, type SleepyClock } from '../unit/conversation/questions/fakes.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import { useQuestionStage, type QuestionWindow } from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

const expired = /ada’s run was probably canceled\. You can still try to answer\./;

const permission = (operation: string | null) =>
  ({ kind: 'permission', operation, options: ['allow_once', 'reject_once'] }) as const;

const form = asking({
  kind: 'elicitation',
  message: 'How?',
  fields: [{ name: 'branch', type: 'string', required: true, options: [] }],
});

describe('the time of a question', () => {
  let service: Service;
  let screen: Screen;
  let clock: SleepyClock;
  let window: QuestionWindow;
  useQuestionStage({ brain: askingBrain }, (stage) => ({ service, screen, clock, window } = stage));

  async function ask(prompt: string) {
    const conversation = await window.ask(prompt);
    await window.openDialog(/./);
    return conversation;
  }

  it('an open permission dialog still takes an answer after the time is up', async () => {
    const conversation = await ask(asking(permission('shell')));
    clock.advance(INTERACTION_DEADLINE_MS);
    await screen.waitFor(expired);
    assert.match(screen.words, /ada asks to use “shell” · time is up/);
    await screen.choose('Allow once');
    await eventually(() => window.textOf(conversation).includes('allow_once'));
  });

  it('an open form still takes an answer after the time is up', async () => {
    const conversation = await ask(form);
    await screen.waitFor(/^branch$/m);
    assert.doesNotMatch(screen.words, expired);
    clock.advance(INTERACTION_DEADLINE_MS);
    await screen.waitFor(expired);
    await screen.submit('main');
    await screen.waitFor(/ada asks: How\? · time is up/);
    assert.match(screen.words, expired);
    await window.choose(/./, 'Accept');
    await eventually(() => window.textOf(conversation).includes('{"branch":"main"}'));
  });

  it('shows a message for each question whose time is up', async () => {
    const first = await window.ask(asking(permission('first')));
    clock.advance(60_000);
    const second = await window.ask(asking(permission('second')));
    clock.advance(INTERACTION_DEADLINE_MS - 60_000);
    assert.equal(window.stands(first), 'open, late');
    clock.advance(60_000);
    assert.equal(window.stands(second), 'open, late');
    assert.deepEqual(
      screen.messages.map(({ kind, buttons }) => [kind, ...buttons]),
      [
        ['warning', 'Answer Anyway', 'Show Conversation'],
        ['warning', 'Answer Anyway', 'Show Conversation'],
      ],
    );
  });

  it('shows one message for questions whose time is up together', async () => {
    for (const operation of ['a', 'b', 'c']) await window.ask(asking(permission(operation)));
    clock.advance(INTERACTION_DEADLINE_MS);
    assert.equal(screen.messages.length, 1);
  });

  it('removes an unanswered question from the badge after an hour', async () => {
    const conversation = await window.ask(asking(permission('shell')));
    clock.advance(INTERACTION_DEADLINE_MS);
    screen.messages[0]!.press();
    clock.advance(MAX_WAITING_AFTER_DEADLINE_MS - 1);
    assert.equal(window.badge?.value, 1);
    clock.advance(15_000);
    assert.equal(window.badge, undefined);
    assert.equal(screen.messages.length, 1);
    assert.equal(conversation.state.phase.kind, 'paused');
    const text = asking(permission('next'));
    conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
    assert.equal(conversation.state.queue.length, 1, 'the prompt cancels nothing by itself');
    conversation.send({ type: 'cancel-and-send' });
    await eventually(
      () => conversation.state.phase.kind === 'paused' && conversation.state.queue.length === 0,
    );
    const [session] = service.state.sessions();
    assert.equal(session?.turns, 2, 'the service closed the one run before it began the other');
  });

  it('updates the time in a dialog each minute, then every 15 seconds', async () => {
    await ask(asking(permission('shell')));
    const spoken = new Map<string, number>();
    const texts = new Set<string>();
    const labels = new Set<string>();
    for (let second = 0; second <= INTERACTION_DEADLINE_MS / 1_000; second += 1) {
      if (!spoken.has(screen.words)) spoken.set(screen.words, second);
      const [item] = screen.statusItems;
      texts.add(item!.text);
      labels.add(item!.accessibilityInformation!.label);
      clock.advance(1_000);
    }
    const times = [...spoken.keys()].map((words) => /· (.*)$/m.exec(words)?.[1]);
    assert.deepEqual(times, [
      'less than 5 minutes left',
      'less than 4 minutes left',
      'less than 3 minutes left',
      'less than 2 minutes left',
      'less than a minute left',
      'less than 45 seconds left',
      'less than 30 seconds left',
      'less than 15 seconds left',
      'time is up',
    ]);
    const changes = [...spoken.values()];
    assert.ok(changes.every((at, index) => index === 0 || at - changes[index - 1]! >= 15));
    assert.equal(labels.size, times.length, 'the label does not tick');
    assert.ok(texts.size > 290, `${texts.size} texts of the status bar`);
  });

  it('announces a question at its start and when a minute is left', async () => {
    await window.ask(asking(permission('shell')));
    for (let second = 0; second < INTERACTION_DEADLINE_MS / 1_000 - 1; second += 1) {
      clock.advance(1_000);
      await settled();
    }
    const announced = screen.progress.flatMap(({ texts }) => texts);
    assert.deepEqual(
      announced.map((text) => / · ([^·]*)$/.exec(text)?.[1]),
      ['less than 5 minutes left', 'less than a minute left'],
    );
  });

  it('reminds the user of a question when a minute is left', async () => {
    const conversation = await window.ask(asking(permission('shell')));
    window.watch(conversation);
    clock.advance(1_000);
    await screen.waitFor(/shell/);
    await screen.escape();
    const [item] = screen.statusItems;
    const color = () => (item?.backgroundColor as vscode.ThemeColor & { id: string }).id;
    assert.equal(color(), 'statusBarItem.warningBackground');
    clock.advance(INTERACTION_DEADLINE_MS - REMIND_BEFORE_DEADLINE_MS - 1_000);
    await settled();
    const [reminder] = screen.progress.filter(({ isOpen }) => isOpen);
    assert.match(
      reminder?.texts.join() ?? '',
      /ada asks to use “shell” · less than a minute left$/,
    );
    assert.match(item?.text ?? '', /1 question · 1:00/);
    assert.equal(color(), 'statusBarItem.errorBackground');
    await window.openDialog(/shell/);
    assert.equal(reminder?.isOpen, false, 'the notification closes when the dialog opens');
  });

  it('shows one notification for a burst of questions', async () => {
    const open = () => screen.progress.filter(({ isOpen }) => isOpen);
    await window.ask(asking(permission('first')));
    clock.advance(1_000);
    clock.advance(60_000);
    assert.equal(screen.progress.length, 1);
    for (const operation of ['second', 'third']) await window.ask(asking(permission(operation)));
    clock.advance(1_000);
    assert.equal(screen.progress.length, 2);
    await eventually(() => open().length === 1);
    assert.match(open()[0]!.texts.at(-1)!, /ada asks to use “first” · .*\(2 more\)/);
  });
});
