import assert from 'node:assert/strict';
import {
  parseEntry,
  type JournalEntry,
  type EntryBody,
} from '../../../src/conversation/journal.ts';

const failure = { kind: 'busy', status: 409, message: 'Busy', inStream: false } as const;

/** One of each kind whose values come from a list: what an earlier version wrote is read for good. */
const listed: readonly EntryBody[] = [
  ...(['expired', 'gone', 'maybe-answered', 'abandoned', 'run-ended', 'unanswerable'] as const).map(
    (why) => ({ type: 'closed', question: 'q', why }) as const,
  ),
  ...(['stop', 'tool_calls'] as const).map(
    (reason) => ({ type: 'finished', run: 'r', reason }) as const,
  ),
  { type: 'finished', run: 'r', reason: 'error', failure },
  { type: 'asked', run: 'r', question: 'q', call: { id: 'c', name: 'n', arguments: '{}' } },
  {
    type: 'asked',
    run: 'r',
    question: 'q',
    call: { index: 2, id: 'c', name: 'n', arguments: '{}' },
  },
  ...(['new-session', 'edited', 'unreadable-call'] as const).map(
    (notice) => ({ type: 'notice', notice }) as const,
  ),
];

describe('an entry of a journal', () => {
  it('the journal reads an entry as it was written', () => {
    for (const body of listed) {
      const entry = { ...body, id: 'e', at: 1 } as JournalEntry;
      assert.deepEqual(parseEntry(JSON.stringify(entry)), entry);
    }
  });

  const foreign: Record<string, unknown> = {
    'without an id': { type: 'stopped', at: 1, run: 'r' },
    'without a time': { type: 'stopped', id: 'e', run: 'r' },
    'of a type that is a property of every object': { type: 'toString', id: 'e', at: 1 },
    'of a type of a later version': { type: 'sung', id: 'e', at: 1 },
    'with a value of a later version': { type: 'notice', id: 'e', at: 1, notice: 'sung' },
    'without a field that it needs': { type: 'stopped', id: 'e', at: 1 },
    'that is no object': 'stopped',
  };
  for (const [what, data] of Object.entries(foreign))
    it(`the journal skips an entry ${what}`, () => {
      assert.equal(parseEntry(JSON.stringify(data)), undefined);
    });

  it('the journal skips an entry whose line was torn', () => {
    const line = JSON.stringify({ type: 'stopped', id: 'e', at: 1, run: 'r' });
    for (let length = 0; length < line.length; length++)
      assert.equal(parseEntry(line.slice(0, length)), undefined);
  });
});
