/**
 * Runs all checks, even after one failed, unless there is no VSIX to test. Prints the failures and the total.
 *
 *     npm test
 *     npm run test:full [-- --no-package]     what `npm test` leaves out for time, see CONTRIBUTING.md
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  countsVariable,
  parseRecords,
  partCounts,
  sum,
  type Counts,
  type RunRecord,
} from './counts.ts';
import { testSetOf, testSetVariable, type TestSet } from './testSet.ts';
import { npmRun } from './npm.ts';
import { temporaryFolder } from './paths.ts';
import { exitOnSignals } from './processes.ts';

interface Part {
  readonly script: string;
  readonly args?: readonly string[];
}

interface Result {
  readonly part: Part;
  readonly counts: Counts;
  readonly records: readonly RunRecord[];
  readonly seconds: number;
}

/** Parts that run one after another. */
type Lane = readonly Part[];

/** Builds the VSIX in dist/, which the suites with a window use. */
const packaging: Part = { script: 'package' };

const unitTests: Part = {
  script: 'test:unit',
  args: ['--reporter', 'test/harness/reporter.ts', '--fail-zero'],
};

const endToEnd: Part = { script: 'test:e2e', args: ['--no-package'] };

const screenReader: Part = { script: 'test:reader', args: ['--no-package'] };

/** Code-server doesn't run on Windows, and Orca runs only on Linux. */
const isLeftOut = (part: Part) =>
  (part.script === 'test:e2e' && process.platform === 'win32') ||
  (part === screenReader && process.platform !== 'linux');

const page: Part = { script: 'test:webview', args: ['--no-build'] };

/**
 * Lanes of one stage run at the same time, on two cores. The end-to-end suites use both cores for their two windows,
 * so nothing runs beside them.
 */
const stagesOf: Readonly<Record<TestSet, readonly (readonly Lane[])[]>> = {
  usual: [
    [[packaging]],
    [
      [
        { script: 'lint' },
        { script: 'typecheck' },
        { script: 'test:vscode', args: ['--no-build'] },
      ],
      [unitTests],
    ],
    [[endToEnd]],
    [[page]],
  ],
  full: [
    [[packaging]],
    [[page], [{ script: 'test:vscode', args: ['--no-build', '--oldest'] }], [screenReader]],
    [[endToEnd]],
  ],
};

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'usual' },
    /** Off tests the VSIX in dist/ as it is. */
    package: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const testSet = testSetOf(values.set);
process.env[testSetVariable] = testSet;
const stages = stagesOf[testSet].map((lanes) =>
  lanes.map((lane) =>
    lane.filter((part) => (part !== packaging || values.package) && !isLeftOut(part)),
  ),
);

exitOnSignals();
await using folder = await temporaryFolder();
/** The output of parts that is not yet printed, in the order in which it will be. */
const outputs: { kept: string; ended: boolean }[] = [];
const results: Result[] = [];
for (const lanes of stages) {
  results.push(...(await Promise.all(lanes.map(runLane))).flat());
  if (results.some(({ part, counts }) => part === packaging && counts.failed > 0)) break;
}
printResults(results);

async function runLane(lane: Lane): Promise<Result[]> {
  const parts = lane.map((part) => {
    const output = { kept: `\n=== ${title(part)}\n`, ended: false };
    outputs.push(output);
    return { part, output };
  });
  const done: Result[] = [];
  for (const { part, output } of parts) {
    const start = performance.now();
    const outcome = await runPart(part, (text) => {
      output.kept += text;
      printInOrder();
    });
    output.ended = true;
    printInOrder();
    done.push({ part, ...outcome, seconds: (performance.now() - start) / 1000 });
  }
  return done;
}

/** Prints the output of parallel parts one part after another. */
function printInOrder(): void {
  for (let [first] = outputs; first !== undefined; [first] = outputs) {
    process.stdout.write(first.kept);
    first.kept = '';
    if (!first.ended) return;
    outputs.shift();
  }
}

async function runPart(
  part: Part,
  onOutput: (text: string) => void,
): Promise<Pick<Result, 'counts' | 'records'>> {
  const file = path.join(folder.path, `${title(part)}.jsonl`);
  const env = { [countsVariable]: file };
  const exitCode = await npmRun(part.script, part.args ?? [], { env, onOutput });
  const records = parseRecords(await readFile(file, 'utf8').catch(() => ''));
  return { counts: partCounts(records, exitCode), records };
}

function title({ script, args = [] }: Part): string {
  return [script, ...args.filter((arg) => arg === '--oldest')].join(' ');
}

/** Prints failures, parts and the total. Scripts read the last line: keep it as it is. */
function printResults(all: readonly Result[]): void {
  for (const { part, records } of all) {
    for (const { title: test, reason } of records.flatMap(({ failures }) => failures))
      console.log(`\nFailed in ${title(part)}: ${test}\n${reason}`);
  }
  console.log('');
  for (const { part, counts, seconds } of all) {
    const outcome = `${counts.passed} passed, ${counts.failed} failed`;
    console.log(`${title(part).padEnd(22)} ${outcome}, ${seconds.toFixed(0)} s`);
  }
  const total = sum(all.map(({ counts }) => counts));
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}
