/** `node latency.ts COUNT` prints the milliseconds from an event's last byte to its delivery, as JSON. */
import { createServiceClient, parseServiceUrl } from '../../../src/api/index.ts';
import { replyEvents } from './workload.ts';

const streams = Number(process.argv[2]);
const samplesMs: number[] = [];
for (let i = 0; i < streams; i++) samplesMs.push(await firstEventMs());
console.log(JSON.stringify(samplesMs));

/** Measures a stream whose first event arrives in two halves, the second while the client waits. */
async function firstEventMs(): Promise<number> {
  const root = parseServiceUrl('http://127.0.0.1/api/v1');
  if (!root.ok) throw new Error(root.error);
  const [event = ''] = replyEvents(1);
  const bytes = new TextEncoder().encode(event);
  let lastByteMs = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.slice(0, 100));
      setTimeout(() => {
        lastByteMs = performance.now();
        controller.enqueue(bytes.slice(100));
      }, 2);
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const client = createServiceClient({
    root: root.value,
    key: () => 'test-key-bench',
    fetch: () => Promise.resolve(response),
  });
  const prompt = { kind: 'prompt', text: 'Go.', approvalMode: 'manual', sessionId: null } as const;
  for await (const _events of client.streamChat('bench', prompt))
    return performance.now() - lastByteMs;

  throw new Error('The stream gave no event');
}
