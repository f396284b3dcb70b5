export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** A failed test or hook, printed again before the total: some CIs keep only the end of the output. */
interface Failure {
  /** Includes the titles of its suites. */
  readonly title: string;
  readonly reason: string;
}

/** The result of one mocha run. */
export interface RunRecord {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

/** The environment variable that names the file to which each mocha run appends its record as a JSON line. */
export const countsVariable = 'INTERNS_TEST_COUNTS';

export function recordLine(record: RunRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function parseRecords(lines: string): readonly RunRecord[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunRecord);
}

/**
 * Counts the tests of a part from the records of its runs and its exit code. A part without mocha runs is one test.
 * A part that failed without a failed test, such as by a crash, has one failure.
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
