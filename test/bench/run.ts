/**
 * `npm run bench [-- --only stream] [--runs 7] [--chunks 100000] [--page-runs 3] [--windows 10] [--host-runs 3]`: measures, prints tables, and writes dist/bench.json.
 *
 * The peers are installed on the first run, from a lock file of their own: they are no dependency of the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchActivation } from './activation/bench.ts';
import { printActivation } from './activation/print.ts';
import { benchHost, printHost } from './host/bench.ts';
import { benchPage } from './page/bench.ts';
import { printPage } from './page/print.ts';
import { benchStream } from './stream/bench.ts';
import { printStream } from './stream/print.ts';
import { benchWorkbench, printWorkbench } from './workbench/bench.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What one part of the bench found: a text for people, and the same as data. */
interface PartResult {
  readonly text: string;
  readonly data: object;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '7' },
    chunks: { type: 'string', default: '100000' },
    'page-runs': { type: 'string', default: '3' },
    windows: { type: 'string', default: '10' },
    'host-runs': { type: 'string', default: '3' },
  },
});

/** The parts of the bench, in the order in which they run. */
const parts: Readonly<Record<string, () => Promise<PartResult>>> = {
  stream: async () => {
    const options = { chunks: Number(values.chunks), runs: Number(values.runs) };
    const data = await benchStream(options, report);
    return { text: printStream(data), data };
  },
  host: async () => {
    const data = await benchHost({ runs: Number(values['host-runs']) }, report);
    return { text: printHost(data), data };
  },
  page: async () => {
    const data = await benchPage({ runs: Number(values['page-runs']) }, report);
    return { text: printPage(data), data };
  },
  workbench: async () => {
    const data = await benchWorkbench(report);
    return { text: printWorkbench(data), data };
  },
  activation: async () => {
    const data = await benchActivation({ windows: Number(values.windows) }, report);
    return { text: printActivation(data), data };
  },
};

const chosen = Object.entries(parts).filter(([name]) => (values.only ?? name) === name);
if (chosen.length === 0) {
  throw new Error(`No part ${values.only ?? ''}; there are: ${Object.keys(parts).join(', ')}`);
}
if (chosen.some(([name]) => name === 'stream' || name === 'page')) installPeers();
const results: Record<string, object> = {};
for (const [name, run] of chosen) {
  const { text, data } = await run();
  console.log(`${text}\n`);
  results[name] = data;
}
mkdirSync(DIST, { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? null, cores: cpus().length };
writeFileSync(`${DIST}bench.json`, `${JSON.stringify({ machine, ...results }, null, 2)}\n`);

function installPeers(): void {
  if (existsSync(`${HERE}node_modules`)) return;
  report('installing the peers');
  const { status } = spawnSync('npm', ['ci'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The peers could not be installed (test/bench/package.json)');
}

/** Progress goes beside the tables, so that those can be piped. */
function report(line: string): void {
  console.error(`  ${line}`);
}
