/** How many tests passed and failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** A test or hook that failed, for the list before the total: the whole output is long, and a CI may keep its end alone. */
interface Failure {
  /** With the titles of the suites around it. */
  readonly title: string;
  /** Its message and stack. */
  readonly reason: string;
}

/** What one mocha run leaves. */
export interface RunRecord {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

/** The environment variable that names the file in which each mocha run leaves its record, a JSON line a run. */
export const countsVariable = 'INTERNS_TEST_COUNTS';

/** The line that one run leaves. */
export function recordLine(record: RunRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** The records that a part's runs have left. */
export function parseRecords(lines: string): readonly RunRecord[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunRecord);
}

/**
 * The counts of a part, from what its runs left and its exit code. A part without mocha runs is one test; one that fails
 * though no test did, by a crash or for want of tests, has one failure more.
 */
export function partCounts(records: readonly RunRecord[], exitCode: number): Counts {
  const { passed, failed } = sum(
    records.map((record) => ({ passed: record.passed, failed: record.failures.length })),
  );
  if (exitCode !== 0) return { passed, failed: Math.max(failed, 1) };
  return passed + failed === 0 ? { passed: 1, failed } : { passed, failed };
}

export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.reduce((total, { failed }) => total + failed, 0),
  };
}
