import path from 'node:path';
import { build } from 'esbuild';
import { distFolder } from '../../harness/paths.ts';
import {
  figure,
  figureRows,
  median,
  medians,
  report,
  row as line,
  type PartResult,
} from '../figures.ts';
import type { Run } from './measure.ts';
import { runScript, startServer } from './processes.ts';
import { replyBytes } from './workload.ts';

/** Content chunks of the reply. */
const CHUNKS = 100_000;
const LONG_STREAM_FACTOR = 10;
const LATENCY_SAMPLES = 300;

const CLIENTS = {
  floor: 'floor: read, split, JSON.parse',
  client: 'this client',
  openai: 'openai',
  streamText: 'ai, streamText, @ai-sdk/openai-compatible',
} as const;
const MODES = { block: 'loopback, 64 KiB chunks', event: 'loopback, a chunk an event' } as const;

type Client = keyof typeof CLIENTS;
type Mode = keyof typeof MODES;
const clients = Object.keys(CLIENTS) as Client[];
const modes = Object.keys(MODES) as Mode[];

const outFolder = path.join(distFolder, 'bench');

/** Reads a chat stream over loopback with this client, its peers and the floor. */
export async function benchStream(runs: number): Promise<PartResult> {
  await buildScripts();
  await using server = await startServer(script('server'));
  const rows = await measureAll(server.at, runs);
  const longRssMb = await measureLongStreams(server.at, runs);
  const latenciesMs = (await runScript(script('latency'), `${LATENCY_SAMPLES}`)) as number[];
  const replyMb = replyBytes(CHUNKS).length / 1e6;
  const figures = figuresOf(rows, longRssMb, median(latenciesMs));
  const data = { options: { chunks: CHUNKS, runs }, replyMb, rows, figures };
  const title = `Chat stream: ${CHUNKS} chunks, ${replyMb.toFixed(1)} MB, medians of ${runs} runs`;
  const tables = modes.flatMap((mode) => tableOf(mode, rows, replyMb));
  return { data, text: [title, ...tables, ...figureRows(figures)].join('\n') };
}

/** The medians of one client in one mode. */
interface StreamRow extends Run {
  readonly mode: Mode;
  readonly client: Client;
}

/** Runs every client in every mode, round by round, so that a slow minute of the machine affects all. */
async function measureAll(port: string, count: number): Promise<readonly StreamRow[]> {
  const runs: StreamRow[] = [];
  for (let i = 1; i <= count; i++) {
    report(`run ${i} of ${count}`);
    for (const mode of modes)
      for (const client of clients)
        runs.push({ mode, client, ...(await measure(client, mode, CHUNKS, port)) });
  }
  const lengths = new Set(runs.map(({ characters }) => characters));
  if (lengths.size !== 1)
    throw new Error(`Clients disagree: ${[...lengths].join(', ')} characters`);
  return modes.flatMap((mode) =>
    clients.map((client) => {
      const own = runs.filter((run) => run.mode === mode && run.client === client);
      return medians(own);
    }),
  );
}

/** Returns the median memory of the client and of the floor for a long stream. One run of either varies by a third. */
async function measureLongStreams(port: string, runs: number) {
  const long = CHUNKS * LONG_STREAM_FACTOR;
  const peaksMb = { client: [] as number[], floor: [] as number[] };
  for (let i = 1; i <= runs; i++) {
    report(`${long} chunks, run ${i} of ${runs}`);
    for (const client of ['client', 'floor'] as const)
      peaksMb[client].push((await measure(client, 'block', long, port)).peakRssMb);
  }
  return { client: median(peaksMb.client), floor: median(peaksMb.floor) };
}

async function measure(client: Client, mode: Mode, chunks: number, port: string): Promise<Run> {
  return (await runScript(script('measure'), client, mode, `${chunks}`, port)) as Run;
}

function rowOf(rows: readonly StreamRow[], mode: Mode, client: Client): StreamRow {
  const found = rows.find((one) => one.mode === mode && one.client === client);
  if (found === undefined) throw new Error(`No run of ${client} in ${mode}`);
  return found;
}

function figuresOf(
  rows: readonly StreamRow[],
  longRssMb: { readonly client: number; readonly floor: number },
  latencyMs: number,
) {
  const growth = (client: 'client' | 'floor'): number =>
    longRssMb[client] / rowOf(rows, 'block', client).peakRssMb;
  const loopback = modes.flatMap((mode) => {
    const client = rowOf(rows, mode, 'client');
    const cpuTo = (peer: Client): number => client.cpuSeconds / rowOf(rows, mode, peer).cpuSeconds;
    const aboveFloor = client.peakRssMb - rowOf(rows, mode, 'floor').peakRssMb;
    return [
      figure(`CPU to the floor's, ${mode}`, cpuTo('floor'), 1.1),
      figure(`CPU to openai's, ${mode}`, cpuTo('openai'), 1 / 4),
      figure(`CPU to streamText's, ${mode}`, cpuTo('streamText'), 1 / 12),
      figure(`RSS above the floor's, MB, ${mode}`, aboveFloor, 20),
    ];
  });
  return [
    ...loopback,
    figure('RSS of a stream ten times as long', growth('client'), 1.1),
    // For comparison: the memory of the platform itself grows when it only reads the bytes.
    figure('the same, the floor', growth('floor'), 1.1),
    figure('growth of RSS / that of the floor', growth('client') / growth('floor'), 1.1),
    figure('first event after its last byte, ms', latencyMs, 1),
  ];
}

function tableOf(mode: Mode, rows: readonly StreamRow[], replyMb: number): readonly string[] {
  const floor = rowOf(rows, mode, 'floor');
  return [
    '',
    line(MODES[mode], 'CPU s', '/ floor', 'RSS MB', 'chunks/s', 'MB/s'),
    ...clients.map((client) => {
      const { cpuSeconds, wallSeconds, peakRssMb } = rowOf(rows, mode, client);
      const cpu: [number, number][] = [
        [cpuSeconds, 3],
        [cpuSeconds / floor.cpuSeconds, 2],
      ];
      const speed: [number, number][] = [
        [CHUNKS / wallSeconds, 0],
        [replyMb / wallSeconds, 1],
      ];
      return line(CLIENTS[client], ...cpu, [peakRssMb, 0], ...speed);
    }),
  ];
}

/** Bundles what is measured, as the extension ships it: stripping types at run time would be measured too. */
async function buildScripts(): Promise<void> {
  const here = (name: string): string => path.join(import.meta.dirname, name);
  await build({
    entryPoints: [here('measure.ts'), here('server.ts'), here('latency.ts')],
    outdir: outFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    nodePaths: [here('../node_modules')],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

function script(name: 'measure' | 'server' | 'latency'): string {
  return path.join(outFolder, `${name}.mjs`);
}
