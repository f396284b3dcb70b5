import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the test answers. */
export interface HeldRequest {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
  /** Resolves when the client has closed its connection. */
  readonly closed: Promise<unknown>;
}

/** An HTTP server whose requests wait for the test. `GET /key` gets 200 at once. */
export interface HeldServer extends AsyncDisposable {
  /** A service URL. */
  readonly url: string;
  /** The method and path of each request so far. */
  readonly requests: readonly string[];
  /** Resolves with the next request. */
  readonly next: () => Promise<HeldRequest>;
  /** Resolves with the next request once its event stream has begun. */
  readonly nextStream: () => Promise<HeldRequest>;
  /** The status of `GET /key`. */
  keyStatus: number;
}

export async function startHeldServer(): Promise<HeldServer> {
  const arrivals = new EventEmitter();
  const waiting: HeldRequest[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (request.url?.endsWith('/key') === true) {
        response.writeHead(held.keyStatus).end('{}');
        return;
      }
      const closed = once(response, 'close');
      waiting.push({ request, body: await text(request), response, closed });
      arrivals.emit('request');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const held: HeldServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requests,
    keyStatus: 200,
    next: async () => {
      if (waiting.length === 0) await once(arrivals, 'request');
      return waiting.shift()!;
    },
    nextStream: async () => {
      const next = await held.next();
      beginStream(next);
      return next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return held;
}

/** Begins an event stream. */
export function beginStream({ response }: HeldRequest): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}
