import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';

/** A certificate authority that nobody trusts who is not told to. */
export interface Authority {
  /** Its own certificate, in PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** Something that listens on the loopback address. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

export interface ConnectProxy extends Listening {
  /** What it was asked to connect to, as `host:port`, in the order of the requests. */
  readonly connects: readonly string[];
}

/** Makes a certificate authority that lives for a day. */
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

/** Listens with a certificate for a host name, and hands on in the clear what comes to a port of the loopback address. */
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
 * Starts an HTTP proxy that knows `CONNECT` alone.
 * @param ports the port of the loopback address that stands for each host name; others are refused with 502.
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

/** Joins two sockets both ways; where one breaks off, so does the other. */
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
