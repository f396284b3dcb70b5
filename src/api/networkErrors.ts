import type { ApiErrorKind } from './errors.ts';

/** A lost connection, without the platform's own message, which may quote a header. */
interface NetworkFailure {
  readonly kind: Extract<ApiErrorKind, 'network' | 'tls' | 'timeout' | 'not-the-service'>;
  /** The platform's code, such as `ECONNREFUSED` or `ERR_CERT_AUTHORITY_INVALID`. */
  readonly code: string | null;
}

const MAX_CAUSES = 8;
const TLS_CODES =
  /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH|^EPROTO$|INVALID_(CA|PURPOSE)|PATH_LENGTH/;
/** Codes of a TLS connection that broke after its handshake, when a request may have been sent. */
const BROKEN_TLS_CODES = /RECORD_MAC|UNEXPECTED_EOF/;
const TIMEOUT_CODES = /TIMEOUT|TIMEDOUT|TIMED_OUT/;
/** Codes for a response that is not HTTP. */
const FOREIGN_CODES = /^HPE_|INVALID_HTTP_RESPONSE/;

/** Code of a request that was certainly never sent: it has no response file, and no keeper can create it anymore. */
export const NEVER_SENT = 'ERR_NEVER_SENT';

/** Code of a connection that was lost while the machine slept. */
export const MACHINE_SLEPT = 'ERR_MACHINE_SLEPT';
/** Shortest time that counts as a sleep, in ms. */
export const MIN_SLEEP_MS = 30_000;

/** Codes of a system without a route to the host. A connection that was open may also fail with them. */
const NO_ROUTE_CODES = ['ENETUNREACH', 'EHOSTUNREACH'] as const;

/** Codes for a connection that was never made. */
const NO_CONNECTION_CODES: ReadonlySet<string | null | undefined> = new Set([
  'ECONNREFUSED',
  ...NO_ROUTE_CODES,
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_CONNECTION_REFUSED',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_INTERNET_DISCONNECTED',
  'UND_ERR_CONNECT_TIMEOUT',
  // Node gives this code before it sends the request through the proxy.
  'ERR_PROXY_TUNNEL',
  NEVER_SENT,
]);

/** Returns whether a failed request was certainly never sent: there was no connection, or TLS refused it. */
export function wasNeverSent({
  kind,
  code,
}: {
  readonly kind: string;
  readonly code?: string | null | undefined;
}): boolean {
  return kind === 'tls' || NO_CONNECTION_CODES.has(code);
}

/** Classifies a rejected `fetch` or a broken body by the codes in its chain of causes. */
export function readNetworkFailure(failure: unknown): NetworkFailure {
  const code = findCode(failure, MAX_CAUSES);
  if (code === null) return { kind: 'network', code };
  if (TLS_CODES.test(code) && !BROKEN_TLS_CODES.test(code)) return { kind: 'tls', code };
  if (TIMEOUT_CODES.test(code)) return { kind: 'timeout', code };
  if (FOREIGN_CODES.test(code)) return { kind: 'not-the-service', code };
  return { kind: 'network', code };
}

/** Returns the innermost code. Node nests the socket's error, and collects the errors of several addresses in one. */
function findCode(failure: unknown, depth: number): string | null {
  if (depth === 0 || !(failure instanceof Error)) return null;
  const inner =
    failure instanceof AggregateError ? (failure.errors as unknown[])[0] : failure.cause;
  return findCode(inner, depth - 1) ?? ownCode(failure);
}

function ownCode(failure: Error): string | null {
  const { code, syscall } = failure as { readonly code?: unknown; readonly syscall?: unknown };
  const wasConnected = syscall !== undefined && syscall !== 'connect';
  if (wasConnected && NO_ROUTE_CODES.some((each) => each === code)) return 'ECONNRESET';
  // Node gives up an address after a quarter of a second if there is another one.
  if (syscall === 'connect' && code === 'ETIMEDOUT') return 'UND_ERR_CONNECT_TIMEOUT';
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) return code;
  // Node's HTTP parser does not always give a code.
  if (failure.name === 'HTTPParserError') return 'HPE_INVALID';
  // Electron's network stack puts the code into the message.
  return /\bnet::(ERR_[A-Z0-9_]+)/.exec(failure.message)?.[1] ?? null;
}
