/** How many tests passed and failed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** A test that failed, for the list before the total: the whole output is long, and a CI may keep its end alone. */
export interface Failure {
  /** The file of its suite; empty where mocha names none. */
  readonly file: string;
  /** With the titles of the suites around it. */
  readonly title: string;
  /** Its message and stack. */
  readonly reason: string;
}

/** What one mocha run leaves. */
export interface RunRecord {
  /** By the file of the suites. A pending test proves nothing, so it counts as failed. */
  readonly files: Readonly<Record<string, Counts>>;
  readonly failures: readonly Failure[];
  /** Failures of files that passed when they were run once more, alone. */
  readonly unsteady: readonly Failure[];
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

/** The sum over the files of some runs. */
export function countsOf(records: readonly RunRecord[]): Counts {
  return sum(records.flatMap(({ files }) => Object.values(files)));
}

/** One record of a run and of the one that ran its failed files again: the second word on a file counts. */
export function withSecondTry(first: RunRecord, second: RunRecord): RunRecord {
  const failedAgain = new Set(second.failures.map(({ file }) => file));
  const ranAgain = (file: string) => file in second.files || failedAgain.has(file);
  return {
    files: { ...first.files, ...second.files },
    failures: [...first.failures.filter(({ file }) => !ranAgain(file)), ...second.failures],
    unsteady: first.failures.filter(({ file }) => ranAgain(file) && !failedAgain.has(file)),
  };
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
