import assert from 'node:assert/strict';
import type { JournalEntry } from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { headerView, messageView } from '../../../../src/features/chatPanel/present/messageView.ts';
import { messageContext } from '../../conversation/viewContexts.ts';

const finishedAt = (at: number) =>
  ({ type: 'finished', id: 'f', at, run: 'r', reason: 'stop' }) as const;

function replyAfter(...entries: readonly JournalEntry[]) {
  const { lastReply } = Transcript.fold([
    { type: 'prompt', id: 'p', at: 1_000, run: 'r', text: '', mode: 'manual' },
    ...entries,
  ]);
  assert.ok(lastReply);
  return lastReply;
}

/** Runs of both directions, whose layout takes a time that grows with the square of the length. */
const longText = 'א a '.repeat(250_000);

describe('a question in a reply', () => {
  it('a question of a megabyte shows its first 10,000 characters and its length', () => {
    for (const args of [
      longText,
      JSON.stringify({ kind: 'elicitation', message: longText, fields: [] }),
    ]) {
      const call = { id: 'c', name: 'service.provide_input', arguments: args };
      const asked = { type: 'asked', id: 'a', at: 1_000, run: 'r', question: 'q', call } as const;
      const view = messageView(replyAfter(asked), messageContext);
      const [part] = view.kind === 'reply' ? view.parts : [];
      assert.ok(part?.kind === 'question');
      assert.ok(part.question.detail.length < 10_050);
      assert.match(part.question.detail, /א a א.*… \(1,000,\d{3} characters in total\)$/s);
    }
  });
});

describe('the header of a reply', () => {
  const headerAfter = (...entries: readonly JournalEntry[]) =>
    headerView(replyAfter(...entries), messageContext);
  /** @param tookMs undefined if the reply has not ended */
  const factsOf = (tookMs?: number) =>
    headerAfter(...(tookMs === undefined ? [] : [finishedAt(1_000 + tookMs)])).facts;

  it('the name of a model of a megabyte is cut', () => {
    const end = { type: 'end', id: 'e', at: 1_000, run: 'r', session: null, usage: null } as const;
    const { facts } = headerAfter({ ...end, model: longText });
    assert.deepEqual(facts, [`${longText.slice(0, 99)}…`]);
  });

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

  it('a refused API key leaves it to the banner to offer signing in', () => {
    const actionsAfter = (kind: 'signed-out' | 'left-organization' | 'outsider') => {
      const failure = { kind, status: 403, message: '', inStream: false };
      const failed = { type: 'failed', id: 'f', at: 2_000, run: 'r', failure } as const;
      return headerAfter(failed).failure?.actions.map(({ id }) => id);
    };
    assert.deepEqual(actionsAfter('signed-out'), ['retry']);
    assert.deepEqual(actionsAfter('left-organization'), ['retry']);
    assert.deepEqual(actionsAfter('outsider'), ['signIn', 'retry']);
  });
});
