import * as v from 'valibot';
import { parseJson } from '../base/json.ts';
import { kindOfRefusal, kindOfStatus } from './errorKinds.ts';
import { ApiError, type ApiErrorKind, type Route } from './errors.ts';
import type { Redact } from './redact.ts';
import { errorBodySchema } from './schemas.ts';

/** Most bytes that are read of a response that is no stream: twice a request's own limit. */
export const MAX_RESPONSE_BYTES = 2 * 1_048_576;

/** What is needed to turn a response into an error. */
export interface ResponseContext {
  readonly route: Route;
  readonly redact: Redact;
  /** Wall clock, in milliseconds since the Unix epoch, for a `retry-after` that is a date. */
  readonly nowMs: number;
}

/**
 * Reads a body as UTF-8; null where it is larger than {@link MAX_RESPONSE_BYTES}, whose rest is not read.
 *
 * @param onBytes is told how many bytes came, chunk by chunk
 */
export async function readBoundedText(
  response: Response,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string | null> {
  if (response.body === null) return '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    onBytes(value.length);
    if (bytes > MAX_RESPONSE_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Whether a response leads elsewhere. Browsers hide a redirect that was not followed behind an opaque response. */
export function isRedirect({ type, status }: Pick<Response, 'type' | 'status'>): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Whether a response's body is an event stream, by its content type. */
export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
}

/** What a response that is no success says, by its body where it is the service's own, else by its status. */
export function readRefusal(
  response: Response,
  body: string | null,
  { route, redact, nowMs }: ResponseContext,
): ApiError {
  const { status } = response;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), nowMs);
  const read = v.safeParse(errorBodySchema, parseJson(body ?? ''));
  if (!read.success) {
    const kind = kindOfForeignRefusal(status, body);
    return new ApiError({ kind, route, status, retryAfterMs, message: `HTTP ${status}` });
  }
  const { message, reason } = read.output;
  return new ApiError({
    kind: kindOfRefusal({ route, status, reason }),
    route,
    status,
    retryAfterMs,
    message: redact(message),
    reason: reason === null ? null : redact(reason),
  });
}

/** What a response that should have been an event stream is: the service's error under a wrong status, or not its own. */
export function readWrongStream(body: string | null, { route, redact }: ResponseContext): ApiError {
  const read = v.safeParse(errorBodySchema, parseJson(body ?? ''));
  if (!read.success) return notTheService(route, 200);
  const { code: status, message, reason } = read.output;
  return new ApiError({
    kind: kindOfRefusal({ route, status, reason }),
    route,
    status,
    message: redact(message),
    reason: reason === null ? null : redact(reason),
  });
}

/**
 * Reads the JSON of a success.
 *
 * @throws ApiError `not-the-service` where it is no JSON, or on the route by which a root is judged; else
 *   `unexpected-answer`: the operation succeeded, but its result cannot be read
 */
export function readSuccess<T>(
  response: Response,
  body: string | null,
  schema: v.GenericSchema<unknown, T>,
  { route }: ResponseContext,
): T {
  const { status } = response;
  const json = parseJson(body ?? '');
  const read = v.safeParse(schema, json);
  if (read.success) return read.output;
  if ((json === undefined && body !== '') || route === 'key') throw notTheService(route, status);
  const message = 'The answer lacks what the interface promises';
  throw new ApiError({ kind: 'unexpected-answer', route, status, message });
}

/**
 * The wait that `retry-after` asks for, in milliseconds: a number of seconds or a date (RFC 9110, 10.2.3); null where it
 * asks for none that can be read.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  // A date holds a letter; without this, Date.parse would take "-1" for a year.
  const date = /[a-z]/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/**
 * The kind of a refusal without the service's error body, as a proxy or a load balancer gives it. Statuses that these
 * give on their own account keep their meaning; so do 401 and 403 with an empty body, which shows no other service. Any
 * other comes from something that is not the service.
 */
function kindOfForeignRefusal(status: number, body: string | null): ApiErrorKind {
  const isOfProxies = status >= 500 || status === 408 || status === 413 || status === 429;
  const isEmptyRefusal = body === '' && (status === 401 || status === 403);
  return isOfProxies || isEmptyRefusal ? kindOfStatus(status) : 'not-the-service';
}

function notTheService(route: Route, status: number): ApiError {
  const message = 'The answer does not come from an intern service';
  return new ApiError({ kind: 'not-the-service', route, status, message });
}
