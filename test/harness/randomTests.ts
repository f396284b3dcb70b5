/**
 * Loaded by mocha before all tests: prints and stores the seed and the case of a failed random test, with which it
 * can be run again.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc, { type Parameters, type RunDetails } from 'fast-check';
import type Mocha from 'mocha';
import { distFolder, projectFolder } from './paths.ts';

/** The environment variable with the seed of a run: `SEED`, or `SEED:PATH` for one case. */
const seedVariable = 'INTERNS_TEST_SEED';

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
 * Reads a printed seed.
 * @throws an Error if the text is none.
 */
export function parametersOf(seed: string | undefined): Pick<Parameters, 'seed' | 'path'> {
  if (seed === undefined) return {};
  if (!/^-?\d+(:\d+)*$/.test(seed)) throw new Error(`${seedVariable} is no seed: ${seed}`);
  const [first, ...steps] = seed.split(':');
  return { seed: Number(first), ...(steps.length > 0 && { path: steps.join(':') }) };
}

/** Describes a failed test in a file and in the error that it throws. */
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

/** A value of a case; the items of a list on a line each. */
function trace(value: unknown): string {
  const lines = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return lines.map((line) => `  ${fc.stringify(line)}`).join('\n');
}
