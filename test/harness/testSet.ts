/** The two test sets: `npm test` runs the usual one, `npm run test:full` the rest. */

const testSets = ['usual', 'full'] as const;

export type TestSet = (typeof testSets)[number];

/** The environment variable that names the {@link TestSet}. */
export const testSetVariable = 'INTERNS_TEST_SET';

/** @throws Error if there is no such test set */
export function testSetOf(name: string): TestSet {
  const found = testSets.find((each) => each === name);
  if (found === undefined) throw new Error(`${name} is none of the test sets ${testSets.join()}.`);
  return found;
}

/** The test set of this process. */
export const testSet = testSetOf(process.env[testSetVariable] ?? 'usual');

/** Returns a glob of the test files in a folder for this test set: `*.full.test.ts` for the full one. */
export function suitesOf(folder: string): string {
  return `${folder}/**/${testSet === 'usual' ? '!(*.full)' : '*.full'}.test.ts`;
}

/** Returns the samples of a test of the full set, or their number: fewer in CI, which has little time. */
export function samples<T>(atLength: T, inCI: T): T {
  return process.env['CI'] === undefined ? atLength : inCI;
}
