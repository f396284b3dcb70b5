import { fileURLToPath } from 'node:url';
import { row as line } from '../figures.ts';
import { runScript, startScript } from '../stream/processes.ts';
import type { HostRun } from './window.ts';

/** Deltas that each conversation streams a second. */
const deltasPerSecond = 100;
/** How long each run is measured, in seconds. */
const measuredSeconds = 10;
/** How many conversations stream at once in a run. */
const sizes = [1, 50] as const;

export interface HostResult {
  readonly deltasPerSecond: number;
  /** The run of medium CPU of each size. */
  readonly rows: readonly HostRun[];
}

/** What conversations that stream cost the extension host: one, and fifty at once in one window. */
export async function benchHost(
  { runs }: { readonly runs: number },
  report: (line: string) => void,
): Promise<HostResult> {
  const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const server = await startScript(script('server.ts'), `${deltasPerSecond}`);
  try {
    const rows: HostRun[] = [];
    for (const chats of sizes) {
      const found: HostRun[] = [];
      for (let run = 1; run <= runs; run += 1) {
        report(`host: ${chats} at once, run ${run} of ${runs}`);
        const args = [server.line, `${chats}`, `${measuredSeconds}`];
        found.push((await runScript(script('main.ts'), ...args)) as HostRun);
      }
      found.sort((a, b) => a.cpuSeconds - b.cpuSeconds);
      rows.push(found[Math.floor(found.length / 2)]!);
    }
    return { deltasPerSecond, rows };
  } finally {
    await server.end();
  }
}

/** A table of what was found. */
export function printHost({ deltasPerSecond: rate, rows }: HostResult): string {
  const heads = ['CPU %', 'messages/s', 'other calls', 'RSS MB', 'heap MB', 'delay ms', 'p95'];
  return [
    `Extension host, ${rate} deltas a second each, CPU of one core; delay from socket to page`,
    line('conversations at once', ...heads),
    ...rows.map((row) =>
      line(
        `${row.chats} (${(row.deltas / row.seconds).toFixed(0)} deltas/s)`,
        ((100 * row.cpuSeconds) / row.seconds).toFixed(1),
        (row.messagesToPages / row.seconds).toFixed(1),
        `${row.otherCalls}`,
        row.rssMb.toFixed(0),
        row.heapMb.toFixed(1),
        row.delayMs.median.toFixed(1),
        row.delayMs.p95.toFixed(1),
      ),
    ),
  ].join('\n');
}
