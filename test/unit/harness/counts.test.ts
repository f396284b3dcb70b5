import assert from 'node:assert/strict';
import { parseRecords, partCounts, recordLine, sum } from '../../harness/counts.ts';

describe('test counts', () => {
  const failure = { title: 'a chat sends', reason: 'Error: not sent' };
  const record = { passed: 3, failures: [failure] };

  it('add up over the runs of a part', () => {
    const records = parseRecords(recordLine(record) + recordLine({ passed: 2, failures: [] }));
    assert.deepEqual(partCounts(records, 1), { passed: 5, failed: 1 });
  });

  it('come with the failures of all runs, to be read at the end of a long output', () => {
    assert.deepEqual(parseRecords(recordLine(record))[0]?.failures, [failure]);
  });

  it('hold a failure for a part that crashed after its tests had passed', () => {
    assert.deepEqual(partCounts([{ passed: 5, failures: [] }], 1), { passed: 5, failed: 1 });
  });

  it('hold a failure for a part that had no tests to run', () => {
    assert.deepEqual(partCounts([], 1), { passed: 0, failed: 1 });
  });

  it('hold one test for a part that is a single check', () => {
    assert.deepEqual(partCounts([], 0), { passed: 1, failed: 0 });
  });

  it('are zero for no parts', () => {
    assert.deepEqual(sum([]), { passed: 0, failed: 0 });
  });
});
