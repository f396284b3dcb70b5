import assert from 'node:assert/strict';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { MAX_WAITING_AFTER_DEADLINE_MS } from '../../src/conversation/questions/pendingQuestions.ts';
import type { QuestionPart } from '../../src/conversation/messages.ts';
import type { FakeClock } from '../unit/support/fakeClock.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

describe('questions in a window that reloads', () => {
  let screen: Screen;
  let clock: FakeClock;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  useQuestionStage({ keepaliveMs: 200 }, (stage) => ({ screen, clock, window, open } = stage));

  /** Closes the window, lets time pass (ms), and opens the next one. */
  async function reload(awayMs = 0): Promise<void> {
    await window.close();
    clock.advance(awayMs);
    window = open('w2');
    await window.questions.pendingQuestions.synchronize();
  }

  async function again({ id }: Conversation): Promise<Conversation> {
    const found = await window.conversations.open(window.account, id);
    assert.ok(found);
    return found.conversation;
  }

  const question = ({ transcript }: Conversation) =>
    transcript.lastReply!.parts.find((part): part is QuestionPart => part.kind === 'question')!;

  const allow = (words: RegExp) => window.answer(words, 'Allow once');

  it('asks a question again after a reload with the time that is left', async () => {
    const before = await window.ask('ask permission');
    await reload(100_000);
    assert.match(screen.statusItems.at(-1)!.text, /1 question · 3:20$/);
    await allow(/run_shell” · less than 4 minutes left$/m);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('closes the dialog of a question with its window', async () => {
    const before = await window.ask('ask permission');
    await window.openDialog(/run_shell/);
    await reload();
    await screen.waitForClosed();
    await allow(/run_shell/);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('takes an answer on the card of a question long after its deadline', async () => {
    const before = await window.ask('ask permission');
    const count = screen.messages.length;
    await reload(2 * MAX_WAITING_AFTER_DEADLINE_MS);
    const conversation = await again(before);
    assert.equal(conversation.state.phase.kind, 'paused');
    assert.equal(screen.messages.length, count);
    assert.equal(window.badge, undefined);
    const { intern } = conversation.transcript;
    const named = { intern, conversation: conversation.id, question: question(conversation).id };
    await window.run('interns.answer', named);
    await window.choose(/run_shell” · time is up/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });
});
