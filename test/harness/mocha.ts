import path from 'node:path';
import { projectFolder } from './paths.ts';
import { suitesOf } from './testSet.ts';
import { run } from './processes.ts';

/** The time limit of a test with a window, in milliseconds. */
const testMs = 120_000;

/** How many files run side by side, each in its own process: a window or page mostly waits. */
const jobs = 2;

/**
 * Runs the suites of a folder that drive a browser, in a mocha of its own.
 * @param args more arguments for mocha, such as `--grep TITLE`, or files in place of the folder's
 * @returns mocha's exit code; not 0 if there are no suites
 */
export async function runMocha(folder: string, args: readonly string[]): Promise<number> {
  const program = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const harness = path.relative(projectFolder, import.meta.dirname);
  const files = args.some((arg) => /^[^-].*\.test\.ts$/.test(arg)) ? [] : [suitesOf(folder)];
  const all = [
    program,
    '--no-config',
    ...['--reporter', path.join(harness, 'reporter.ts')],
    ...['--require', path.join(harness, 'hooks.ts')],
    ...['--require', path.join(harness, 'randomTests.ts')],
    ...['--timeout', String(testMs)],
    '--forbid-only',
    '--forbid-pending',
    '--fail-zero',
    ...['--parallel', '--jobs', String(jobs)],
    ...args,
    ...files,
  ];
  return await run(process.execPath, all);
}
