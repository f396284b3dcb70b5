import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from '../core/api.ts';
import { matchRoute } from '../core/routes.ts';
import type { Faults } from './faults.ts';
import type { Exchange, Observer } from './observer.ts';
import { ResponseWriter } from './responseWriter.ts';

/** The path prefix of the API root (interface: Versioning). */
export const API_PREFIX = '/api/v1';

const PAGE = `<!doctype html><title>Intern service</title>
<p>This is a local intern service. The API root is <code>${API_PREFIX}</code>.</p>
`;

export interface ListenerParts {
  api: Api;
  faults: Faults;
  observer: Observer;
  /** The largest body that any route allows, in bytes. */
  keepBytes: number;
}

export function createListener(
  parts: ListenerParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const exchange: Exchange = {
      method: request.method ?? '',
      path: request.url ?? '/',
      headers: request.headers,
      body: Buffer.alloc(0),
      status: undefined,
      responseBytes: 0,
      outcome: 'open',
    };
    response.once('close', () => {
      exchange.outcome = response.writableFinished ? 'complete' : 'cut';
      parts.observer.onResponse?.(exchange);
    });
    void serve(parts, exchange, request, response);
  };
}

async function serve(
  { api, faults, observer, keepBytes }: ListenerParts,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, keepBytes);
  if (body === undefined) return;
  exchange.body = body;
  observer.onRequest?.(exchange);
  const pathname = exchange.path.replace(/\?.*$/s, '');
  if (!pathname.startsWith(`${API_PREFIX}/`)) {
    const status = pathname === '/' ? 200 : 404;
    new ResponseWriter(response, exchange).send(status, { 'content-type': 'text/html' }, PAGE);
    return;
  }
  const path = pathname.slice(API_PREFIX.length);
  const { route } = matchRoute(exchange.method, path);
  const fault = route === 'none' || route === 'method' ? undefined : faults.take(route);
  const writer = new ResponseWriter(
    response,
    exchange,
    fault?.kind === 'cut' ? fault.afterBytes : undefined,
  );
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'respond') writer.send(fault.status, fault.headers ?? {}, fault.body ?? '');
  else await api.handle({ exchange, path, writer });
}

/**
 * Reads the whole body, so that the client can finish sending and read a refusal, but keeps only `keepBytes` + 1
 * bytes: enough to know that it is too large.
 * @returns undefined if the client disconnected
 */
async function readBody(request: IncomingMessage, keepBytes: number): Promise<Buffer | undefined> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const room = keepBytes + 1 - size;
      if (room <= 0) continue;
      kept.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, room);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(kept);
}
