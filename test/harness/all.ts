/**
 * Runs every check, each part to its end even where an earlier one failed, unless there is no VSIX to check; prints the
 * failures and the total.
 *
 *     npm test
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  countsOf,
  countsVariable,
  parseRecords,
  partCounts,
  sum,
  type Counts,
  type RunRecord,
} from './counts.ts';
import { npmRun } from './npm.ts';
import { OrderedOutput, type OutputSource } from './orderedOutput.ts';
import { temporaryFolder } from './paths.ts';
import { exitOnSignals } from './processes.ts';

interface Part {
  /** The script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
}

interface Result {
  readonly part: Part;
  readonly counts: Counts;
  readonly records: readonly RunRecord[];
  readonly seconds: number;
}

/** Parts that run one after the other. */
type Lane = readonly Part[];

/** What comes before all else: end-to-end suites find the VSIX in dist/. */
const packaging: Lane = [{ script: 'package' }];

/**
 * Lanes of one stage run at the same time, for two cores. End-to-end suites drive two windows at once, which is as much
 * as two cores take: everything else comes before or after them.
 */
const stages: readonly (readonly Lane[])[] = [
  [
    [{ script: 'lint' }],
    [
      { script: 'typecheck' },
      { script: 'test:unit', args: ['--reporter', 'test/harness/reporter.ts', '--fail-zero'] },
    ],
  ],
  [[{ script: 'test:e2e', args: ['--no-package'] }]],
  [
    [
      { script: 'test:webview' },
      { script: 'test:vscode' },
      { script: 'test:vscode', args: ['--oldest'] },
    ],
  ],
];

exitOnSignals();
await using folder = await temporaryFolder();
const output = new OrderedOutput((text) => process.stdout.write(text));
const results = await runLane(packaging);
if (results.every(({ counts }) => counts.failed === 0)) {
  for (const lanes of stages) results.push(...(await Promise.all(lanes.map(runLane))).flat());
}
printResults(results);

async function runLane(lane: Lane): Promise<Result[]> {
  const sources = lane.map((part) => ({ part, source: output.add() }));
  const done: Result[] = [];
  for (const { part, source } of sources) {
    const start = performance.now();
    source.write(`\n=== ${title(part)}\n`);
    const outcome = await runPart(part, source);
    source.end();
    done.push({ part, ...outcome, seconds: (performance.now() - start) / 1000 });
  }
  return done;
}

async function runPart(
  part: Part,
  source: OutputSource,
): Promise<Pick<Result, 'counts' | 'records'>> {
  const file = path.join(folder.path, `${title(part)}.jsonl`);
  const exitCode = await npmRun(part.script, part.args ?? [], {
    env: { [countsVariable]: file },
    onOutput: (text) => source.write(text),
  });
  const records = parseRecords(await readFile(file, 'utf8').catch(() => ''));
  return { counts: partCounts(countsOf(records), exitCode), records };
}

function title({ script, args = [] }: Part): string {
  return [script, ...args.filter((arg) => arg === '--oldest')].join(' ');
}

/** What is unsteady, failures, parts, total. The last line is what scripts read: keep it as it is. */
function printResults(all: readonly Result[]): void {
  const print = (what: 'unsteady' | 'failures', verdict: string) => {
    for (const { part, records } of all) {
      for (const { title: test, reason } of records.flatMap((record) => record[what])) {
        console.log(`\n${verdict} in ${title(part)}: ${test}\n${reason}`);
      }
    }
  };
  print('unsteady', 'Passed when run again, alone,');
  print('failures', 'Failed');
  console.log('');
  for (const { part, counts, seconds } of all) {
    const outcome = `${counts.passed} passed, ${counts.failed} failed`;
    console.log(`${title(part).padEnd(22)} ${outcome}, ${seconds.toFixed(0)} s`);
  }
  const total = sum(all.map(({ counts }) => counts));
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}
