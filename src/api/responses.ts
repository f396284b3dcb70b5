import * as v from 'valibot';
import { parseJson } from '../base/json.ts';
import {
  ApiError,
  kindOfRefusal,
  kindOfStatus,
  type ApiErrorInit,
  type ApiErrorKind,
  type Route,
} from './errors.ts';
import type { Redact } from './redact.ts';
import { errorBodySchema } from './schemas.ts';
import { parseServiceUrl } from './serviceUrl.ts';

/** Maximum number of bytes of a response that is not a stream: twice the limit of a request. */
export const MAX_RESPONSE_BYTES = 2 * 1_048_576;

const MAX_ORIGIN_CHARACTERS = 100;

const MAX_WAIT_MS = 365 * 86_400_000;

export interface ResponseContext {
  readonly route: Route;
  readonly redact: Redact;
  /** Milliseconds since the Unix epoch, for a `retry-after` that is a date. */
  readonly nowMs: number;
}

/**
 * Reads a body as UTF-8. Returns null if it is larger than {@link MAX_RESPONSE_BYTES}, and reads no further.
 *
 * @param body null if there is none
 * @param onBytes gets the number of bytes of each chunk
 */
export async function readBoundedText(
  body: AsyncIterable<Uint8Array> | null,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    onBytes(chunk.length);
    if (bytes > MAX_RESPONSE_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns whether a response is a redirect, which browsers hide in an opaque response. */
export function isRedirect({ type, status }: Pick<Response, 'type' | 'status'>): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/**
 * Returns the origin that a redirect leads to. Returns null if it is unknown or unchanged, if no key may be sent there, or
 * if it is too long to be shown in full.
 */
export function redirectOrigin(location: string | null, url: string): string | null {
  if (location === null || !URL.canParse(location, url)) return null;
  const { origin } = new URL(location, url);
  const isOffered = parseServiceUrl(origin).ok && origin.length <= MAX_ORIGIN_CHARACTERS;
  return isOffered && origin !== new URL(url).origin ? origin : null;
}

export function isEventStream(contentType: string | null | undefined): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(contentType ?? '');
}

/** Returns the error of an unsuccessful response, from its body if that is the service's error body, else from its status. */
export function readRefusal(
  { status, headers }: Response,
  body: string | null,
  context: ResponseContext,
): ApiError {
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), context.nowMs);
  const kind = kindOfForeignRefusal(status, body);
  return (
    readErrorBody(body, context, { status, retryAfterMs }) ??
    new ApiError({ kind, route: context.route, status, retryAfterMs, message: `HTTP ${status}` })
  );
}

/** Returns the error of a successful response that is no event stream. Its body may still be the service's error body. */
export function readWrongStream(body: string | null, context: ResponseContext): ApiError {
  return readErrorBody(body, context) ?? notTheService(context.route, 200);
}

/** Reads the service's error body; null for any other body. Without a given status, the body's code counts. */
function readErrorBody(
  body: string | null,
  { route, redact }: ResponseContext,
  http: { readonly status?: number; readonly retryAfterMs?: number | null } = {},
): ApiError | null {
  const read = v.safeParse(errorBodySchema, parseJson(body ?? ''));
  if (!read.success) return null;
  const { code: status, message, reason } = read.output;
  return refusalError({ route, status, reason, message, ...http }, redact);
}

/** Makes the error of a failure that the service reported, without the secrets of its request. */
export function refusalError(
  failure: Omit<ApiErrorInit, 'kind'> & { readonly status: number | null; reason: string | null },
  redact: Redact,
): ApiError {
  const { reason, message } = failure;
  return new ApiError({
    ...failure,
    kind: kindOfRefusal(failure),
    message: redact(message),
    reason: reason === null ? null : redact(reason),
  });
}

/**
 * Reads the JSON of a success.
 *
 * @throws ApiError `unexpected-answer` if the result cannot be read; `not-the-service` if it is not JSON, or on the
 *   route of the key, which sign-in uses to check the service URL
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
  const message = 'The response lacks what the API promises';
  throw new ApiError({ kind: 'unexpected-answer', route, status, message });
}

/**
 * Reads `retry-after`, a number of seconds or a date (RFC 9110, 10.2.3). Returns the wait in ms, at most a year, since the
 * time after a longer wait may not be a valid date; null if the header is neither.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? '';
  // Date.parse reads "-1" as a year; a date holds a letter.
  const date = /[a-z]/.test(value) ? Date.parse(value) : NaN;
  const waitMs = /^\d+(\.\d+)?$/.test(value) ? Math.round(Number(value) * 1000) : date - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), MAX_WAIT_MS);
}

/**
 * Returns the kind of a refusal without the service's error body. Statuses that proxies and load balancers give keep
 * their meaning, and so do 401 and 403 with an empty body. Others come from another service.
 */
function kindOfForeignRefusal(status: number, body: string | null): ApiErrorKind {
  const isOfProxies = status >= 500 || status === 408 || status === 413 || status === 429;
  const isEmptyRefusal = body === '' && (status === 401 || status === 403);
  return isOfProxies || isEmptyRefusal ? kindOfStatus(status) : 'not-the-service';
}

function notTheService(route: Route, status: number): ApiError {
  const message = 'The response does not come from an intern service';
  return new ApiError({ kind: 'not-the-service', route, status, message });
}
