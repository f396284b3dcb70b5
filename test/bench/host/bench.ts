import path from 'node:path';
import { build } from 'esbuild';
import { distFolder } from '../../harness/paths.ts';
import {
  figure,
  figureRows,
  medians,
  report,
  row as line,
  type Figure,
  type PartResult,
} from '../figures.ts';
import { runWithVSCode, startServer } from '../stream/processes.ts';
import type { HostRun } from './window.ts';

/** Deltas that each conversation streams per second. */
const deltasPerSecond = 100;
const measuredSeconds = 10;
/** How many conversations stream at once in a run. */
const sizes = [1, 10, 50] as const;
const ways = ['window', 'keeper'] as const;

/** The medians of the runs of one size: requests by the window, and by a stream keeper. */
interface HostRow extends Record<(typeof ways)[number], HostRun> {
  readonly chats: number;
}

/** Measures what streaming conversations cost the extension host and its stream keeper. */
export async function benchHost(runs: number): Promise<PartResult> {
  const script = (name: string): string => path.join(import.meta.dirname, name);
  const keeper = await buildKeeper();
  await using server = await startServer(script('server.ts'), `${deltasPerSecond}`);
  const rows: HostRow[] = [];
  for (const chats of sizes) {
    const found = { window: [] as HostRun[], keeper: [] as HostRun[] };
    for (let run = 1; run <= runs; run += 1) {
      report(`host: ${chats} at once, run ${run} of ${runs}`);
      for (const way of ways) {
        const args = [server.at, `${chats}`, `${measuredSeconds}`];
        if (way === 'keeper') args.push(keeper);
        found[way].push((await runWithVSCode(script('window.ts'), ...args)) as HostRun);
      }
    }
    rows.push({ chats, window: medians(found.window), keeper: medians(found.keeper) });
  }
  const figures = rows.flatMap(figuresOf);
  const data = { deltasPerSecond, rows, figures };
  return { data, text: [...tableOf(rows), ...figureRows(figures)].join('\n') };
}

/** Bundles the keeper as the extension ships it, and returns its path. */
async function buildKeeper(): Promise<string> {
  const outfile = path.join(distFolder, 'bench', 'streamKeeper.cjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, '../../../src/streamKeeper/keeper.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'warning',
  });
  return outfile;
}

function figuresOf({ chats, window, keeper }: HostRow): readonly Figure[] {
  // For each delta, since a busy machine does not stream equally many to both.
  const today = window.cpu / window.deltas;
  const host = keeper.cpu / keeper.deltas;
  const both = (keeper.cpu + keeper.keeperCpu) / keeper.deltas;
  return [
    figure(`CPU of the host to that without keeper, ${chats}`, host / today, 1),
    figure(`CPU of host and keeper to that, ${chats}`, both / today, 1.5),
    figure(`more delay, p95, ms, ${chats}`, keeper.delayP95Ms - window.delayP95Ms, 15),
    figure(`RSS of the keeper, MB, ${chats}`, keeper.keeperRssMb, 80),
  ];
}

function tableOf(rows: readonly HostRow[]): readonly string[] {
  const delays = ['delta ms', 'p95', 'page ms', 'p95'];
  const heads = ['CPU %', 'keeper %', ...delays, 'messages/s', 'calls', 'RSS MB', 'keeper MB'];
  return [
    `Extension host, ${deltasPerSecond} deltas a second each, CPU of one core; delays from the server's write`,
    line('conversations at once', ...heads, 'heap MB'),
    ...rows.flatMap(({ chats, ...found }) =>
      ways.map((way) => {
        const row = found[way];
        return line(
          `${chats}, requests by the ${way} (${row.deltas.toFixed(0)}/s)`,
          [100 * row.cpu, 1],
          [100 * row.keeperCpu, 1],
          [row.delayMs, 2],
          [row.delayP95Ms, 2],
          [row.pageDelayMs, 1],
          [row.pageDelayP95Ms, 1],
          [row.messagesToPages, 1],
          [row.otherCalls, 0],
          [row.rssMb, 0],
          [row.keeperRssMb, 0],
          [row.heapMb, 1],
        );
      }),
    ),
  ];
}
