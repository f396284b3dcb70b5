import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import type { WhenUnanswered } from '../../../src/conversation/questions/unanswered.ts';
import { toJson, toMarkdown } from '../../../src/features/conversations/exportConversation.ts';
import { questionView } from '../../../src/features/conversations/questionView.ts';
import { allowOnce, permissionCall, Stage } from './conversationStage.ts';

/** A conversation that asks, and says what becomes of a question that nobody answers. */
async function asking(then: WhenUnanswered): Promise<Stage> {
  const stage = Stage.asked('Go');
  stage.conversation.record({ type: 'unanswered', then });
  await stage.last.open().ask().taken();
  return stage;
}

/** Nobody answers; `alone` is whether that is still so in the last moment. */
async function nobody(stage: Stage, alone = true) {
  const outcome = stage.conversation.answerForNobody(stage.asked.at(-1)!.id, () =>
    Promise.resolve(alone),
  );
  await stage.settle();
  return { outcome };
}

const question = ({ conversation, asked }: Stage) =>
  conversation.transcript.question(asked[0]!.id)!;
const view = (stage: Stage) => questionView(question(stage), stage.phase === 'paused');
const requests = ({ exchanges }: Stage): readonly Answer[] =>
  exchanges.flatMap(({ chat }) => (chat.kind === 'reply' ? [chat.answer] : []));

describe('a conversation whose question nobody answers', () => {
  it('refuses it and goes on, and nobody is told that its user did', async () => {
    const stage = await asking('refuse');
    const { outcome } = await nobody(stage);
    assert.match(view(stage).stateText, /^Nobody answered/);
    stage.last.open().say({ kind: 'text', text: 'Well.' }).finish();
    const way = { how: 'reject_once', by: 'nobody' };
    assert.deepEqual(await outcome, { kind: 'answered', ...way });
    await stage.settle();
    assert.deepEqual(requests(stage), [{ kind: 'permission', choice: 'reject_once' }]);
    assert.deepEqual([stage.phase, stage.reply.state, stage.text], ['idle', 'done', 'Well.']);
    stage.reload();
    const { stateText, actions } = view(stage);
    assert.equal(stateText, 'Nobody answered: it was refused automatically');
    assert.deepEqual(actions, [{ id: 'tellIntern', label: 'Tell the Intern' }]);
    assert.match(toMarkdown(stage.conversation, 'ada'), /^> Nobody answered: it was refused/m);
    assert.match(toJson(stage.conversation, 'ada'), /"by": "nobody"/);
  });

  it('says on the card that waits what will become of it', async () => {
    const stage = await asking('cancel');
    const waiting = questionView(
      question(stage),
      true,
      stage.conversation.transcript.whenUnanswered,
    );
    assert.equal(
      waiting.stateText,
      'Waiting for you. If nobody answers, the run is cancelled with 0:30 left.',
    );
  });

  it('stops the run where it says so, though the intern goes on after the cancel', async () => {
    const stage = await asking('cancel');
    const { outcome } = await nobody(stage);
    stage.last.open().say({ kind: 'text', text: 'All the same' });
    assert.deepEqual(await outcome, { kind: 'answered', how: 'cancel', by: 'nobody' });
    await stage.settle();
    assert.deepEqual([stage.phase, stage.reply.state], ['idle', 'stopped']);
    assert.equal(stage.last.aborted, true);
    assert.equal(view(stage).stateText, 'Nobody answered: it was cancelled automatically');
  });

  it('gives what is asked next its own time, also after a cancel', async () => {
    const stage = await asking('cancel');
    await nobody(stage);
    await stage.last.open().ask(permissionCall('call-2')).taken();
    assert.deepEqual([stage.phase, requests(stage).length], ['paused', 1]);
    assert.equal(stage.asked.length, 2);
  });

  it('does nothing where it says nothing, where somebody came, or where another window is at it', async () => {
    const silent = await asking('expire');
    assert.equal(await (await nobody(silent)).outcome, undefined);
    const stage = await asking('refuse');
    assert.equal(await (await nobody(stage, false)).outcome, undefined);
    stage.isOwnedElsewhere = true;
    assert.equal(await (await nobody(stage)).outcome, undefined);
    assert.deepEqual([...requests(silent), ...requests(stage)], []);
    assert.equal(stage.phase, 'paused');
  });

  it('does what another window has just said of it, which was not read yet', async () => {
    const stage = await asking('refuse');
    stage.elsewhere.push({ type: 'unanswered', id: 'other', at: 0, then: 'expire' });
    assert.equal(await (await nobody(stage)).outcome, undefined);
    assert.deepEqual(requests(stage), []);
  });

  it('gives no second answer where one was tried, though nobody knows whether it arrived', async () => {
    const stage = await asking('refuse');
    await stage.answering();
    stage.reload();
    assert.equal(await (await nobody(stage)).outcome, undefined);
    assert.deepEqual(requests(stage), [allowOnce]);
  });

  it('tells an answer that comes after a lost one whose that was', async () => {
    const stage = await asking('refuse');
    await nobody(stage);
    await stage.last.open().say({ kind: 'role' }).taken();
    stage.reload();
    assert.match(
      view(stage).stateText,
      /^Nobody answered\. An automatic answer may have been received/,
    );
    const { outcome: answered } = await stage.answering();
    await stage.fail({ kind: 'interaction-not-pending', status: 409 });
    const earlier = { how: 'reject_once', by: 'nobody', isEarlier: true };
    assert.deepEqual(await answered, { kind: 'maybe-answered', ...earlier });
  });
});
