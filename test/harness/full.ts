/** What `npm test` leaves out for time, and `npm run test:full` runs. */

const testSets = ['usual', 'full'] as const;

export type TestSet = (typeof testSets)[number];

/** The environment variable that names the {@link TestSet} of a run. */
export const testSetVariable = 'INTERNS_TEST_SET';

/**
 * The test set of a name.
 * @throws an Error where there is none.
 */
export function testSetOf(name: string): TestSet {
  const found = testSets.find((each) => each === name);
  if (found === undefined) throw new Error(`${name} is none of the test sets ${testSets.join()}.`);
  return found;
}

const testSet = testSetOf(process.env[testSetVariable] ?? 'usual');

/** The test files of a folder that this run is for: `*.full.test.ts` in the full test set, the others in the usual one. */
export function suitesOf(folder: string): string {
  return `${folder}/**/${testSet === 'usual' ? '!(*.full)' : '*.full'}.test.ts`;
}

/** How often a random test of the full set repeats itself: at length, or as often as a CI with little time allows. */
export function repeats(atLength: number, inCI: number): number {
  return process.env['CI'] === undefined ? atLength : inCI;
}
