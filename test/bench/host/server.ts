/**
 * The server of the bench, in its own process so that its work is not measured. Its replies grow by `RATE` deltas per
 * second until the client hangs up. Each delta holds the time at which it was written, in epoch ms. Prints its API root.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { choice, event } from '../stream/workload.ts';

const [rateText = '100'] = process.argv.slice(2);
const streams = new Set<ServerResponse>();

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event({ choices: [choice({ role: 'assistant' })] }));
  streams.add(response);
  response.on('close', () => streams.delete(response));
});

setInterval(
  () => {
    for (const response of streams) {
      const at = (performance.timeOrigin + performance.now()).toFixed(2);
      response.write(event({ choices: [choice({ content: `@${at} words of a reply ` })] }));
    }
  },
  1_000 / Number(rateText),
);

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`);
});
