import assert from 'node:assert/strict';
import { countsLine, parseCounts, parseFailures, partCounts, sum } from '../../harness/counts.ts';

describe('test counts', () => {
  it('add up over the runs of a part', () => {
    const lines =
      countsLine({ passes: 3, failures: 0, pending: 0 }) +
      countsLine({ passes: 1, failures: 2, pending: 0 });
    assert.deepEqual(parseCounts(lines), { passed: 4, failed: 2 });
  });

  it('take a pending test for a failure, so nothing is skipped unseen', () => {
    const line = countsLine({ passes: 0, failures: 0, pending: 1 });
    assert.deepEqual(parseCounts(line), { passed: 0, failed: 1 });
  });

  it('come with the failures of all runs, to be read at the end of a long output', () => {
    const failure = { title: 'a chat sends', reason: 'Error: not sent' };
    const lines =
      countsLine({ passes: 1, failures: 1, pending: 0 }, [failure]) +
      countsLine({ passes: 1, failures: 0, pending: 0 });
    assert.deepEqual(parseFailures(lines), [failure]);
    assert.deepEqual(parseCounts(lines), { passed: 2, failed: 1 });
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
});
