import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, Server, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listenOnLoopback } from '../../harness/loopback.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

/** A server whose every attempt to listen fails. */
class FailingServer extends Server {
  readonly #code: string;

  constructor(code: string) {
    super();
    this.#code = code;
  }

  override listen(): this {
    setImmediate(() =>
      this.emit('error', Object.assign(new Error(this.#code), { code: this.#code })),
    );
    return this;
  }
}

describe('listenOnLoopback', () => {
  let opened: Server[];

  beforeEach(() => (opened = []));

  afterEach(async () => {
    for (const server of opened) if (server.listening) await once(server.close(), 'close');
  });

  /** Creates the given servers in order, and then working ones. */
  function servers(...first: readonly Server[]): () => Server {
    return () => {
      const server = first[opened.length] ?? createServer();
      opened.push(server);
      return server;
    };
  }

  function addresses(listening: readonly Server[]): string[] {
    return listening.map((server) => {
      const { address, port } = server.address() as AddressInfo;
      return `${address} ${port}`;
    });
  }

  it('the test server listens on one port of each loopback address', async () => {
    const { port, servers: listening } = await listenOnLoopback(servers(), 0);
    const expected = hasIPv6 ? [`127.0.0.1 ${port}`, `::1 ${port}`] : [`127.0.0.1 ${port}`];
    assert.deepEqual(addresses(listening), expected);
  });

  for (const code of ['EADDRNOTAVAIL', 'EAFNOSUPPORT'])
    it(`the test server listens on IPv4 alone when IPv6 fails with ${code}`, async () => {
      const all = servers(createServer(), new FailingServer(code));
      const { port, servers: listening } = await listenOnLoopback(all, 0);
      assert.deepEqual(addresses(listening), [`127.0.0.1 ${port}`]);
    });

  it('the test server selects another port for both addresses when IPv6 has the first in use', async () => {
    const taken = createServer();
    const all = servers(taken, new FailingServer('EADDRINUSE'));
    const { port, servers: listening } = await listenOnLoopback(all, 0);
    assert.equal(taken.listening, false);
    assert.equal(addresses(listening)[0], `127.0.0.1 ${port}`);
  });

  it('the test server frees IPv4 when a fixed port is in use on IPv6', async () => {
    const { port } = await listenOnLoopback(servers(), 0);
    for (const server of opened) await once(server.close(), 'close');
    opened = [];
    const first = createServer();
    const all = servers(first, new FailingServer('EADDRINUSE'));
    await assert.rejects(listenOnLoopback(all, port), /^Error: Port \d+ is in use/);
    assert.equal(first.listening, false);
  });
});
