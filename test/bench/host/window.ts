/**
 * `node window.ts ROOT CHATS SECONDS [SCRIPT]`: the extension host's side of chats that stream at once. Conversations, records,
 * tabs and status bar are the extension's own. The stream keeper of SCRIPT sends the requests; without it the window does.
 * Prints a {@link HostRun} as JSON.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  createServiceClient,
  parseServiceUrl,
  type FetchLike,
  type ServiceClient,
} from '../../../src/api/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { StreamKeeperClient } from '../../../src/platform/keeper/keeperClient.ts';
import { ChatWindow } from '../../unit/support/chatWindow.ts';
import { RecordingLog } from '../../unit/support/recordingLog.ts';
import { median, quantile } from '../figures.ts';

export interface HostRun {
  /** Deltas that reached the pages, per second. */
  readonly deltas: number;
  /** CPU of the extension host, as a share of one core. */
  readonly cpu: number;
  /** CPU of the keeper. */
  readonly keeperCpu: number;
  /** Per second. */
  readonly messagesToPages: number;
  /** Other calls of VS Code's API. */
  readonly otherCalls: number;
  readonly rssMb: number;
  readonly keeperRssMb: number;
  /** Heap in use after a garbage collection. */
  readonly heapMb: number;
  /** From the server's write to the parsed delta, in ms. */
  readonly delayMs: number;
  readonly delayP95Ms: number;
  /** From the server's write to the page, in ms. */
  readonly pageDelayMs: number;
  readonly pageDelayP95Ms: number;
}

const [rootText = '', chatsText = '1', secondsText = '10', script] = process.argv.slice(2);
const chats = Number(chatsText);
const seconds = Number(secondsText);
/** Time before the measurement, for compilation and start-up. */
const warmUpSeconds = 3;

const root = parseServiceUrl(rootText);
if (!root.ok) throw new Error(`${rootText} is no API root`);
const folder = await mkdtemp(join(tmpdir(), 'interns-bench-'));
const log = new RecordingLog();
const keeper =
  script === undefined
    ? undefined
    : new StreamKeeperClient({
        folder,
        script,
        clock: systemClock,
        log,
        policy: () => 'always',
        proxy: () => undefined,
        window: 'bench',
      });
const window = new ChatWindow({
  stub: (part, members) => void Object.assign(part, members),
  clock: systemClock,
  client,
  keeper,
  folder,
});
let messagesToPages = 0;
let delays: number[] = [];
let pageDelays: number[] = [];
window.onPageMessage.event((message) => {
  messagesToPages += 1;
  // VS Code serializes every message as JSON.
  addDelays(pageDelays, JSON.stringify(message));
});
for (let chat = 0; chat < chats; chat += 1) {
  const text = `Chat ${chat}`;
  const prompt = { text, sent: text, attachments: [] };
  window.start().send({ type: 'submit', prompt });
}
setInterval(() => window.pagesLive(), 500);

await sleep(warmUpSeconds * 1_000);
messagesToPages = 0;
delays = [];
pageDelays = [];
window.otherCalls = 0;
const keeperBefore = await keeperUse();
const before = process.cpuUsage();
await sleep(seconds * 1_000);
const cpu = process.cpuUsage(before);
const keeperAfter = await keeperUse();

const { otherCalls } = window;
const rssMb = process.memoryUsage().rss / 1e6;
const found = {
  deltas: pageDelays.length / seconds,
  cpu: (cpu.user + cpu.system) / 1e6 / seconds,
  keeperCpu: (keeperAfter.cpuSeconds - keeperBefore.cpuSeconds) / seconds,
  messagesToPages: messagesToPages / seconds,
  otherCalls,
  rssMb,
  keeperRssMb: keeperAfter.rssMb,
  delayMs: median(delays),
  delayP95Ms: quantile(delays, 0.95),
  pageDelayMs: median(pageDelays),
  pageDelayP95Ms: quantile(pageDelays, 0.95),
};
delays = [];
pageDelays = [];
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const run: HostRun = { ...found, heapMb: process.memoryUsage().heapUsed / 1e6 };
console.log(JSON.stringify(run));
window.dispose();
const pid = keeperPid();
if (pid !== undefined) process.kill(pid, 'SIGKILL');
keeper?.dispose();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);

/** Returns a client that notes when it parsed a delta. */
function client(fetch: FetchLike | undefined): Pick<ServiceClient, 'streamChat'> {
  if (!root.ok) throw new Error(`${rootText} is no API root`);
  const own = createServiceClient({
    root: root.value,
    key: () => 'test-key-owner',
    ...(fetch && { fetch }),
  });
  return {
    async *streamChat(...request) {
      for await (const events of own.streamChat(...request)) {
        for (const event of events) if (event.kind === 'text') addDelays(delays, event.text);
        yield events;
      }
    },
  };
}

/** Adds the time since the server wrote each delta of a text. */
function addDelays(to: number[], text: string): void {
  const now = performance.timeOrigin + performance.now();
  for (const [, at] of text.matchAll(/@(\d+\.\d\d)/g)) to.push(now - Number(at));
}

function keeperPid(): number | undefined {
  const line = log.lines.find((each) => each.startsWith('Started a stream keeper'));
  return line === undefined ? undefined : Number(/\d+$/.exec(line)?.[0]);
}

/** Returns what the keeper has used so far. Linux only. */
async function keeperUse(): Promise<{ readonly cpuSeconds: number; readonly rssMb: number }> {
  const pid = keeperPid();
  if (script !== undefined && pid === undefined) throw new Error('No stream keeper runs');
  if (pid === undefined || process.platform !== 'linux') return { cpuSeconds: 0, rssMb: 0 };
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // From the third field on, times in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    rssMb: (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6,
  };
}
