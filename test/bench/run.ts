/**
 * `npm run bench [-- --only PART] [--runs N]`: measures, prints tables, and writes dist/bench.json.
 *
 * The peers are installed on the first run from their own lock file: they are no dependency of the project.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { distFolder } from '../harness/paths.ts';
import { benchActivation } from './activation/bench.ts';
import { report, type PartResult } from './figures.ts';
import { benchHost } from './host/bench.ts';
import { benchList } from './list/bench.ts';
import { benchPage } from './page/bench.ts';
import { benchStream } from './stream/bench.ts';
import { benchWorkbench } from './workbench/bench.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string' } } });

/** The parts of the bench in the order in which they run, and how often each measures. */
const parts: Readonly<Record<string, readonly [(runs: number) => Promise<PartResult>, number]>> = {
  stream: [benchStream, 7],
  host: [benchHost, 3],
  list: [benchList, 3],
  page: [benchPage, 3],
  workbench: [benchWorkbench, 1],
  activation: [benchActivation, 10],
};

const chosen = Object.entries(parts).filter(([name]) => (values.only ?? name) === name);
if (chosen.length === 0)
  throw new Error(`No part ${values.only ?? ''}; there are: ${Object.keys(parts).join(', ')}`);

if (chosen.some(([name]) => name === 'stream' || name === 'page')) installPeers();
const results: Record<string, object> = {};
for (const [name, [run, runs]] of chosen) {
  const { text, data } = await run(Number(values.runs ?? runs));
  console.log(`${text}\n`);
  results[name] = data;
}
mkdirSync(distFolder, { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? null, cores: cpus().length };
const json = JSON.stringify({ machine, ...results }, null, 2);
writeFileSync(path.join(distFolder, 'bench.json'), `${json}\n`);

function installPeers(): void {
  const cwd = import.meta.dirname;
  if (existsSync(path.join(cwd, 'node_modules'))) return;
  report('installing the peers');
  const { status } = spawnSync('npm', ['ci'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The peers could not be installed (test/bench/package.json)');
}
