import { figure, median, type Figure } from '../figures.ts';
import { buildStreamBench, type Bundles } from './build.ts';
import type { Run } from './measure.ts';
import { runScript, startScript } from './processes.ts';
import { replyBytes } from './workload.ts';

const CLIENTS = ['floor', 'client', 'openai', 'streamText'] as const;
const MODES = ['block', 'event'] as const;
const LONG_STREAM_FACTOR = 10;
const LATENCY_SAMPLES = 300;

type Client = (typeof CLIENTS)[number];
type Mode = (typeof MODES)[number];

export interface StreamOptions {
  /** Content chunks of the reply. */
  readonly chunks: number;
  /** Runs of each client in each mode, interleaved. */
  readonly runs: number;
}

/** The medians of one client in one mode. */
interface StreamRow {
  readonly mode: Mode;
  readonly client: Client;
  readonly cpuSeconds: number;
  readonly cpuToFloor: number;
  readonly peakRssMb: number;
  readonly chunksPerSecond: number;
  readonly mbPerSecond: number;
}

export interface StreamResult {
  readonly options: StreamOptions;
  readonly replyMb: number;
  readonly rows: readonly StreamRow[];
  readonly figures: readonly Figure[];
}

/** Reads a chat stream with this client, its peers and the floor: 100,000 chunks over loopback. */
export async function benchStream(
  options: StreamOptions,
  report: (line: string) => void,
): Promise<StreamResult> {
  const bundles = await buildStreamBench();
  const server = await startScript(bundles.server);
  try {
    const runs = await measureAll(bundles, server.line, options, report);
    const replyMb = replyBytes(options.chunks).length / 1e6;
    const rows = MODES.flatMap((mode) =>
      CLIENTS.map((client) => summarise(runs, mode, client, options.chunks, replyMb)),
    );
    const longRssMb = {
      client: await measureLongStream(bundles, 'client', server.line, options, report),
      floor: await measureLongStream(bundles, 'floor', server.line, options, report),
    };
    const latenciesMs = (await runScript(bundles.latency, `${LATENCY_SAMPLES}`)) as number[];
    return { options, replyMb, rows, figures: figuresOf(rows, longRssMb, median(latenciesMs)) };
  } finally {
    await server.end();
  }
}

type Runs = ReadonlyMap<string, readonly Run[]>;

/** Every client once in every mode, and again: a slow minute of the machine is shared by all. */
async function measureAll(
  bundles: Bundles,
  port: string,
  { chunks, runs: count }: StreamOptions,
  report: (line: string) => void,
): Promise<Runs> {
  const runs = new Map<string, Run[]>();
  for (let i = 1; i <= count; i++) {
    report(`run ${i} of ${count}`);
    for (const mode of MODES) {
      for (const client of CLIENTS) {
        const run = await measure(bundles, client, mode, chunks, port);
        const key = keyOf(mode, client);
        runs.set(key, [...(runs.get(key) ?? []), run]);
      }
    }
  }
  assertSameText([...runs.values()].flat());
  return runs;
}

async function measureLongStream(
  bundles: Bundles,
  client: Client,
  port: string,
  { chunks, runs }: StreamOptions,
  report: (line: string) => void,
): Promise<number> {
  const long = chunks * LONG_STREAM_FACTOR;
  report(`${long} chunks, ${client}`);
  const peaks: number[] = [];
  for (let i = 0; i < Math.min(runs, 3); i++) {
    peaks.push((await measure(bundles, client, 'block', long, port)).peakRssMb);
  }
  return median(peaks);
}

async function measure(
  { measure: script }: Bundles,
  client: Client,
  mode: Mode,
  chunks: number,
  port: string,
): Promise<Run> {
  return (await runScript(script, client, mode, `${chunks}`, port)) as Run;
}

/** A client that reads less, or more, than the others is not faster but wrong. */
function assertSameText(runs: readonly Run[]): void {
  const lengths = new Set(runs.map(({ characters }) => characters));
  if (lengths.size !== 1)
    throw new Error(`Clients disagree: ${[...lengths].join(', ')} characters`);
}

function summarise(
  runs: Runs,
  mode: Mode,
  client: Client,
  chunks: number,
  replyMb: number,
): StreamRow {
  const of = (who: Client, pick: (run: Run) => number): number =>
    median((runs.get(keyOf(mode, who)) ?? []).map(pick));
  const cpuSeconds = of(client, (run) => run.cpuSeconds);
  const wallSeconds = of(client, (run) => run.wallSeconds);
  return {
    mode,
    client,
    cpuSeconds,
    cpuToFloor: cpuSeconds / of('floor', (run) => run.cpuSeconds),
    peakRssMb: of(client, (run) => run.peakRssMb),
    chunksPerSecond: chunks / wallSeconds,
    mbPerSecond: replyMb / wallSeconds,
  };
}

function figuresOf(
  rows: readonly StreamRow[],
  longRssMb: { readonly client: number; readonly floor: number },
  latencyMs: number,
): Figure[] {
  const row = (mode: Mode, client: Client): StreamRow => {
    const found = rows.find((one) => one.mode === mode && one.client === client);
    if (found === undefined) throw new Error(`No run of ${client} in ${mode}`);
    return found;
  };
  const growth = (client: 'client' | 'floor'): number =>
    longRssMb[client] / row('block', client).peakRssMb;
  const loopback = MODES.flatMap((mode) => {
    const client = row(mode, 'client');
    const to = (peer: Client): number => client.cpuSeconds / row(mode, peer).cpuSeconds;
    return [
      figure(`CPU to the floor's, ${mode}`, to('floor'), 1.1),
      figure(`CPU to openai's, ${mode}`, to('openai'), 1 / 4),
      figure(`CPU to streamText's, ${mode}`, to('streamText'), 1 / 12),
      figure(
        `RSS above the floor's, MB, ${mode}`,
        client.peakRssMb - row(mode, 'floor').peakRssMb,
        20,
      ),
    ];
  });
  return [
    ...loopback,
    figure('RSS of a stream ten times as long', growth('client'), 1.1),
    // What the platform itself gathers, for comparison: reading the bytes alone grows alike.
    figure('the same, the floor', growth('floor'), 1.1),
    figure('first event after its last byte, ms', latencyMs, 1),
  ];
}

function keyOf(mode: Mode, client: Client): string {
  return `${mode} ${client}`;
}
