import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { headerView } from '../../../../src/features/chatPanel/present/messageView.ts';

const finishedAt = (at: number) =>
  ({ type: 'finished', id: 'f', at, run: 'r', reason: 'stop' }) as const;

describe('the header of a reply', () => {
  /** @param tookMs undefined if the reply has not ended */
  const factsOf = (tookMs?: number) => {
    const { lastReply } = Transcript.fold([
      { type: 'prompt', id: 'p', at: 1_000, run: 'r', text: '', mode: 'manual' },
      ...(tookMs === undefined ? [] : [finishedAt(1_000 + tookMs)]),
    ]);
    assert.ok(lastReply);
    return headerView(lastReply, {
      ...{ author: 'ada', askedQuestion: null, whenUnanswered: 'expire', editablePrompt: null },
    }).facts;
  };

  it('a reply that ended shows how long it took in its two largest units', () => {
    assert.deepEqual(factsOf(), []);
    assert.deepEqual(factsOf(20), ['Took 1s']);
    assert.deepEqual(factsOf(125_000), ['Took 2m 5s']);
    assert.deepEqual(factsOf(2 * 3_600_000 + 65_000), ['Took 2h 1m']);
  });
});
