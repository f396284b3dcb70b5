import path from 'node:path';
import { projectFolder } from './paths.ts';
import { run } from './processes.ts';

/** The time limit of a test with a window, in milliseconds. */
const testMs = 120_000;

/**
 * Runs suites that drive a browser, in a mocha of its own.
 * @param suites a glob of the test files, from the root of the project; the arguments may name files instead.
 * @param args more arguments for mocha, such as `--grep TITLE`.
 * @param jobs how many files run side by side, each in a process of its own.
 * @returns mocha's exit code; not 0 where there are no suites.
 */
export async function runMocha(suites: string, args: readonly string[], jobs = 1): Promise<number> {
  const program = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const harness = path.relative(projectFolder, import.meta.dirname);
  const files = args.some((arg) => /^[^-].*\.test\.ts$/.test(arg)) ? [] : [suites];
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
    ...(jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : []),
    ...args,
    ...files,
  ];
  return await run(process.execPath, all);
}
