/** How many tests of one part passed and failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** A test that failed, for the list before the total: the whole output is long, and a CI may keep its end alone. */
export interface Failure {
  /** With the titles of the suites around it. */
  readonly title: string;
  /** Its message and stack. */
  readonly reason: string;
}

/** The environment variable that names the file in which each mocha run leaves its counts, a JSON line a run. */
export const countsVariable = 'INTERNS_TEST_COUNTS';

/** The line that one run leaves. A pending test proves nothing, so it counts as failed. */
export function countsLine(
  stats: { passes: number; failures: number; pending: number },
  failures: readonly Failure[] = [],
): string {
  const counts: Counts = { passed: stats.passes, failed: stats.failures + stats.pending };
  return `${JSON.stringify({ ...counts, failures })}\n`;
}

/** The sum over the lines that a part's runs have left. */
export function parseCounts(lines: string): Counts {
  return sum(parseLines(lines));
}

/** The tests that failed in a part's runs. */
export function parseFailures(lines: string): readonly Failure[] {
  return parseLines(lines).flatMap(({ failures }) => failures);
}

function parseLines(lines: string): readonly (Counts & { failures: readonly Failure[] })[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Counts & { failures: readonly Failure[] });
}

/**
 * The counts of a part, from those that its runs left and its exit code. A part without mocha runs is one test; one
 * that fails though no test did, by a crash or for want of tests, has one failure more.
 */
export function partCounts({ passed, failed }: Counts, exitCode: number): Counts {
  if (exitCode !== 0) return { passed, failed: Math.max(failed, 1) };
  return passed + failed === 0 ? { passed: 1, failed } : { passed, failed };
}

export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, { passed }) => total + passed, 0),
    failed: all.reduce((total, { failed }) => total + failed, 0),
  };
}
