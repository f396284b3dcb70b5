import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { mock } from 'node:test';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { readNetworkFailure, wasNeverSent } from '../../../src/api/index.ts';
import { sendRequest } from '../../../src/streamKeeper/request.ts';
import { createAuthority, startTlsFront } from '../../e2e/support/tlsFront.ts';
import { beginStream, startHeldServer } from '../support/heldServer.ts';

function send(url: string, connectMs = 60_000) {
  const request = { url, method: 'POST', headers: { authorization: 'Bearer key' }, body: '{}' };
  return sendRequest(request, new AbortController().signal, connectMs);
}

/** Starts a server that does with each connection what the test says. */
async function listen(
  onSocket: (socket: Socket) => void,
): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function failureOf(failing: Promise<unknown>) {
  try {
    await failing;
  } catch (failure) {
    const read = readNetworkFailure(failure);
    return { ...read, wasNeverSent: wasNeverSent(read) };
  }
  throw new assert.AssertionError({ message: 'It did not fail' });
}

describe('a request of a stream keeper', () => {
  afterEach(() => {
    mock.timers.reset();
    delete https.globalAgent.options.ca;
  });

  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [coding, compress] of Object.entries(codings))
    it(`a stream keeper decompresses a body that a proxy has compressed with ${coding}`, async () => {
      await using server = await startHeldServer();
      const sent = send(`${server.url}/chat`);
      const held = await server.next();
      assert.equal(held.request.headers['accept-encoding'], 'identity');
      held.response.writeHead(200, { 'content-encoding': coding }).end(compress('the body'));
      assert.equal((await buffer((await sent).body)).toString(), 'the body');
    });

  it('a stream keeper creates no decoder for the sixth coding of a body', async () => {
    let body = gzipSync('x');
    for (let coding = 2; coding <= 6; coding++) body = gzipSync(body);
    await using server = await startHeldServer();
    const sent = send(`${server.url}/chat`);
    const { response } = await server.next();
    const codings = Array.from({ length: 6 }, () => 'gzip').join();
    response.writeHead(200, { 'content-encoding': codings }).end(body);
    assert.deepEqual(await buffer((await sent).body), gzipSync('x'));
  });

  it('a stream keeper decompresses each part of a body as it arrives', async () => {
    await using server = await startHeldServer();
    const sent = send(`${server.url}/chat`);
    const held = await server.next();
    held.response.setHeader('content-encoding', 'gzip');
    beginStream(held);
    const gzip = createGzip();
    gzip.pipe(held.response);
    const { body } = await sent;
    for (const part of ['first', 'second']) {
      gzip.write(part);
      gzip.flush();
      assert.equal(String((await once(body, 'data'))[0]), part);
    }
  });

  it('a key for a service on this machine is not sent through a proxy', async () => {
    await using server = await startHeldServer();
    await using proxy = await startHeldServer();
    const agent = http.globalAgent;
    const behindProxy: object = { proxyEnv: { HTTP_PROXY: proxy.url } };
    http.globalAgent = new http.Agent(behindProxy);
    try {
      const sent = send(`${server.url}/chat`);
      const held = await Promise.race([server.next(), proxy.next()]);
      held.response.writeHead(204).end();
      await sent;
    } finally {
      http.globalAgent = agent;
    }
    assert.deepEqual(proxy.requests, []);
  });

  it('a request to an unknown host counts as never sent', async () => {
    const { kind, wasNeverSent } = await failureOf(send('https://interns.invalid/chat'));
    assert.deepEqual({ kind, wasNeverSent }, { kind: 'network', wasNeverSent: true });
  });

  it('a request to a host with an untrusted certificate counts as never sent', async () => {
    const authority = await createAuthority('Unknown');
    await using front = await startTlsFront(authority, 'localhost', 1);
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    const expected = { kind: 'tls', code, wasNeverSent: true };
    assert.deepEqual(await failureOf(send(`https://localhost:${front.port}`)), expected);
  });

  it('a request does not count as never sent if TLS breaks after it', async () => {
    const authority = await createAuthority('Trusted');
    await using server = await startHeldServer();
    await using front = await startTlsFront(authority, 'localhost', portOf(server.url));
    const clients: Socket[] = [];
    await using relay = await listen((client) => {
      clients.push(client);
      const target = connect(front.port, '127.0.0.1').on('error', () => undefined);
      client.pipe(target).pipe(client);
    });
    https.globalAgent.options.ca = authority.certificate;
    const failed = failureOf(send(`https://localhost:${portOf(relay.url)}`));
    await server.next();
    // A record that is not of TLS.
    clients[0]!.write('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const expected = { kind: 'network', code: 'ECONNRESET', wasNeverSent: false };
    assert.deepEqual(await failed, expected);
  });

  it('a request counts as never sent if the handshake takes too long', async () => {
    await using server = await listen(() => undefined);
    const expected = { kind: 'timeout', code: 'UND_ERR_CONNECT_TIMEOUT', wasNeverSent: true };
    assert.deepEqual(await failureOf(send(server.url.replace('http', 'https'), 1)), expected);
  });

  it('a stream keeper waits for a response without a time limit', async () => {
    await using server = await startHeldServer();
    mock.timers.enable({ apis: ['setTimeout'] });
    const sent = send(`${server.url}/chat`);
    const held = await server.next();
    mock.timers.tick(3_600_000);
    held.response.writeHead(204).end();
    assert.equal((await sent).status, 204);
  });

  it('a connection that closes without a response fails with ECONNRESET', async () => {
    await using server = await listen((socket) => socket.on('data', () => socket.destroy()));
    const expected = { kind: 'network', code: 'ECONNRESET', wasNeverSent: false };
    assert.deepEqual(await failureOf(send(server.url)), expected);
  });

  it('a request fails if a hostile server switches protocols instead of responding', async () => {
    const switching =
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    await using server = await listen((socket) => socket.on('data', () => socket.end(switching)));
    const expected = { kind: 'network', code: 'ECONNRESET', wasNeverSent: false };
    assert.deepEqual(await failureOf(send(server.url)), expected);
  });

  it('a connection that closes within the body fails with ECONNRESET', async () => {
    await using server = await startHeldServer();
    const sent = send(`${server.url}/chat`);
    const held = await server.nextStream();
    const { body } = await sent;
    held.response.destroy();
    assert.equal((await failureOf(buffer(body))).code, 'ECONNRESET');
  });

  it('a stream keeper recognizes a server that does not speak HTTP', async () => {
    await using server = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'));
    const { kind, code } = await failureOf(send(server.url));
    assert.match(code!, /^HPE_/);
    assert.equal(kind, 'not-the-service');
  });
});
