import path from 'node:path';
import { report, row as line, type PartResult } from '../figures.ts';
import { runScript, startScript } from '../stream/processes.ts';
import type { HostRun } from './window.ts';

/** Deltas that each conversation streams per second. */
const deltasPerSecond = 100;
const measuredSeconds = 10;
/** How many conversations stream at once in a run. */
const sizes = [1, 50] as const;

/** Measures what streaming conversations cost the extension host. */
export async function benchHost(runs: number): Promise<PartResult> {
  const script = (name: string): string => path.join(import.meta.dirname, name);
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
    return { data: { deltasPerSecond, rows }, text: textOf(rows) };
  } finally {
    await server.end();
  }
}

function textOf(rows: readonly HostRun[]): string {
  const heads = ['CPU %', 'messages/s', 'other calls', 'RSS MB', 'heap MB', 'delay ms', 'p95'];
  return [
    `Extension host, ${deltasPerSecond} deltas a second each, CPU of one core; delay from socket to page`,
    line('conversations at once', ...heads),
    ...rows.map((row) =>
      line(
        `${row.chats} (${(row.deltas / row.seconds).toFixed(0)} deltas/s)`,
        [(100 * row.cpuSeconds) / row.seconds, 1],
        [row.messagesToPages / row.seconds, 1],
        `${row.otherCalls}`,
        [row.rssMb, 0],
        [row.heapMb, 1],
        [row.delayMs.median, 1],
        [row.delayMs.p95, 1],
      ),
    ),
  ].join('\n');
}
