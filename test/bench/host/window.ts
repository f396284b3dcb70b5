/**
 * `node main.ts ROOT CHATS SECONDS`: the extension host's side of chats that stream at once. Conversations, records, tabs
 * and status bar are the extension's own. Prints a {@link HostRun} as JSON.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createServiceClient, parseApiRoot } from '../../../src/api/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { ChatWindow } from '../../unit/support/chatWindow.ts';
import { median, quantile } from '../figures.ts';

export interface HostRun {
  readonly chats: number;
  readonly seconds: number;
  /** Deltas that reached the pages. */
  readonly deltas: number;
  readonly cpuSeconds: number;
  readonly messagesToPages: number;
  /** Other calls of VS Code's API. */
  readonly otherCalls: number;
  readonly rssMb: number;
  /** Heap in use after a garbage collection. */
  readonly heapMb: number;
  /** From the server to the page, in ms. */
  readonly delayMs: { readonly median: number; readonly p95: number };
}

const [rootText = '', chatsText = '1', secondsText = '10'] = process.argv.slice(2);
const chats = Number(chatsText);
const seconds = Number(secondsText);
/** Time before the measurement, for compilation and start-up. */
const warmUpSeconds = 3;

const root = parseApiRoot(rootText);
if (!root.ok) throw new Error(`${rootText} is no API root`);
const folder = await mkdtemp(join(tmpdir(), 'interns-bench-'));
const window = new ChatWindow({
  stub: (part, members) => void Object.assign(part, members),
  clock: systemClock,
  client: createServiceClient({ root: root.value, key: () => 'test-key-owner' }),
  conversationsDir: join(folder, 'conversations'),
});
let messagesToPages = 0;
let delays: number[] = [];
window.onPageMessage.event((message) => {
  messagesToPages += 1;
  const now = performance.timeOrigin + performance.now();
  // VS Code serializes every message as JSON.
  for (const [, at] of JSON.stringify(message).matchAll(/@(\d+\.\d\d)/g))
    delays.push(now - Number(at));
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
window.otherCalls = 0;
const before = process.cpuUsage();
await sleep(seconds * 1_000);
const cpu = process.cpuUsage(before);

const { otherCalls } = window;
const rssMb = process.memoryUsage().rss / 1e6;
const found = { chats, seconds, deltas: delays.length, messagesToPages, otherCalls, rssMb };
const delayMs = { median: median(delays), p95: quantile(delays, 0.95) };
delays = [];
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
const run: HostRun = {
  ...found,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  heapMb: process.memoryUsage().heapUsed / 1e6,
  delayMs,
};
console.log(JSON.stringify(run));
window.dispose();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);
