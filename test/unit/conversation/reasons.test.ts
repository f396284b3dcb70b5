import assert from 'node:assert/strict';
import type { Answer } from '../../../src/api/index.ts';
import type { AnswerOutcome } from '../../../src/conversation/questions/types.ts';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { allowOnce, permissionCall, Stage, statusContext } from './conversationStage.ts';

const rejectOnce = { kind: 'permission', choice: 'reject_once' } as const;

/** A conversation whose run asks whether an operation may run. */
const asking = () => Stage.paused('Go');

/** The user answers the question that was asked last, and that is on its way. */
async function give(
  stage: Stage,
  answer: Answer,
  reason?: string,
): Promise<() => AnswerOutcome | undefined> {
  let outcome: AnswerOutcome | undefined;
  const question = stage.asked.at(-1)!.id;
  void stage.conversation.answer(question, answer, reason).then((what) => (outcome = what));
  await stage.settle();
  return () => outcome;
}

const prompts = ({ exchanges }: Stage) =>
  exchanges.flatMap(({ chat }) => (chat.kind === 'prompt' ? [chat.text] : []));
const requeued = { id: 'q', text: 'Held', sent: 'Held', attachments: [], mode: 'manual' } as const;

describe('the reason for a rejection', () => {
  it('goes out as the next prompt, before all that waits, when the rejection was taken and its run has ended well', async () => {
    const stage = await asking();
    stage.submit('Later');
    await give(stage, rejectOnce, 'Use the tests');
    assert.deepEqual(stage.answered, rejectOnce);
    const { queue } = statusView(stage.state, statusContext);
    assert.deepEqual(
      queue.map(({ text, isReason }) => [text, isReason]),
      [
        ['Use the tests', true],
        ['Later', undefined],
      ],
    );
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'Use the tests']);
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'Use the tests', 'Later']);
  });

  it('can be edited until then, and has the approval mode that the conversation had when it was given', async () => {
    const stage = await asking();
    stage.setMode('self-drive');
    await give(stage, rejectOnce, 'Use the tests');
    stage.setMode('manual');
    const prompt = { text: 'Use them all', sent: 'Use them all', attachments: [] };
    stage.conversation.send({ type: 'edit-queued', id: stage.state.queue[0]!.id, prompt });
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'Use them all']);
    assert.equal(stage.reply.mode, 'self-drive');
  });

  it('uses up self-drive for one prompt, as any other prompt does', async () => {
    const stage = await asking();
    stage.conversation.send({ type: 'set-mode', mode: 'self-drive', lasts: 'this-prompt' });
    await give(stage, rejectOnce, 'Use the tests');
    assert.equal(stage.state.mode, 'manual');
    await stage.finish();
    assert.equal(stage.reply.mode, 'self-drive');
  });

  it('goes back, as it was edited, where the rejection is refused: it is not sent by itself, whatever is answered then', async () => {
    const stage = await asking();
    const outcome = await give(stage, rejectOnce, 'Use the tests');
    const prompt = { text: 'Use them all', sent: 'Use them all', attachments: [] };
    stage.conversation.send({ type: 'edit-queued', id: stage.state.queue[0]!.id, prompt });
    await stage.fail({ kind: 'invalid-request', status: 400 });
    const refused = outcome();
    assert.ok(refused?.kind === 'refused');
    assert.equal(refused.reason, 'Use them all');
    assert.deepEqual(stage.queued, []);
    await give(stage, allowOnce);
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go']);
  });

  for (const [how, end] of [
    ['fails', (stage: Stage) => stage.last.open().refuse({ kind: 'run-ended' })],
    ['is cut', (stage: Stage) => stage.last.open().say({ kind: 'text', text: 'Hm' })],
    ['is over already', (stage: Stage) => stage.fail({ kind: 'interaction-not-pending' })],
    ['is stopped', (stage: Stage) => stage.stopped()],
  ] as const)
    it(`waits for its user where the run ${how} on the rejection`, async () => {
      const stage = await asking();
      await give(stage, rejectOnce, 'Use the tests');
      void end(stage);
      await stage.settle();
      if (how === 'is cut') await stage.fail({ kind: 'severed', inStream: true });
      assert.deepEqual([stage.phase, stage.state.queueHeld], ['idle', true]);
      assert.deepEqual(stage.queued, ['Use the tests']);
      assert.deepEqual(prompts(stage), ['Go']);
      stage.conversation.send({ type: 'send-now' });
      assert.deepEqual(prompts(stage), ['Go', 'Use the tests']);
    });

  it('waits for its user where the question is not known any more', async () => {
    const stage = new Stage();
    stage.conversation.send({
      ...{ type: 'answer', question: 'gone', answer: rejectOnce, reason: 'Use the tests' },
    });
    await stage.settle();
    assert.deepEqual([stage.queued, stage.state.queueHeld], [['Use the tests'], true]);
  });

  it('goes out alone where the rest of the queue is held, and takes nothing of it along', async () => {
    const stage = await asking();
    stage.conversation.send({ type: 'requeue', queue: [requeued] });
    await give(stage, rejectOnce, 'Use the tests');
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'Use the tests']);
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'Use the tests']);
    assert.deepEqual([stage.queued, stage.state.queueHeld], [['Held'], true]);
  });

  it('goes out in its turn where a run is rejected twice, also past a question of another window', async () => {
    const stage = await asking();
    stage.conversation.send({ type: 'requeue', queue: [requeued] });
    await give(stage, rejectOnce, 'One');
    await stage.last.open().ask(permissionCall('call-2')).taken();
    await give(stage, rejectOnce, 'Two');
    assert.deepEqual(stage.queued, ['One', 'Two', 'Held']);
    await stage.finish();
    await stage.finish();
    await stage.finish();
    assert.deepEqual(prompts(stage), ['Go', 'One', 'Two']);
    assert.deepEqual(stage.queued, ['Held']);
  });

  it('goes out when another window, which answered the next question, has come to a good end; it waits where nobody saw that window go on', async () => {
    for (const isSeen of [true, false]) {
      const stage = await asking();
      await give(stage, rejectOnce, 'Use the tests');
      await stage.last.open().ask(permissionCall('call-2')).taken();
      const { id: question } = stage.asked.at(-1)!;
      const run = stage.reply.id;
      const at = stage.clock.now();
      const answering = { type: 'answering', question, how: 'allow_once', id: 'x1', at } as const;
      const rest = [
        { type: 'answered', question, how: 'allow_once', id: 'x2', at },
        { type: 'finished', run, reason: 'stop', id: 'x3', at },
      ] as const;
      stage.isOwnedElsewhere = isSeen;
      stage.conversation.follow(isSeen ? [answering] : [answering, ...rest]);
      await stage.settle();
      stage.isOwnedElsewhere = false;
      if (isSeen) stage.conversation.follow(rest);
      await stage.settle();
      assert.deepEqual(prompts(stage), isSeen ? ['Go', 'Use the tests'] : ['Go']);
      assert.equal(stage.state.queueHeld, !isSeen);
    }
  });

  for (const choice of ['allow_once', 'reject_once'] as const)
    it(`is held after a reload that left open whether the rejection arrived: ${choice} sends it no more by itself`, async () => {
      const stage = await asking();
      await give(stage, rejectOnce, 'Use the tests');
      const { queue } = stage.state;
      stage.reload();
      stage.conversation.send({ type: 'requeue', queue });
      await give(stage, { kind: 'permission', choice });
      await stage.finish();
      assert.deepEqual(prompts(stage), ['Go']);
      assert.deepEqual([stage.queued, stage.state.queueHeld], [['Use the tests'], true]);
    });

  it('stays held after such a reload where the next answer is refused, too, and makes way for what is written then', async () => {
    const stage = await asking();
    await give(stage, rejectOnce, 'Use the tests');
    const { queue } = stage.state;
    stage.reload();
    stage.conversation.send({ type: 'requeue', queue });
    await give(stage, allowOnce);
    await stage.fail({ kind: 'invalid-request', status: 400 });
    assert.deepEqual([stage.queued, stage.state.queueHeld], [['Use the tests'], true]);
    await give(stage, rejectOnce, 'Use them all');
    await stage.finish();
    assert.deepEqual([prompts(stage), stage.queued], [['Go', 'Use them all'], []]);
  });
});
