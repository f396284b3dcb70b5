/**
 * Loaded by mocha before all tests: prints and keeps what is needed to run a random test again that failed, its seed and
 * the case that it failed for.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc, { type Parameters, type RunDetails } from 'fast-check';
import type Mocha from 'mocha';
import { distFolder, projectFolder } from './paths.ts';

/** The environment variable that names the seed of a run: `SEED`, or `SEED:PATH` for the one case that failed. */
const seedVariable = 'INTERNS_TEST_SEED';

/** The test that runs, and its file. */
const running = { title: 'before the first test', file: '' };

export const mochaHooks: Mocha.RootHookObject = {
  beforeEach(this: Mocha.Context) {
    if (this.currentTest === undefined) return;
    running.title = this.currentTest.fullTitle();
    running.file = path.relative(projectFolder, this.currentTest.file ?? '');
  },
};

/** The folder for descriptions of failures. */
export const failures = { folder: path.join(distFolder, 'failures') };

fc.configureGlobal(parametersOf(process.env[seedVariable]));
fc.installGlobalPlugin(() => ({ onAllRunsComplete: report }));

/**
 * Reads a seed that was printed.
 * @throws an Error where the text is none.
 */
export function parametersOf(seed: string | undefined): Pick<Parameters, 'seed' | 'path'> {
  if (seed === undefined) return {};
  if (!/^-?\d+(:\d+)*$/.test(seed)) throw new Error(`${seedVariable} is no seed: ${seed}`);
  const [first, ...steps] = seed.split(':');
  return { seed: Number(first), ...(steps.length > 0 && { path: steps.join(':') }) };
}

/** Throws for a test that failed, with the description that it has put into a file. */
function report<T>(details: RunDetails<T>): void {
  if (!details.failed) return;
  const text = describeFailure(details);
  const name = running.title.replaceAll(/[^a-z0-9]+/gi, '-').slice(-100);
  const file = path.join(failures.folder, `${name}.${details.seed}.txt`);
  mkdirSync(failures.folder, { recursive: true });
  writeFileSync(file, `${running.title}\n${text}\n`);
  throw new Error(`${text}\nKept in ${file}`, { cause: details.errorInstance });
}

function describeFailure<T>(details: RunDetails<T>): string {
  const { seed, counterexamplePath, counterexample, numRuns, numShrinks, errorInstance } = details;
  const reason = errorInstance instanceof Error ? errorInstance.stack : errorInstance;
  const again = [seed, ...(counterexamplePath === null ? [] : [counterexamplePath])].join(':');
  return [
    `Case ${numRuns} failed. Made smaller ${numShrinks} times, it is:`,
    ...(Array.isArray(counterexample) ? counterexample.map(trace) : ['  (none was tried)']),
    String(reason),
    `To run it again, name the test with --grep, and set ${seedVariable}=${again}`,
    `The test is in ${running.file}`,
  ].join('\n');
}

/** One value of a case; a list with an item a line. */
function trace(value: unknown): string {
  const lines = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return lines.map((line) => `  ${fc.stringify(line)}`).join('\n');
}
