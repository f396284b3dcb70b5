import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request as startRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { listenOnLoopback } from './loopback.ts';

type Query = Readonly<Record<string, string>>;

/** Lets only those with its token reach a server on this machine. */
export interface TokenGate extends AsyncDisposable {
  /** Returns an address that works as long as the server runs. */
  address(query: Query): string;
  /** Returns an address that works for the first browser that opens it. */
  addressForOnce(query: Query): string;
}

/**
 * Opens a port on localhost for a server that listens on a Unix socket. Every user of a machine can reach its ports, and
 * an editor gives its user a terminal, so without the token there is no response and no connection. A browser brings
 * the token in the first address, and a cookie from then on. The gate refuses requests from pages of other origins,
 * and for other host names, which an attacker could resolve to this machine.
 * @param port 0 selects a free one
 * @throws Error if the port is in use
 */
export async function openTokenGate(socketPath: string, port: number): Promise<TokenGate> {
  const gate = new Gate(socketPath);
  await gate.listen(port);
  return gate;
}

class Gate implements TokenGate {
  readonly #socketPath: string;
  readonly #token = newToken();
  /** The cookie's value. It does not reveal the token: browsers send a cookie to every port of a host. */
  readonly #session = createHmac('sha256', this.#token).update('session').digest('hex');
  /** Digests of unused one-time tokens. */
  readonly #unused = new Set<string>();
  /** Upgraded connections, which a server does not close by itself. */
  readonly #upgraded = new Set<Duplex>();
  #servers: readonly Server[] = [];
  #port = 0;
  /** The origins under which a browser on this machine can reach this port. */
  #origins: readonly string[] = [];

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async listen(port: number): Promise<void> {
    const opened = await listenOnLoopback(() => this.#newServer(), port);
    this.#servers = opened.servers;
    this.#port = opened.port;
    const names = ['localhost', '127.0.0.1', '[::1]'];
    this.#origins = names.map((name) => new URL(`http://${name}:${this.#port}`).origin);
  }

  address(query: Query): string {
    return this.#addressWith(query, this.#token);
  }

  addressForOnce(query: Query): string {
    const token = newToken();
    this.#unused.add(digest(token).toString('hex'));
    return this.#addressWith(query, token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#servers.map((server) => once(server, 'close'));
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    for (const socket of this.#upgraded) socket.destroy();
    await Promise.all(closed);
  }

  #newServer(): Server {
    const server = createServer((request, response) => this.#respond(request, response));
    return server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  #addressWith(query: Query, token: string): string {
    const parameters = new URLSearchParams({ ...query, token });
    return `http://localhost:${this.#port}/?${parameters.toString()}`;
  }

  /** Browsers send a cookie to every port of a host: the name keeps two servers apart. */
  get #cookieName(): string {
    return `interns-session-${this.#port}`;
  }

  /** Returns whether the request is for one of the gate's own names, and not from a page of another origin. */
  #isSameOrigin({ headers: { host = '', origin } }: IncomingMessage): boolean {
    const own = `http://${host}`;
    return this.#origins.includes(own) && (origin === undefined || origin === own);
  }

  #hasCookie({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
    return cookies.some(
      ([name, value = '']) => name === this.#cookieName && isSecret(value, this.#session),
    );
  }

  #hasToken({ url = '' }: IncomingMessage): boolean {
    const given = new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]).get('token') ?? '';
    return isSecret(given, this.#token) || this.#unused.delete(digest(given).toString('hex'));
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const hasCookie = this.#hasCookie(request);
    if (!this.#isSameOrigin(request) || (!hasCookie && !this.#hasToken(request))) {
      response.writeHead(403, { 'Content-Type': 'text/plain' });
      response.end('Open the address that this server was announced with: it holds a token.\n');
      return;
    }
    const cookie = `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
    const { method, url: path, headers } = request;
    const to = { socketPath: this.#socketPath, method, path, headers, agent: false };
    const forwarded = startRequest(to, (received) => {
      const { statusCode = 502, statusMessage, rawHeaders } = received;
      const added = hasCookie ? [] : ['Set-Cookie', cookie];
      response.writeHead(statusCode, statusMessage, [...rawHeaders, ...added]);
      pipeline(received, response).catch(() => response.destroy());
    });
    // If the server or the browser disconnects, the other connection ends too.
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.#isSameOrigin(request) || !this.#hasCookie(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const server = connect(this.#socketPath);
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    server.write(headOf(request));
    server.write(head);
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      pipeline(from, to).catch(() => to.destroy());
    }
  }
}

/** The head of a request, unchanged. */
function headOf({ method = '', url = '', rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Compares in constant time. */
function isSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
