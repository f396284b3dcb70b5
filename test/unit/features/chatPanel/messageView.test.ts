import assert from 'node:assert/strict';
import type { JournalEntry } from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { headerView } from '../../../../src/features/chatPanel/present/messageView.ts';
import { messageContext } from '../../conversation/viewContexts.ts';

const finishedAt = (at: number) =>
  ({ type: 'finished', id: 'f', at, run: 'r', reason: 'stop' }) as const;

describe('the header of a reply', () => {
  const headerAfter = (...entries: readonly JournalEntry[]) => {
    const { lastReply } = Transcript.fold([
      { type: 'prompt', id: 'p', at: 1_000, run: 'r', text: '', mode: 'manual' },
      ...entries,
    ]);
    assert.ok(lastReply);
    return headerView(lastReply, messageContext);
  };
  /** @param tookMs undefined if the reply has not ended */
  const factsOf = (tookMs?: number) =>
    headerAfter(...(tookMs === undefined ? [] : [finishedAt(1_000 + tookMs)])).facts;

  it('a reply that ended shows how long it took in its two largest units', () => {
    assert.deepEqual(factsOf(), []);
    assert.deepEqual(factsOf(20), ['Took 1s']);
    assert.deepEqual(factsOf(125_000), ['Took 2m 5s']);
    assert.deepEqual(factsOf(2 * 3_600_000 + 65_000), ['Took 2h 1m']);
  });

  it('an interrupted reply claims no reason, since a sign-out may have ended it too', () => {
    const { failure } = headerAfter({ type: 'cut', id: 'c', at: 2_000, run: 'r' });
    assert.deepEqual(
      [failure?.title, failure?.detail],
      [
        'The connection closed, and the run was canceled',
        'This happens, for example, when VS Code closes. The reply so far is above. Retry starts over.',
      ],
    );
  });
});
