import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../harness/paths.ts';
import { openTokenGate, type TokenGate } from '../../harness/tokenGate.ts';

describe('the gate before a VS Code server', () => {
  let folder: TemporaryFolder;
  let gate: TokenGate;
  let address: URL;
  /** What reached the server. */
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

  /** The cookie of ours that an answer sets. */
  function cookieOf(response: Response): string | undefined {
    const [cookie] = response.headers.getSetCookie().filter((set) => set.startsWith('interns-'));
    return cookie?.split(';')[0];
  }

  /** Asks for a WebSocket. Gives the status line of the answer, and the connection. */
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

  it('gives no editor and no connection to who brings no token, or another', async () => {
    const wrong = '0'.repeat(64);
    for (const query of ['', '?folder=/', '?token=', `?token=${wrong}`]) {
      const response = await fetch(new URL(`/${query}`, address));
      assert.equal(response.status, 403, query);
      assert.equal(cookieOf(response), undefined);
      assert.equal(await upgrade({}, query), 403, query);
    }
    const Cookie = `interns-token-${address.port}=${wrong}`;
    assert.equal((await fetch(new URL('/', address), { headers: { Cookie } })).status, 403);
    assert.equal(await upgrade({ Cookie }), 403);
    assert.deepEqual(reached, []);
  });

  it('lets in with the address alone, as often as it is opened, and with its cookie from then on', async () => {
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

  it('lets in once with an address that others may have read', async () => {
    const once = gate.addressForOnce({ folder: '/a' });
    const first = await fetch(once);
    assert.equal(first.status, 200);
    assert.equal((await fetch(once)).status, 403);
    const Cookie = cookieOf(first) ?? '';
    assert.equal((await fetch(once, { headers: { Cookie } })).status, 200, 'a reload');
  });

  it('outlives a server that hangs up, and visitors who do', async () => {
    await assert.rejects(fetch(new URL(`/hang-up${address.search}`, address)));
    const visitor = connect(Number(address.port), '127.0.0.1');
    visitor.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    visitor.resetAndDestroy();
    await once(visitor, 'close');
    assert.equal((await fetch(address)).status, 200);
  });

  it('ends the connections that it has let in when it is closed', async () => {
    const other = await openTokenGate(path.join(folder.path, 'server.sock'), 0);
    const target = new URL(other.address({}));
    const Cookie = cookieOf(await fetch(target)) ?? '';
    const socket = connect(Number(target.port), '127.0.0.1');
    socket.write(
      `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\nCookie: ${Cookie}\r\n\r\n`,
    );
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await other[Symbol.asyncDispose]();
    await closed;
  });
});
