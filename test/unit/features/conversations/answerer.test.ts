import assert from 'node:assert/strict';
import { createAnswerer } from '../../../../src/features/conversations/answerer.ts';
import { ALLOW, permission } from '../../conversation/questions/fakes.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { accountOf } from '../../support/fakeAccounts.ts';

describe('createAnswerer', () => {
  const question = permission('question');

  /** Returns an answerer for a conversation that waits for a question, and the question. */
  async function stand(state: 'ready' | 'refused' | 'signed out', isDeleted = false) {
    const stage = new Stage();
    stage.submit('Go');
    stage.conversation.record({ type: 'unanswered', then: 'refuse' });
    await stage.last.open().ask().taken();
    const account = state === 'signed out' ? undefined : { ...accountOf('account-1'), state };
    const answerer = createAnswerer(
      {
        open: () => Promise.resolve(isDeleted ? undefined : stage),
        read: () => Promise.resolve(stage.conversation.transcript),
      },
      { get: () => account },
    );
    return { answerer, stage, asked: { ...question, id: stage.question.id } };
  }

  for (const [state, isDeleted, kind, error] of [
    ['signed out', false, 'refused', 'signed-out'],
    ['ready', true, 'gone', 'interaction-unknown'],
  ] as const)
    it(`an answer is ${kind} if its account is ${state}${isDeleted ? ' and its conversation deleted' : ''}`, async () => {
      const { answerer, asked } = await stand(state, isDeleted);
      const outcome = await answerer.answer(asked, ALLOW);
      assert.ok(outcome?.kind === kind);
      assert.equal(outcome.error.kind, error);
    });

  for (const [state, whenUnanswered] of [
    ['ready', 'refuse'],
    ['refused', 'expire'],
    ['signed out', 'expire'],
  ] as const)
    it(`the policy for unanswered questions is “${whenUnanswered}” if the account is ${state}`, async () => {
      const { answerer, asked } = await stand(state);
      const recorded = await answerer.readRecordedQuestion(asked);
      assert.deepEqual(recorded, { isOver: false, maybeReceived: null, whenUnanswered });
    });

  it('a question is over once its run has ended', async () => {
    const { answerer, stage, asked } = await stand('ready');
    stage.stop();
    await stage.settle();
    await stage.last.open().finish().taken();
    assert.equal((await answerer.readRecordedQuestion(asked)).isOver, true);
  });
});
