import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  countsOf,
  countsVariable,
  parseRecords,
  recordLine,
  withSecondTry,
  type RunRecord,
} from './counts.ts';
import { projectFolder, temporaryFolder } from './paths.ts';
import { run } from './processes.ts';

/** How long one test may take, in milliseconds, where windows are opened. */
const testMs = 120_000;

/** How many files that failed are run again: where more fail, it is not for want of the processor. */
const maxSecondTries = 3;

/**
 * Runs suites that drive a browser, in a mocha of its own.
 * @param suites a glob of the test files, from the root of the project; the arguments may name files instead.
 * @param args more arguments for mocha, such as `--grep TITLE`.
 * @param jobs how many files run side by side, each in a process of its own.
 * @returns mocha's exit code; not 0 where there are no suites.
 */
export async function runMocha(
  suites: string,
  args: readonly string[],
  { jobs = 1, env }: { jobs?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<number> {
  const program = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const harness = path.relative(projectFolder, import.meta.dirname);
  const files = args.some((arg) => arg.endsWith('.test.ts')) ? [] : [suites];
  const all = [
    program,
    '--no-config',
    ...['--reporter', path.join(harness, 'reporter.ts')],
    ...['--require', path.join(harness, 'hooks.ts')],
    ...['--timeout', String(testMs)],
    '--forbid-only',
    '--forbid-pending',
    '--fail-zero',
    ...(jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : []),
    ...args,
    ...files,
  ];
  return await run(process.execPath, all, env === undefined ? {} : { env });
}

/**
 * Runs suites side by side, and the files that failed once more, one after the other: two windows on two cores can keep
 * each other waiting past any patience, and what fails by itself fails again. A test that only passed then is told of at
 * the end (`unsteady`), for somebody to find the reason.
 * @returns 0 where every test has passed in the end.
 */
export async function runSideBySide(
  suites: string,
  args: readonly string[],
  jobs: number,
): Promise<number> {
  await using folder = await temporaryFolder();
  const runOnce = async (name: string, names: readonly string[], options: { jobs?: number }) => {
    const file = path.join(folder.path, name);
    const exitCode = await runMocha(suites, names, { ...options, env: { [countsVariable]: file } });
    const [record] = parseRecords(await readFile(file, 'utf8').catch(() => ''));
    return { exitCode, record };
  };
  const first = await runOnce('first', args, { jobs });
  const failed = failedFiles(first.record);
  if (failed.length === 0 || failed.length > maxSecondTries) {
    await leave(first.record);
    return first.exitCode;
  }
  console.log(`\nOnce more, alone: ${failed.join(', ')}`);
  const options = args.filter((arg) => !arg.endsWith('.test.ts'));
  const second = await runOnce('second', [...options, ...failed], {});
  const record = second.record && withSecondTry(first.record!, second.record);
  await leave(record ?? first.record);
  return record !== undefined && countsOf([record]).failed === 0 ? second.exitCode : 1;
}

/** The files that can be run again; none where something failed that belongs to no file. */
function failedFiles(record: RunRecord | undefined): readonly string[] {
  const files = [...new Set(record?.failures.map(({ file }) => file))];
  return files.includes('') ? [] : files;
}

/** Hands a record on to `npm test`, where it is what runs this. */
async function leave(record: RunRecord | undefined): Promise<void> {
  const file = process.env[countsVariable];
  if (file !== undefined && record !== undefined) await appendFile(file, recordLine(record));
}
