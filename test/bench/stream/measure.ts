/** One run of one client in a process of its own: `node measure.ts CLIENT MODE COUNT [PORT]`. Prints a {@link Run} as JSON. */
import { readers, type Source } from './readers.ts';
import { replyBytes } from './workload.ts';

/** What one run took. */
export interface Run {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakRssMb: number;
  /** Characters of text that arrived: every client must get the same. */
  readonly characters: number;
}

const [clientName = '', mode = '', countText = '', port = ''] = process.argv.slice(2);
const count = Number(countText);
const read = await readers[clientName]!();
const source = mode.startsWith('memory-') ? memorySource(Number(mode.slice(7))) : httpSource(mode);

// An editor has made a request before, to check its key: loading the platform's HTTP is no part of a stream.
if (port !== '') await (await fetch(`http://127.0.0.1:${port}/?count=1`)).text();

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

function httpSource(chunking: string): Source {
  return {
    root: `http://127.0.0.1:${port}/api/v1`,
    query: `?count=${count}&chunking=${chunking}`,
    fetch,
  };
}

/** Answers from memory in pieces of `size` bytes, each a copy, as a socket would hand them on. */
function memorySource(size: number): Source {
  const bytes = replyBytes(count);
  let offset = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (offset >= bytes.length) controller.close();
      else controller.enqueue(Uint8Array.from(bytes.subarray(offset, (offset += size))));
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  return { root: 'http://127.0.0.1/api/v1', query: '', fetch: () => Promise.resolve(response) };
}
