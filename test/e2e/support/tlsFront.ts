import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';

/** A certificate authority that no machine trusts by default. */
export interface Authority {
  /** In PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** A server on the loopback address. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

export interface ConnectProxy extends Listening {
  /** The requested `host:port` values. */
  readonly connects: readonly string[];
}

/** Makes a certificate authority that is valid for a day. */
export async function createAuthority(name: string): Promise<Authority> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { certificate: cert, key };
}

/** Starts a TLS server with a certificate for a host name, which forwards plain text to a port. */
export async function startTlsFront(
  { certificate, key }: Authority,
  hostname: string,
  port: number,
): Promise<Listening> {
  const own = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { cert: certificate, key },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
  });
  const server = createTlsServer({ cert: own.cert, key: own.private }, (socket) => {
    join(socket, connect(port, '127.0.0.1'));
  });
  return await listen(server);
}

/**
 * Starts an HTTP proxy that only supports `CONNECT`.
 * @param ports the local port for each host name; others are refused with 502.
 */
export async function startConnectProxy(
  ports: Readonly<Record<string, number>>,
): Promise<ConnectProxy> {
  const connects: string[] = [];
  const server = createHttpServer((_request, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client, head: Buffer) => {
    connects.push(url);
    const port = ports[url.replace(/:443$/, '')];
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
    });
    join(client, target);
  });
  return { ...(await listen(server)), connects };
}

/** Connects two sockets in both directions. */
function join(one: Duplex, other: Duplex): void {
  const ignore = () => undefined;
  pipeline(one, other, ignore);
  pipeline(other, one, ignore);
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
