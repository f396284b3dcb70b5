import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../harness/paths.ts';
import { openTokenGate, type TokenGate } from '../../harness/tokenGate.ts';

describe('the gate before a VS Code server', () => {
  let folder: TemporaryFolder;
  let gate: TokenGate;
  let address: URL;
  /** The requests that reached the server. */
  let reached: string[];
  const server = createServer((incoming, response) => {
    reached.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    if (incoming.url?.startsWith('/hang-up') === true) {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(200, { 'Set-Cookie': 'of-the-server=1' });
    incoming.pipe(response);
  });
  server.on('upgrade', (incoming: IncomingMessage, socket) => {
    reached.push(`upgrade ${incoming.url ?? ''}`);
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n',
    );
    socket.pipe(socket);
  });

  before(async () => {
    folder = await temporaryFolder();
    const socketPath = path.join(folder.path, 'server.sock');
    await once(server.listen(socketPath), 'listening');
    gate = await openTokenGate(socketPath, 0);
    address = new URL(gate.address({ folder: '/a b' }));
  });

  beforeEach(() => (reached = []));

  after(async () => {
    await gate[Symbol.asyncDispose]();
    server.close();
    server.closeAllConnections();
    await folder[Symbol.asyncDispose]();
  });

  /** Returns the cookie of the gate that a response sets. */
  function cookieOf(response: Response): string | undefined {
    const [cookie] = response.headers.getSetCookie().filter((set) => set.startsWith('interns-'));
    return cookie?.split(';')[0];
  }

  /** Requests a WebSocket. Returns the status of a refusal, or `open` after an echo. */
  async function upgrade(headers: Readonly<Record<string, string>>, query = '') {
    const asked = request(new URL(`/socket${query}`, address), {
      headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...headers },
    });
    asked.end();
    return await new Promise<number | 'open'>((resolve, reject) => {
      asked.once('error', reject);
      asked.once('response', ({ statusCode = 0 }) => resolve(statusCode));
      asked.once('upgrade', (_response, socket) => {
        socket.once('data', (echo: Buffer) => {
          socket.destroy();
          if (echo.toString() === 'hello') resolve('open');
        });
        socket.write('hello');
      });
    });
  }

  /** Requests a page with headers that `fetch` cannot set. Returns the status. */
  async function statusOf(url: URL, headers: Readonly<Record<string, string>>) {
    const asked = request(url, { headers });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  /** The cookie of a browser that the gate has let in. */
  async function sessionCookie(): Promise<string> {
    return cookieOf(await fetch(address)) ?? '';
  }

  it('the gate refuses requests and connections without the token', async () => {
    const wrong = '0'.repeat(64);
    for (const query of ['', '?folder=/', '?token=', `?token=${wrong}`]) {
      const response = await fetch(new URL(`/${query}`, address));
      assert.equal(response.status, 403, query);
      assert.equal(cookieOf(response), undefined);
      assert.equal(await upgrade({}, query), 403, query);
    }
    const Cookie = `interns-session-${address.port}=${wrong}`;
    assert.equal((await fetch(new URL('/', address), { headers: { Cookie } })).status, 403);
    assert.equal(await upgrade({ Cookie }), 403);
    assert.deepEqual(reached, []);
  });

  it('the gate accepts its address any number of times', async () => {
    const first = await fetch(address, { method: 'POST', body: 'said' });
    assert.equal(await first.text(), 'said');
    assert.equal((await fetch(address)).status, 200);
    assert.deepEqual(first.headers.getSetCookie()[0], 'of-the-server=1');
    const Cookie = `theirs=1; ${cookieOf(first) ?? ''}; more=2`;
    const again = await fetch(new URL('/?folder=/other', address), { headers: { Cookie } });
    assert.equal(again.status, 200);
    assert.equal(await upgrade({ Cookie }), 'open');
    assert.equal(reached.at(-2), 'GET /?folder=/other');
  });

  it('the gate accepts an address for one use only once', async () => {
    const once = gate.addressForOnce({ folder: '/a' });
    const first = await fetch(once);
    assert.equal(first.status, 200);
    assert.equal((await fetch(once)).status, 403);
    const Cookie = cookieOf(first) ?? '';
    assert.equal((await fetch(once, { headers: { Cookie } })).status, 200, 'a reload');
  });

  it('the gate answers on both addresses of localhost', async () => {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const names = new Map([
      ['127.0.0.1', '127.0.0.1'],
      ['::1', '[::1]'],
    ]);
    for (const [own, name] of names) {
      if (!all.some((known) => known.address === own)) continue;
      const url = new URL(address);
      url.hostname = name;
      assert.equal((await fetch(url)).status, 200, name);
    }
  });

  it('the gate refuses requests and WebSockets of other origins', async () => {
    const Cookie = await sessionCookie();
    reached = [];
    const { port } = address;
    for (const Origin of [
      'http://evil.example',
      'null',
      'http://localhost',
      `http://localhost:${Number(port) + 1}`,
      `https://localhost:${port}`,
      `http://127.0.0.1:${port}`,
    ]) {
      assert.equal(await statusOf(address, { Cookie, Origin }), 403, Origin);
      assert.equal(await upgrade({ Cookie, Origin }), 403, Origin);
    }
    assert.deepEqual(reached, []);
    const Origin = address.origin;
    assert.equal(await statusOf(address, { Cookie, Origin }), 200);
    assert.equal(await upgrade({ Cookie, Origin }), 'open');
  });

  it('the gate refuses other host names of this machine', async () => {
    const Cookie = await sessionCookie();
    reached = [];
    for (const Host of [
      `evil.example:${address.port}`,
      `localhost.evil.example:${address.port}`,
      `localhost:${Number(address.port) + 1}`,
      'localhost',
    ]) {
      assert.equal(await statusOf(address, { Cookie, Host }), 403, Host);
      assert.equal(await statusOf(address, { Cookie, Host, Origin: `http://${Host}` }), 403, Host);
      assert.equal(await upgrade({ Cookie, Host }), 403, Host);
    }
    assert.deepEqual(reached, []);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const Host = `${name}:${address.port}`;
      assert.equal(await statusOf(address, { Host, Origin: `http://${Host}` }), 200, Host);
    }
  });

  it('a refused request leaves an address for one use valid', async () => {
    const target = new URL(gate.addressForOnce({}));
    assert.equal(await statusOf(target, { Origin: 'http://evil.example' }), 403);
    assert.equal(await statusOf(target, {}), 200);
  });

  it('the gate hides its cookie from scripts and other sites', async () => {
    const [, set = ''] = (await fetch(address)).headers.getSetCookie();
    const [, session = '', attributes] =
      /^interns-session-\d+=([0-9a-f]{64}); (.*)$/.exec(set) ?? [];
    assert.equal(attributes, 'Path=/; HttpOnly; SameSite=Strict');
    const token = address.searchParams.get('token') ?? '';
    assert.notEqual(session, token);
    assert.equal((await fetch(new URL(`/?token=${session}`, address))).status, 403);
    const Cookie = `interns-session-${address.port}=${token}`;
    assert.equal((await fetch(new URL('/', address), { headers: { Cookie } })).status, 403);
  });

  it('the gate continues after the server or a client hangs up', async () => {
    await assert.rejects(fetch(new URL(`/hang-up${address.search}`, address)));
    const visitor = connect(Number(address.port), '127.0.0.1');
    visitor.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    visitor.resetAndDestroy();
    await once(visitor, 'close');
    assert.equal((await fetch(address)).status, 200);
  });

  it('closing the gate ends its connections', async () => {
    const other = await openTokenGate(path.join(folder.path, 'server.sock'), 0);
    const target = new URL(other.address({}));
    const Cookie = cookieOf(await fetch(target)) ?? '';
    const socket = connect(Number(target.port), '127.0.0.1');
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${target.host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\nCookie: ${Cookie}\r\n\r\n`,
    );
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await other[Symbol.asyncDispose]();
    await closed;
  });
});
