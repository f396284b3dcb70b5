/** One run of one client in a process of its own: `node measure.ts CLIENT MODE COUNT PORT`. Prints a {@link Run} as JSON. */
import { readers, type Source } from './readers.ts';

export interface Run {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakRssMb: number;
  /** Characters of text that were read, the same for every client. */
  readonly characters: number;
}

const [clientName = '', mode = '', countText = '', port = ''] = process.argv.slice(2);
const read = await readers[clientName]!();
const source: Source = {
  root: `http://127.0.0.1:${port}/api/v1`,
  query: `?count=${countText}&chunking=${mode}`,
};

// Loads the platform's HTTP, as the check of the key does in an editor.
await (await fetch(`http://127.0.0.1:${port}/?count=1`)).text();

const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
const characters = await read(source);
const wallSeconds = (performance.now() - startedMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const run: Run = {
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  wallSeconds,
  peakRssMb: process.resourceUsage().maxRSS / 1024,
  characters,
};
console.log(JSON.stringify(run));
process.exit(0);
