/**
 * Runs every check, each part to its end even where an earlier one failed, and prints the total.
 *
 *     npm test
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { countsVariable, parseCounts, partCounts, sum, type Counts } from './counts.ts';
import { npmRun } from './npm.ts';
import { temporaryFolder } from './paths.ts';
import { exitOnSignals } from './processes.ts';

interface Part {
  /** The script of package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  /** The script without whose success this one could not say anything of its own. */
  readonly needs?: string;
}

const parts: readonly Part[] = [
  { script: 'lint' },
  { script: 'typecheck' },
  { script: 'test:unit', args: ['--reporter', 'test/harness/reporter.ts', '--fail-zero'] },
  { script: 'package' },
  { script: 'test:webview' },
  { script: 'test:e2e', args: ['--no-package'], needs: 'package' },
  { script: 'test:vscode' },
  { script: 'test:vscode', args: ['--oldest'] },
];

exitOnSignals();
await using folder = await temporaryFolder();
const results: { part: Part; counts: Counts; seconds: number }[] = [];
for (const part of parts) {
  const start = performance.now();
  const counts = await runPart(part);
  results.push({ part, counts, seconds: (performance.now() - start) / 1000 });
}
printTotal();

async function runPart(part: Part): Promise<Counts> {
  console.log(`\n=== ${title(part)}`);
  const broken = results.find(({ part: { script } }) => script === part.needs);
  if (broken !== undefined && broken.counts.failed > 0) {
    console.log(`Not run: it needs ${title(broken.part)}, which failed.`);
    return { passed: 0, failed: 1 };
  }
  const file = path.join(folder.path, `${results.length}.jsonl`);
  const exitCode = await npmRun(part.script, part.args ?? [], { [countsVariable]: file });
  const lines = await readFile(file, 'utf8').catch(() => '');
  return partCounts(parseCounts(lines), exitCode);
}

function title({ script, args = [] }: Part): string {
  return [script, ...args.filter((arg) => arg === '--oldest')].join(' ');
}

/** The last line is what scripts read: keep it as it is. */
function printTotal(): void {
  console.log('');
  for (const { part, counts, seconds } of results) {
    const outcome = `${counts.passed} passed, ${counts.failed} failed`;
    console.log(`${title(part).padEnd(22)} ${outcome}, ${seconds.toFixed(0)} s`);
  }
  const total = sum(results.map(({ counts }) => counts));
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}
