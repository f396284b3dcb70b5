import assert from 'node:assert/strict';
import {
  countsOf,
  parseRecords,
  partCounts,
  recordLine,
  sum,
  withSecondTry,
  type RunRecord,
} from '../../harness/counts.ts';

describe('test counts', () => {
  const failure = { file: 'chat.test.ts', title: 'a chat sends', reason: 'Error: not sent' };
  const first: RunRecord = {
    files: { 'chat.test.ts': { passed: 3, failed: 1 }, 'vault.test.ts': { passed: 2, failed: 0 } },
    failures: [failure],
    unsteady: [],
  };

  it('add up over the files and runs of a part', () => {
    const second = {
      files: { 'story.test.ts': { passed: 1, failed: 2 } },
      failures: [],
      unsteady: [],
    };
    const records = parseRecords(recordLine(first) + recordLine(second));
    assert.deepEqual(countsOf(records), { passed: 6, failed: 3 });
  });

  it('come with the failures of all runs, to be read at the end of a long output', () => {
    assert.deepEqual(parseRecords(recordLine(first))[0]?.failures, [failure]);
  });

  it('hold a failure for a part that crashed after its tests had passed', () => {
    assert.deepEqual(partCounts({ passed: 5, failed: 0 }, 1), { passed: 5, failed: 1 });
  });

  it('hold a failure for a part that had no tests to run', () => {
    assert.deepEqual(partCounts({ passed: 0, failed: 0 }, 1), { passed: 0, failed: 1 });
  });

  it('hold one test for a part that is a single check', () => {
    assert.deepEqual(partCounts({ passed: 0, failed: 0 }, 0), { passed: 1, failed: 0 });
  });

  it('are zero for no parts', () => {
    assert.deepEqual(sum([]), { passed: 0, failed: 0 });
  });

  describe('of a second try', () => {
    it('take the place of the first ones of its files, and what passed now is told of as unsteady', () => {
      const second = {
        files: { 'chat.test.ts': { passed: 4, failed: 0 } },
        failures: [],
        unsteady: [],
      };
      const record = withSecondTry(first, second);
      assert.deepEqual(countsOf([record]), { passed: 6, failed: 0 });
      assert.deepEqual(record.failures, []);
      assert.deepEqual(record.unsteady, [failure]);
    });

    it('keep a failure that came again, once, with its second reason', () => {
      const again = { ...failure, reason: 'Error: still not sent' };
      const second = {
        files: { 'chat.test.ts': { passed: 3, failed: 1 } },
        failures: [again],
        unsteady: [],
      };
      const record = withSecondTry(first, second);
      assert.deepEqual(countsOf([record]), { passed: 5, failed: 1 });
      assert.deepEqual(record.failures, [again]);
      assert.deepEqual(record.unsteady, []);
    });

    it('keep the failures of files that did not run again', () => {
      const second = { files: {}, failures: [], unsteady: [] };
      assert.deepEqual(withSecondTry(first, second), first);
    });
  });
});
