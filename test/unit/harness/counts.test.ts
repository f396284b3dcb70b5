import assert from 'node:assert/strict';
import { parseRecords, partCounts, recordLine, sum } from '../../harness/counts.ts';

describe('test counts', () => {
  const failure = { title: 'a chat sends', reason: 'Error: not sent' };
  const record = { passed: 3, failures: [failure] };

  it('add up over the runs of a part', () => {
    const records = parseRecords(recordLine(record) + recordLine({ passed: 2, failures: [] }));
    assert.deepEqual(partCounts(records, 1), { passed: 5, failed: 1 });
  });

  it('come with the failures of all runs', () => {
    assert.deepEqual(parseRecords(recordLine(record))[0]?.failures, [failure]);
  });

  it('count a failure for a part that crashed after its tests', () => {
    assert.deepEqual(partCounts([{ passed: 5, failures: [] }], 1), { passed: 5, failed: 1 });
  });

  it('count a failure for a part without tests', () => {
    assert.deepEqual(partCounts([], 1), { passed: 0, failed: 1 });
  });

  it('count one test for a part that is a single check', () => {
    assert.deepEqual(partCounts([], 0), { passed: 1, failed: 0 });
  });

  it('are zero for no parts', () => {
    assert.deepEqual(sum([]), { passed: 0, failed: 0 });
  });
});
