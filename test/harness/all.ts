/**
 * Runs every check, each part to its end even where an earlier one failed, and prints the total.
 *
 *     npm test
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { countsVariable, parseCounts, partCounts, sum, type Counts } from './counts.ts';
import { npmRun } from './npm.ts';
import { OrderedOutput, type OutputSource } from './orderedOutput.ts';
import { temporaryFolder } from './paths.ts';
import { exitOnSignals } from './processes.ts';

interface Part {
  /** The script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  /** The script of the same lane without whose success this one could not say anything of its own. */
  readonly needs?: string;
}

interface Result {
  readonly part: Part;
  readonly counts: Counts;
  readonly seconds: number;
}

/** Two lanes run at the same time, for two cores. Only the second one writes into dist/. */
const lanes: readonly (readonly Part[])[] = [
  [
    { script: 'lint' },
    { script: 'typecheck' },
    { script: 'test:unit', args: ['--reporter', 'test/harness/reporter.ts', '--fail-zero'] },
  ],
  [
    { script: 'package' },
    { script: 'test:e2e', args: ['--no-package'], needs: 'package' },
    { script: 'test:webview' },
    { script: 'test:vscode' },
    { script: 'test:vscode', args: ['--oldest'] },
  ],
];

exitOnSignals();
await using folder = await temporaryFolder();
const output = new OrderedOutput((text) => process.stdout.write(text));
const sources = lanes.map((parts) => parts.map((part) => ({ part, source: output.add() })));
const results = await Promise.all(sources.map(runLane));
printTotal(results.flat());

async function runLane(parts: readonly { part: Part; source: OutputSource }[]): Promise<Result[]> {
  const done: Result[] = [];
  for (const { part, source } of parts) {
    const start = performance.now();
    source.write(`\n=== ${title(part)}\n`);
    const counts = await runPart(part, source, done);
    source.end();
    done.push({ part, counts, seconds: (performance.now() - start) / 1000 });
  }
  return done;
}

async function runPart(part: Part, source: OutputSource, done: readonly Result[]): Promise<Counts> {
  const broken = done.find(({ part: { script } }) => script === part.needs);
  if (broken !== undefined && broken.counts.failed > 0) {
    source.write(`Not run: it needs ${title(broken.part)}, which failed.\n`);
    return { passed: 0, failed: 1 };
  }
  const file = path.join(folder.path, `${title(part)}.jsonl`);
  const exitCode = await npmRun(part.script, part.args ?? [], {
    env: { [countsVariable]: file },
    onOutput: (text) => source.write(text),
  });
  const lines = await readFile(file, 'utf8').catch(() => '');
  return partCounts(parseCounts(lines), exitCode);
}

function title({ script, args = [] }: Part): string {
  return [script, ...args.filter((arg) => arg === '--oldest')].join(' ');
}

/** The last line is what scripts read: keep it as it is. */
function printTotal(all: readonly Result[]): void {
  console.log('');
  for (const { part, counts, seconds } of all) {
    const outcome = `${counts.passed} passed, ${counts.failed} failed`;
    console.log(`${title(part).padEnd(22)} ${outcome}, ${seconds.toFixed(0)} s`);
  }
  const total = sum(all.map(({ counts }) => counts));
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}
