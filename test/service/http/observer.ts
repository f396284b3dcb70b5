import type { IncomingHttpHeaders } from 'node:http';

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  body: Buffer;
  status: number | undefined;
  responseBytes: number;
  /** `complete` when the whole response was written, `cut` when the connection ended before. */
  outcome: 'open' | 'complete' | 'cut';
}

/** Callbacks of a test, which are called synchronously. */
export interface Observer {
  onRequest?: (exchange: Exchange) => void;
  /** Called when the response has ended, complete or cut. */
  onResponse?: (exchange: Exchange) => void;
}
