import assert from 'node:assert/strict';
import { parseRecords, partCounts, recordLine, sum } from '../../harness/counts.ts';

describe('test counts', () => {
  const failure = { title: 'a chat sends', reason: 'Error: not sent' };
  const record = { passed: 3, failures: [failure] };

  it('the test counts add up all runs of a part', () => {
    const records = parseRecords(recordLine(record) + recordLine({ passed: 2, failures: [] }));
    assert.deepEqual(partCounts(records, 1), { passed: 5, failed: 1 });
  });

  it('the test counts keep the failures of each run of a part', () => {
    assert.deepEqual(parseRecords(recordLine(record))[0]?.failures, [failure]);
  });

  for (const [what, runs, exitCode, counts] of [
    ['a failure for a part that crashed after its tests', [5], 1, { passed: 5, failed: 1 }],
    ['a failure for a part without tests', [], 1, { passed: 0, failed: 1 }],
    ['one test for a part that is a single check', [], 0, { passed: 1, failed: 0 }],
  ] as const)
    it(`the test counts have ${what}`, () => {
      const records = runs.map((passed) => ({ passed, failures: [] }));
      assert.deepEqual(partCounts(records, exitCode), counts);
    });

  it('the test counts are zero for no parts', () => {
    assert.deepEqual(sum([]), { passed: 0, failed: 0 });
  });
});
