import assert from 'node:assert/strict';
import { statusView } from '../../../src/features/chatPanel/present/statusView.ts';
import { readUsd } from '../../../src/features/chatPanel/prompts/sendingDialogs.ts';
import { Stage, statusContext } from './conversationStage.ts';
import { playAll } from './plays.ts';

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

describe('a prompt over the cost limit', () => {
  playAll(`
    is held
      limit 1 | submit Go | finish session-1 1 | submit Two => sent Go; queued Two; isHeld true
    is sent after the limit was removed
      limit 1 | submit Go | finish session-1 1 | submit Two | limit none | send-now => sent Go, Two
    is held when the question before it is canceled
      submit One | open | ask | submit Two | cancel-and-send | limit 1 | finish session-1 1 => sent One, cancel;
      isHeld true
    is held when it no longer waits for a run that was left
      mode self-drive | submit One | open | stop | submit Two | other cost | limit 1 | wait 30000 => phase idle;
      sent One; isHeld true
  `);
});

describe('what a conversation costs', () => {
  it('is the sum of the reported costs of all windows, after a reload too', async () => {
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

  it('shows how many replies reported no cost beside a limit or another cost', async () => {
    const stage = new Stage();
    await turn(stage);
    assert.equal(view(stage).cost, '');
    stage.conversation.record({ type: 'cost-limit', usd: 2 });
    assert.equal(view(stage).cost, 'Cost: $0.00 of $2.00, unknown for 1 reply');
    stage.submit('Go');
    await stage.stopped();
    stage.submit('Go');
    await stage.fail({ kind: 'invalid-request', status: 400 });
    assert.equal(stage.conversation.transcript.cost.unknown, 2, 'what was refused cost nothing');
  });

  it('shows a banner at 80% and at 100% of its limit', async () => {
    const stage = limited();
    await turn(stage, 0.79);
    assert.equal(told(stage), '');
    await turn(stage, 0.01);
    const near = told(stage);
    assert.match(near, /80% of the \$1\.00 cost limit is used.*known only when a run ends/u);
    await turn(stage, 0.1);
    assert.equal(told(stage), near);
    await turn(stage, 0.1);
    assert.match(told(stage), /limit of \$1\.00 is reached/u);
    assert.deepEqual(
      view(stage).banners.flatMap(({ actions }) => actions.map(({ id }) => id)),
      ['limitCost'],
    );
  });

  it('holds the queue at its limit, and sends one prompt for each override', async () => {
    const stage = limited();
    stage.submit('One');
    for (const text of ['Two', 'Three']) stage.submit(text);
    await stage.finish('session-1', 1);
    assert.deepEqual([stage.exchanges.length, stage.state.queueHeld], [1, true]);
    assert.match(told(stage), /The prompts below weren’t sent/u);
    stage.conversation.send({ type: 'send-now' });
    assert.equal(stage.exchanges.length, 1);
    stage.conversation.send({ type: 'send-now', overrideCostLimit: true });
    await stage.finish('session-1', 1);
    assert.deepEqual([stage.exchanges.length, stage.state.queue.length], [2, 1]);
  });

  it('reads an amount as people type it, and nothing else', () => {
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
