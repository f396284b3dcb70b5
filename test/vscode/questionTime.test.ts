import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { INTERACTION_DEADLINE_MS } from '../../src/base/limits.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { REMIND_BEFORE_DEADLINE_MS } from '../../src/conversation/questions/pendingQuestions.ts';
import { AUTO_ANSWER_BEFORE_DEADLINE_MS } from '../../src/conversation/questions/unanswered.ts';
import { settled } from '../unit/conversation/questions/fakes.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import { useQuestionStage, type QuestionWindow } from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';
import { FakeClock } from '../unit/support/fakeClock.ts';

const expired = /ada’s run was probably canceled\. You can still try to answer\./;

const permission = (operation: string | null) =>
  ({ kind: 'permission', operation, options: ['allow_once', 'reject_once'] }) as const;

const form = asking({
  kind: 'elicitation',
  message: 'How?',
  fields: [{ name: 'branch', type: 'string', required: true, options: [] }],
});

describe('the time of a question', () => {
  let screen: Screen;
  let clock: FakeClock;
  let window: QuestionWindow;
  const options = { brain: askingBrain, keepaliveMs: 200 };
  useQuestionStage(options, (stage) => ({ screen, clock, window } = stage));

  async function ask(prompt: string) {
    const conversation = await window.ask(prompt);
    await window.openDialog(/./);
    return conversation;
  }

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

  it('a message appears for each question whose time is up', async () => {
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

  it('one message appears for questions whose time is up together', async () => {
    for (const operation of ['a', 'b', 'c']) await window.ask(asking(permission(operation)));
    clock.advance(INTERACTION_DEADLINE_MS);
    assert.equal(screen.messages.length, 1);
  });

  it('a dialog updates the time of its question each minute, then every 15 seconds', async () => {
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

  it('a screen reader announces a question at its start and when a minute is left', async () => {
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

  it('a notification reminds the user of a question when a minute is left', async () => {
    const conversation = await window.ask(asking(permission('shell')));
    window.watch(conversation);
    clock.advance(1_000);
    await screen.waitFor(/shell/);
    await screen.escape();
    const [item] = screen.statusItems;
    const color = () => (item!.backgroundColor as vscode.ThemeColor & { id: string }).id;
    assert.equal(color(), 'statusBarItem.warningBackground');
    clock.advance(INTERACTION_DEADLINE_MS - REMIND_BEFORE_DEADLINE_MS - 1_000);
    await settled();
    const [reminder] = screen.progress.filter(({ isOpen }) => isOpen);
    assert.match(
      reminder?.texts.join() ?? '',
      /ada asks to use “shell” · .* · less than a minute left$/,
    );
    assert.match(item?.text ?? '', /1 question · 1:00/);
    assert.equal(color(), 'statusBarItem.errorBackground');
    await window.openDialog(/shell/);
    assert.equal(reminder?.isOpen, false, 'the notification closes when the dialog opens');
  });

  it('one notification appears for a burst of questions', async () => {
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

  describe('the policy for unanswered questions', () => {
    let conversation: Conversation;

    const openPolicy = async () => {
      const given = { intern: 'intern_ada', conversation: conversation.id };
      const closed = window.run('interns.whenUnanswered', given);
      await screen.waitFor(/Set Action for Unanswered Questions/);
      return { closed };
    };

    beforeEach(async () => {
      conversation = await window.ask(asking(permission('shell')));
      const { closed } = await openPolicy();
      await screen.choose('Refuse and go on');
      await closed;
    });

    it('the picker marks the current policy for unanswered questions', async () => {
      await openPolicy();
      assert.deepEqual(screen.labels, ['Let it expire', 'Refuse and go on', 'Cancel the run']);
      assert.match(screen.rows.find((row) => row.includes('Refuse and go on')) ?? '', /current/);
    });

    it('the policy rejects an unanswered question 30 seconds before its deadline', async () => {
      clock.advance(INTERACTION_DEADLINE_MS - REMIND_BEFORE_DEADLINE_MS);
      const announced = () => screen.progress.flatMap(({ texts }) => texts).join('\n');
      await eventually(() => announced().includes('it’s rejected 30s before time runs out'));
      clock.advance(REMIND_BEFORE_DEADLINE_MS - AUTO_ANSWER_BEFORE_DEADLINE_MS - 1);
      assert.equal(window.stands(conversation), 'open');
      clock.advance(1);
      await eventually(() => window.textOf(conversation).includes('reject_once'));
      await eventually(() => screen.messages.length > 0);
      assert.deepEqual(
        screen.messages.map(({ text }) => text),
        ['ada’s question wasn’t answered and was rejected automatically.'],
      );
    });
  });
});
