import type { IncomingHttpHeaders } from 'node:http';

/** A request, as it came over the wire, and what became of it. */
export interface Exchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty until it was read. */
  body: Buffer;
  /** Undefined until the response has a status. */
  status: number | undefined;
  /** Bytes of the response's body so far. */
  responseBytes: number;
  /** `open` until the response was written whole, or the connection went away before. */
  outcome: 'open' | 'complete' | 'cut';
}

/** What a test may watch. All are called synchronously. */
export interface Observer {
  /** The request's body was read. */
  onRequest?: (exchange: Exchange) => void;
  /** The response is over, whole or not. */
  onResponse?: (exchange: Exchange) => void;
}
