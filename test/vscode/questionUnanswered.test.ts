import { INTERACTION_DEADLINE_MS } from '../../src/base/limits.ts';
import assert from 'node:assert/strict';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { REMIND_BEFORE_DEADLINE_MS } from '../../src/conversation/questions/pendingQuestions.ts';
import { AUTO_ANSWER_BEFORE_DEADLINE_MS } from '../../src/conversation/questions/unanswered.ts';
import type { FakeClock } from '../unit/support/fakeClock.ts';
import { asking, askingBrain } from './support/askingBrain.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

const permission = asking({
  kind: 'permission',
  operation: 'shell',
  options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
});

describe('the policy for unanswered questions', () => {
  let screen: Screen;
  let clock: FakeClock;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  let conversation: Conversation;
  useQuestionStage({ brain: askingBrain }, (stage) => ({ screen, clock, window, open } = stage));

  beforeEach(async () => {
    conversation = await window.ask(permission);
  });

  const target = () => ({ intern: 'intern_ada', conversation: conversation.id });

  /** Sets the policy by the conversation's command. */
  async function setPolicy(row: string): Promise<void> {
    const chosen = window.run('interns.whenUnanswered', target());
    await screen.waitFor(/Set Action for Unanswered Questions/);
    await screen.choose(row);
    await chosen;
  }

  it('rejects an unanswered question 30 seconds before its deadline', async () => {
    await setPolicy('Refuse and go on');
    const again = window.run('interns.whenUnanswered', target());
    await screen.waitFor(/Set Action for Unanswered Questions/);
    assert.match(screen.rows.find((row) => row.includes('Refuse and go on')) ?? '', /current/);
    await screen.escape();
    await again;
    clock.advance(INTERACTION_DEADLINE_MS - REMIND_BEFORE_DEADLINE_MS);
    const announced = () => screen.progress.flatMap(({ texts }) => texts).join('\n');
    await eventually(() => announced().includes('it’s rejected with 0:30 left'));
    clock.advance(REMIND_BEFORE_DEADLINE_MS - AUTO_ANSWER_BEFORE_DEADLINE_MS - 1);
    assert.equal(window.stands(conversation), 'open');
    clock.advance(1);
    await eventually(() => window.textOf(conversation).includes('reject_once'));
    await eventually(() => screen.messages.length > 0);
    assert.deepEqual(
      screen.messages.map(({ text }) => text),
      ['ada’s question wasn’t answered and was rejected automatically.'],
    );
    assert.deepEqual(await window.questions.allowed.list(), []);
    const [, reply] = conversation.transcript.messages;
    const part = reply?.kind === 'reply' ? reply.parts[0] : undefined;
    assert.deepEqual(part?.kind === 'question' && [part.how, part.by], ['reject_once', 'nobody']);
  });

  it('applies the policy for unanswered questions after a reload', async () => {
    await setPolicy('Refuse and go on');
    await window.close();
    clock.advance(INTERACTION_DEADLINE_MS - 10_000);
    window = open('w2');
    await eventually(() => window.conversations.live.length === 1);
    const [live] = window.conversations.live;
    await eventually(() => window.textOf(live!.conversation).includes('reject_once'));
  });
});
