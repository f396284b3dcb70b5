import assert from 'node:assert/strict';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { readUsd } from '../../../src/features/chatPanel/prompts/sendingDialogs.ts';
import { Stage, statusContext } from './conversationStage.ts';

/** A conversation that may cost one dollar. */
function limited(): Stage {
  const stage = new Stage();
  stage.conversation.record({ type: 'cost-limit', usd: 1 });
  return stage;
}

async function turn(stage: Stage, cost?: number): Promise<void> {
  stage.submit('Go');
  await stage.finish('session-1', cost);
}

function view({ conversation, clock }: Stage) {
  return statusView(conversation, { ...statusContext, now: clock.now() });
}

const told = (stage: Stage): string =>
  view(stage)
    .banners.map(({ text }) => text)
    .join('\n');

describe('what a conversation costs', () => {
  it('is the sum of what its replies report, from every window, after a reload too', async () => {
    const stage = new Stage();
    assert.equal(view(stage).cost, '');
    for (const cost of [0.1, 0.2, 0.4]) await turn(stage, cost);
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2, cost: 0.1 };
    const end = { type: 'end', run: 'other', session: 'session-1', model: null, usage } as const;
    const elsewhere = { ...end, id: 'other', at: 1 };
    stage.journal.push(elsewhere);
    stage.conversation.follow([elsewhere]);
    assert.equal(view(stage).cost, 'Cost: $0.80');
    stage.conversation.record({ type: 'cost-limit', usd: 2 });
    stage.reload();
    assert.equal(view(stage).cost, 'Cost: $0.80 of $2.00');
  });

  it('is not known where a reply does not report it, which is said beside a limit or another cost', async () => {
    const stage = new Stage();
    await turn(stage);
    assert.equal(view(stage).cost, '');
    stage.conversation.record({ type: 'cost-limit', usd: 2 });
    assert.equal(view(stage).cost, 'Cost: $0.00 of $2.00, not known for 1 reply');
    stage.submit('Go');
    await stage.stopped();
    stage.submit('Go');
    await stage.fail({ kind: 'invalid-request', status: 400 });
    assert.equal(stage.conversation.transcript.cost.unknown, 2, 'what was refused cost nothing');
  });

  it('is told at 80% of its limit in the same words until more happens, and at the whole', async () => {
    const stage = limited();
    await turn(stage, 0.79);
    assert.equal(told(stage), '');
    await turn(stage, 0.01);
    const near = told(stage);
    assert.match(near, /80% of the cost limit of \$1\.00 is used.*known only when a run ends/u);
    await turn(stage, 0.1);
    assert.equal(told(stage), near);
    await turn(stage, 0.1);
    assert.match(told(stage), /limit of \$1\.00 is reached/u);
    assert.deepEqual(
      view(stage).banners.flatMap(({ actions }) => actions.map(({ id }) => id)),
      ['limitCost'],
    );
  });

  it('holds what waits once its limit is reached, and lets one prompt go for each word of the user', async () => {
    const stage = limited();
    stage.submit('One');
    for (const text of ['Two', 'Three']) stage.submit(text);
    await stage.finish('session-1', 1);
    assert.deepEqual([stage.exchanges.length, stage.state.queueHeld], [1, true]);
    assert.match(told(stage), /The prompts below were not sent/u);
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 1);
    stage.conversation.send({ type: 'send-now', overrideCostLimit: true });
    await stage.finish('session-1', 1);
    assert.deepEqual([stage.exchanges.length, stage.state.queue.length], [2, 1]);
  });

  it('holds a prompt that is over the cost limit, and keeps it', async () => {
    const stage = limited();
    await turn(stage, 1);
    stage.submit('Two');
    assert.deepEqual([stage.exchanges.length, stage.state.queue[0]?.text], [1, 'Two']);
    stage.conversation.record({ type: 'cost-limit', usd: null });
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 2);
  });

  it('holds a prompt behind a question that was to go out once that is cancelled', async () => {
    const stage = await Stage.paused('One');
    stage.submit('Two');
    stage.conversation.send({ type: 'cancel-and-send' });
    stage.conversation.record({ type: 'cost-limit', usd: 1 });
    await stage.settle();
    await stage.finish('session-1', 1);
    assert.deepEqual([stage.exchanges.length, stage.state.queueHeld], [2, true]);
  });

  it('holds a prompt that was held back meanwhile', async () => {
    const stage = new Stage();
    stage.setMode('self-drive');
    stage.submit('One');
    stage.last.open();
    await stage.stopped();
    stage.submit('Two');
    assert.equal(stage.phase, 'holding');
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, cost: 1 };
    const end = { type: 'end', run: 'other', session: null, model: null, usage } as const;
    stage.conversation.follow([{ ...end, id: 'other', at: 1 }]);
    stage.conversation.record({ type: 'cost-limit', usd: 1 });
    await stage.advance(30_000);
    assert.deepEqual(
      [stage.phase, stage.exchanges.length, stage.state.queueHeld],
      ['idle', 1, true],
    );
  });

  it('is limited by an amount as people type it, and by nothing that is none', () => {
    for (const [text, usd] of [
      ['2.50', 2.5],
      [' $3 ', 3],
      ['0,75', 0.75],
      ['', null],
      ['0', undefined],
      ['-1', undefined],
      ['1,000.00', undefined],
      ['many', undefined],
    ] as const)
      assert.equal(readUsd(text), usd, text);
  });
});
