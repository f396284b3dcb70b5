export type HeaderNameProblem =
  /** Not an HTTP token (RFC 9110, 5.6.2). */
  | 'not-a-token'
  /** A header that the client or the platform sets, or that changes the meaning of the request. */
  | 'reserved';

const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'origin',
  'pragma',
  'range',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

const RESERVED_PREFIXES = [
  'proxy-',
  'sec-',
  'access-control-',
  'if-',
  'x-forwarded-',
  'x-http-method',
];

/** Checks the name of the header that carries the idempotency key of a create. */
export function checkIdempotencyHeader(name: string): HeaderNameProblem | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'not-a-token';
  const lower = name.toLowerCase();
  const reserved =
    RESERVED_NAMES.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return reserved ? 'reserved' : null;
}
