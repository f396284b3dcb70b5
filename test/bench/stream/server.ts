/**
 * The server of the bench, in its own process so that its work is not measured. Responds to chat requests with the workload:
 * `?count=` content chunks, `?chunking=event` (each event a network chunk) or `block` (64 KiB each).
 * Prints its port.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { replyBlocks } from './workload.ts';

const NETWORK_CHUNK_BYTES = 65_536;

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const count = Number(searchParams.get('count'));
  const chunking = searchParams.get('chunking');
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  void (chunking === 'event' ? sendEvents(response, count) : sendBlocks(response, count));
});

async function sendEvents(response: ServerResponse, count: number): Promise<void> {
  for (const block of replyBlocks(count)) {
    let flowing = true;
    for (const event of block) flowing = response.write(event);
    if (!flowing) await once(response, 'drain');
  }
  response.end();
}

async function sendBlocks(response: ServerResponse, count: number): Promise<void> {
  let pending = Buffer.alloc(0);
  for (const block of replyBlocks(count)) {
    pending = Buffer.concat([pending, ...block]);
    while (pending.length >= NETWORK_CHUNK_BYTES) {
      const flowing = response.write(pending.subarray(0, NETWORK_CHUNK_BYTES));
      pending = pending.subarray(NETWORK_CHUNK_BYTES);
      if (!flowing) await once(response, 'drain');
    }
  }
  response.end(pending);
}

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
