import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { createServiceClient } from '../../../src/api/client.ts';
import { KEY, PROMPT, readChat, rootOf } from './support/fakeFetch.ts';
import { DONE, end, ROLE, STOP, stream } from './support/streams.ts';

const KEY_INFO = '{"data":{"creator_user_id":"user_1","workspace_id":"workspace_1"}}';
const REPLY = stream(ROLE, STOP, end(), DONE);

describe('client over sockets', () => {
  const servers: (Server | TcpServer)[] = [];
  const sockets = new Set<Socket>();

  async function listen(server: Server | TcpServer): Promise<number> {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void) {
    const port = await listen(createServer(handler));
    return { client: clientOf(`http://127.0.0.1:${port}/api/v1`), port };
  }

  function clientOf(root: string) {
    return createServiceClient({ root: rootOf(root), key: () => KEY });
  }

  /** Waits until the only connection that a client made is gone. */
  async function freed(): Promise<void> {
    const [socket] = sockets;
    assert.ok(socket);
    if (!socket.destroyed) await once(socket, 'close');
  }

  function startStream(response: ServerResponse, text: string): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  }

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    sockets.clear();
    servers.length = 0;
  });

  /** The platform may open a second connection before the first response has ended. */
  const REUSED = 2;

  const refuse = (response: ServerResponse) => {
    response.writeHead(409, { 'content-type': 'application/json' });
    response.end('{"error":{"code":409,"message":"No","metadata":{"reason":"busy"}}}');
  };
  const reply = (response: ServerResponse) => {
    startStream(response, REPLY);
    response.end();
  };
  for (const [what, respond, kind] of [
    ['chats', reply, undefined],
    ['refusals', refuse, 'busy'],
  ] as const)
    it(`the client reuses connections after ${what}`, async () => {
      const { client } = await serve((request, response) => {
        request.resume();
        if (request.url === '/api/v1/key') response.end(KEY_INFO);
        else respond(response);
      });
      for (let i = 0; i < 4; i++) {
        assert.equal((await readChat(client)).error?.kind, kind);
        await client.getKey();
      }
      assert.ok(sockets.size <= REUSED, `${sockets.size} connections`);
    });

  // Rule 11.8
  it('the client frees the socket when a stream is aborted', async () => {
    const { client } = await serve((_request, response) => startStream(response, stream(ROLE)));
    const controller = new AbortController();
    const chat = client.streamChat('intern_1', PROMPT, { signal: controller.signal });
    const events = chat[Symbol.asyncIterator]();
    await events.next();
    const next = assert.rejects(events.next(), { kind: 'aborted', inStream: true });
    controller.abort();
    await next;
    await freed();
  });

  it('the client frees the socket when a request is aborted before its headers', async () => {
    const controller = new AbortController();
    const { client } = await serve(() => controller.abort());
    const chat = readChat(client, { signal: controller.signal });
    assert.equal((await chat).error?.kind, 'aborted');
    await freed();
  });

  it('the client frees the socket when the reader leaves the loop', async () => {
    const { client } = await serve((_request, response) => startStream(response, stream(ROLE)));
    for await (const events of client.streamChat('intern_1', PROMPT)) {
      assert.equal(events.length, 1);
      break;
    }
    await freed();
  });

  it('the client sends no key to the target of a redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      let followed = false;
      const elsewhere = await serve((_request, response) => {
        followed = true;
        response.end(KEY_INFO);
      });
      const { client } = await serve((_request, response) => {
        const location = `http://127.0.0.1:${elsewhere.port}/api/v1/key`;
        response.writeHead(status, { location }).end();
      });
      const redirectedTo = `http://127.0.0.1:${elsewhere.port}`;
      await assert.rejects(client.getKey(), { kind: 'redirect', status, redirectedTo });
      assert.equal(followed, false);
    }
  });

  it('the client reports a server that does not speak HTTP', async () => {
    const port = await listen(createTcpServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')));
    const client = clientOf(`http://127.0.0.1:${port}/api/v1`);
    assert.equal((await readChat(client)).error?.kind, 'not-the-service');
  });

  it('the client reports a server that does not speak TLS', async () => {
    const { port } = await serve((_request, response) => response.end());
    const client = clientOf(`https://127.0.0.1:${port}/api/v1`);
    assert.equal((await readChat(client)).error?.kind, 'tls');
  });
});
