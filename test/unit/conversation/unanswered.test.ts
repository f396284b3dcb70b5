import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import type { WhenUnanswered } from '../../../src/conversation/questions/unanswered.ts';
import { toJson, toMarkdown } from '../../../src/features/conversations/exportConversation.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { Stage } from './conversationStage.ts';
import { playAll } from './plays.ts';

/** A conversation that asks, and says what becomes of a question that nobody answers. */
async function asking(then: WhenUnanswered): Promise<Stage> {
  const stage = Stage.asked('Go');
  stage.conversation.record({ type: 'unanswered', then });
  await stage.last.open().ask().taken();
  return stage;
}

async function nobody(stage: Stage) {
  const outcome = stage.conversation.answerAutomatically(stage.asked.at(-1)!.id);
  await stage.settle();
  return { outcome };
}

const question = ({ conversation, asked }: Stage) =>
  conversation.transcript.question(asked[0]!.id)!;
const view = (stage: Stage) => questionView(question(stage), stage.phase === 'paused');
const requests = ({ exchanges }: Stage): readonly Answer[] =>
  exchanges.flatMap(({ chat }) => (chat.kind === 'answer' ? [chat.answer] : []));

describe('a conversation whose question nobody answers', () => {
  playAll(`
    stops the run if that is its policy, though the intern goes on after the cancel
      submit Go | policy cancel | open | ask | nobody | say All the same | wait 30 => phase idle; state stopped;
      isAborted true; card Not answered. Canceled automatically.
    gives the next question its own time, also after a cancel
      submit Go | policy cancel | open | ask | nobody | open | ask call-2 => phase paused; sent Go, cancel; asked 2
    lets the question expire without a policy
      submit Go | open | ask | nobody => phase paused; sent Go
    sends nothing if another window answers
      submit Go | policy refuse | open | ask | owner elsewhere | nobody => phase paused; sent Go
    sends no second answer, even if the first may not have arrived
      submit Go | policy refuse | open | ask | answer allow_once | reload | nobody => sent Go, allow_once
  `);

  it('rejects it and continues, and shows that the answer was automatic', async () => {
    const stage = await asking('refuse');
    const { outcome } = await nobody(stage);
    assert.match(view(stage).stateText, /^Not answered/);
    stage.last.open().say({ kind: 'text', text: 'Well.' }).finish();
    const way = { how: 'reject_once', by: 'nobody' };
    assert.deepEqual(await outcome, { kind: 'answered', ...way });
    await stage.settle();
    assert.deepEqual(requests(stage), [{ kind: 'permission', choice: 'reject_once' }]);
    assert.deepEqual([stage.phase, stage.reply.state, stage.text], ['idle', 'done', 'Well.']);
    stage.reload();
    const { stateText, actions } = view(stage);
    assert.equal(stateText, 'Not answered. Rejected automatically.');
    assert.deepEqual(actions, [{ id: 'tellIntern', label: 'Tell the Intern' }]);
    assert.match(toMarkdown(stage.conversation, 'ada'), /^> Not answered\. Rejected/m);
    assert.match(toJson(stage.conversation, 'ada'), /"by": "nobody"/);
  });

  it('shows its policy on the card that waits', async () => {
    const stage = await asking('cancel');
    const waiting = questionView(
      question(stage),
      true,
      stage.conversation.transcript.whenUnanswered,
    );
    assert.equal(
      waiting.stateText,
      'Waiting for you. If you don’t answer, the run is canceled with 0:30 left.',
    );
  });

  it('follows a policy that another window has just recorded', async () => {
    const stage = await asking('refuse');
    stage.elsewhere.push({ type: 'unanswered', id: 'other', at: 0, then: 'expire' });
    assert.equal(await (await nobody(stage)).outcome, undefined);
    assert.deepEqual(requests(stage), []);
  });

  it('reports to a later answer that a lost automatic one may have been received', async () => {
    const stage = await asking('refuse');
    await nobody(stage);
    await stage.last.open().say({ kind: 'role' }).taken();
    stage.reload();
    assert.match(
      view(stage).stateText,
      /^Not answered\. An automatic answer may have been received/,
    );
    const { outcome: answered } = await stage.answering();
    await stage.fail({ kind: 'interaction-not-pending', status: 409 });
    const earlier = { how: 'reject_once', by: 'nobody', isEarlier: true };
    assert.deepEqual(await answered, { kind: 'maybe-answered', ...earlier });
  });
});
