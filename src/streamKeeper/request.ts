import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import zlib from 'node:zlib';
import { readNetworkFailure, wasNeverSent } from '../api/networkErrors.ts';
import { isLoopback } from '../base/links.ts';
import type { StartMessage } from './keeperMessages.ts';

/** Time without bytes after which the system checks a connection, in ms: the same as for `fetch`. */
const KEEP_ALIVE_MS = 60_000;
/** Longest time until a connection is open, in ms. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Maximum number of codings of a body. A header has room for thousands, and the decoder of each takes 90 KB. */
const MAX_CODINGS = 5;

interface KeeperResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Readable;
}

/**
 * Sends a request over a connection of its own, which costs less than `fetch`. Follows no redirects.
 *
 * @param connectMs longest time until the connection is open
 * @throws Error with the platform's code; `ECONNRESET` if the request may have been sent and the code denies that
 */
export function sendRequest(
  { url, method, headers, body }: Pick<StartMessage, 'url' | 'method' | 'headers' | 'body'>,
  signal: AbortSignal,
  connectMs = CONNECT_TIMEOUT_MS,
): Promise<KeeperResponse> {
  const client = clientFor(new URL(url));
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const request = client.request(url, {
      method,
      // Otherwise Node would use a proxy even for this machine, and the proxy would see the key.
      agent: client === http ? false : https.globalAgent,
      headers: {
        'user-agent': 'node',
        ...headers,
        'accept-encoding': 'identity',
        // A connection that was used before may be closing.
        connection: 'close',
      },
      signal,
    });
    const timer = setTimeout(() => {
      request.destroy(codedError('UND_ERR_CONNECT_TIMEOUT'));
    }, connectMs);
    request
      .on('socket', (socket) => {
        socket.setKeepAlive(true, KEEP_ALIVE_MS);
        onConnected(socket, () => {
          isConnected = true;
          clearTimeout(timer);
        });
      })
      .on('response', (response) => {
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, body: decoded(response) });
      })
      .on('error', (failure) => {
        // A TLS connection may also break after the service received the request.
        const deniesSending = isConnected && wasNeverSent(readNetworkFailure(failure));
        reject(deniesSending ? codedError('ECONNRESET') : failure);
      })
      .on('close', () => {
        clearTimeout(timer);
        // If the server switches protocols, neither a response nor an error comes.
        reject(codedError('ECONNRESET'));
      })
      .end(body ?? undefined);
  });
}

/** @throws Error if the request may not be sent from here */
function clientFor({ protocol, hostname }: URL): typeof http | typeof https {
  if (protocol === 'http:' && isLoopback(hostname)) return http;
  if (protocol !== 'https:') throw codedError('ERR_TLS_REQUIRED');
  const { options } = https.globalAgent as { readonly options?: { readonly proxyEnv?: object } };
  // Node ignores the variable before 22.21 and 24.5.
  if (process.env['NODE_USE_ENV_PROXY'] !== undefined && options?.proxyEnv === undefined)
    throw codedError('ERR_PROXY_UNSUPPORTED');
  return https;
}

/** Calls back once requests can be sent: after the TLS handshake. */
function onConnected(socket: Socket, callback: () => void): void {
  const isTls = socket instanceof TLSSocket;
  // A connection through a proxy is handed over after its handshake.
  const isConnected = isTls ? socket.alpnProtocol !== null : !socket.connecting;
  if (isConnected) callback();
  else socket.once(isTls ? 'secureConnect' : 'connect', callback);
}

/** Decompresses a body as it arrives. It may be compressed although the request says otherwise. */
function decoded(response: IncomingMessage): Readable {
  const codings = response.headers['content-encoding'] ?? '';
  let body: Readable = response;
  for (const coding of codings.split(',', MAX_CODINGS).reverse()) {
    const decoder = decoderOf(coding.trim().toLowerCase());
    if (decoder !== undefined) body = pipeline(body, decoder, () => undefined);
  }
  return body;
}

function decoderOf(coding: string): zlib.Unzip | zlib.BrotliDecompress | undefined {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return zlib.createUnzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({
        flush: BROTLI_OPERATION_FLUSH,
        finishFlush: BROTLI_OPERATION_FLUSH,
      });
    default:
      return undefined;
  }
}

export function codedError(code: string): Error {
  return Object.assign(new Error('The request failed'), { code });
}
