import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Route } from '../../../src/api/errors.ts';
import {
  isEventStream,
  isRedirect,
  redirectOrigin,
  MAX_RESPONSE_BYTES,
  readBoundedText,
  readRefusal,
  readRetryAfter,
  readSuccess,
  readWrongStream,
} from '../../../src/api/responses.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

function context(route: Route) {
  const redact = (text: string): string => text.replaceAll('test-key', '***');
  return { route, redact, nowMs: NOW_MS };
}

function body(code: number, message: string, reason?: string): string {
  return JSON.stringify({ error: { code, message, ...(reason && { metadata: { reason } }) } });
}

const HTML = '<!doctype html><title>Sign in</title>';

describe('readBoundedText', () => {
  function streamOf(...pieces: readonly Uint8Array[]) {
    let cancelled = false;
    const left = [...pieces];
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: () => void (cancelled = true),
    });
    return { body: source, cancelled: () => cancelled };
  }

  it('the body reader joins characters that were cut between pieces', async () => {
    const { body } = streamOf(Uint8Array.of(0x61, 0xe2, 0x82), Uint8Array.of(0xac, 0x62));
    assert.equal(await readBoundedText(body), 'a€b');
  });

  it('the body reader replaces an incomplete character', async () => {
    assert.equal(await readBoundedText(streamOf(Uint8Array.of(0xe2)).body), '\ufffd');
  });

  it('the body reader reads a missing body as empty', async () => {
    assert.equal(await readBoundedText(null), '');
  });

  it('the body reader reads up to 2 MiB, and cancels a larger body', async () => {
    const half = new Uint8Array(MAX_RESPONSE_BYTES / 2).fill(0x61);
    assert.equal(MAX_RESPONSE_BYTES, 2_097_152);
    const full = streamOf(half, half);
    assert.equal((await readBoundedText(full.body))?.length, MAX_RESPONSE_BYTES);
    assert.equal(full.cancelled(), false);
    const over = streamOf(half, half, Uint8Array.of(0x61), half);
    assert.equal(await readBoundedText(over.body), null);
    assert.equal(over.cancelled(), true);
  });
});

describe('isRedirect and isEventStream', () => {
  it('the client recognizes a redirect, also an opaque one', () => {
    for (const status of [300, 301, 302, 303, 307, 308, 399])
      assert.equal(isRedirect({ type: 'default', status }), true, String(status));
    assert.equal(isRedirect({ type: 'opaqueredirect', status: 0 }), true);
    assert.equal(isRedirect({ type: 'default', status: 299 }), false);
    assert.equal(isRedirect({ type: 'default', status: 400 }), false);
  });

  it('the client knows the new server of a redirect only if it may get a key', () => {
    const url = 'https://a.example/api/v1/key';
    for (const [location, origin] of [
      ['https://b.example:8443/login?token=x', 'https://b.example:8443'],
      ['http://127.0.0.1:1/', 'http://127.0.0.1:1'],
      ['https://user:pass@b.example/', 'https://b.example'],
      ['/login', null],
      ['http://b.example/', null],
      ['command:x', null],
      ['https://', null],
      [`https://${'b.'.repeat(60)}example/`, null],
    ] as const)
      assert.equal(redirectOrigin(location, url), origin, location);
    assert.equal(redirectOrigin(null, url), null);
  });

  // Rule 12.3
  it('the client recognizes an event stream by its content type', () => {
    for (const end of ['', ';', '; charset=utf-8', ' ;x'])
      assert.equal(isEventStream(`text/event-stream${end}`), true, end);
    assert.equal(isEventStream('Text/Event-Stream'), true);
    for (const type of ['text/html', 'text/event-streams', 'x text/event-stream'])
      assert.equal(isEventStream(type), false, type);
    assert.equal(isEventStream(null), false);
  });
});

describe('readRefusal', () => {
  function refuse(status: number, text: string | null, route: Route = 'chat', headers = {}) {
    return readRefusal(new Response(null, { status, headers }), text, context(route));
  }

  it("the client reads a refusal from the service's error body", () => {
    const headers = { 'retry-after': '3' };
    const error = refuse(429, body(429, 'Slow down, test-key', 'rate_limited'), 'chat', headers);
    assert.deepEqual(
      [error.kind, error.route, error.status, error.reason, error.message, error.retryAfterMs],
      ['rate-limited', 'chat', 429, 'rate_limited', 'Slow down, ***', 3_000],
    );
    assert.equal(error.inStream, false);
  });

  it('the client keeps an unlisted reason as text, without secrets', () => {
    assert.equal(refuse(409, body(409, 'x', 'name_of_test-key')).reason, 'name_of_***');
    assert.equal(refuse(409, body(409, 'Taken')).reason, null);
  });

  // Rule 9.2
  it('the client trusts the HTTP status of a refusal if the code differs', () => {
    assert.equal(refuse(401, body(500, 'x')).kind, 'signed-out');
  });

  it('the client reads refusals of proxies and other services by status', () => {
    const foreign = {
      'not-the-service': [400, 401, 403, 404, 405, 409],
      timeout: [408, 504],
      'payload-too-large': [413],
      'rate-limited': [429],
      'server-error': [500, 502, 503],
    };
    for (const [kind, codes] of Object.entries(foreign))
      for (const status of codes)
        for (const text of [HTML, '{"message":"no"}', '{', null]) {
          const error = refuse(status, text, 'secret', { 'retry-after': '1' });
          const { message, reason, retryAfterMs } = error;
          const found = [error.kind, message, reason, retryAfterMs];
          assert.deepEqual(found, [kind, `HTTP ${status}`, null, 1_000], String(text));
        }
  });

  it('the client reads an empty 401 as that of the service, other empty bodies by status', () => {
    assert.equal(refuse(401, '').kind, 'signed-out');
    assert.equal(refuse(404, '').kind, 'not-the-service');
    assert.equal(refuse(409, '').kind, 'not-the-service');
    assert.equal(refuse(502, '', 'secret').kind, 'server-error');
  });

  for (const route of ['chat', 'key', 'create', 'secret'] as const)
    it(`the client gives an empty 403 or 503 of the ${route} route no special meaning`, () => {
      assert.equal(refuse(403, '', route).kind, 'refused');
      assert.equal(refuse(503, '', route).kind, 'server-error');
    });
});

describe('readWrongStream', () => {
  it("the client reads the service's error body in place of a stream", () => {
    const error = readWrongStream(body(409, 'Busy test-key', 'busy'), context('chat'));
    assert.deepEqual(
      [error.kind, error.route, error.status, error.reason, error.message],
      ['busy', 'chat', 409, 'busy', 'Busy ***'],
    );
    assert.equal(readWrongStream(body(401, 'No'), context('chat')).reason, null);
    assert.equal(readWrongStream(body(401, 'No', 'x test-key'), context('chat')).reason, 'x ***');
  });

  it('the client reads anything else in place of a stream as another service', () => {
    for (const text of [HTML, '{"id":"x"}', '', null]) {
      const { kind, status, message } = readWrongStream(text, context('chat'));
      assert.deepEqual(
        [kind, status, message],
        ['not-the-service', 200, 'The response does not come from an intern service'],
      );
    }
  });
});

describe('readSuccess', () => {
  const schema = v.object({ id: v.string() });
  const read = (text: string | null, route: Route): unknown =>
    readSuccess(new Response(null, { status: 201 }), text, schema, context(route));

  // Rule 14.18
  it('the client reads the result of any 2xx', () => {
    assert.deepEqual(read('{"id":"a","more":1}', 'create'), { id: 'a' });
  });

  it('the client reads an invalid body of a success as another service or a broken promise', () => {
    const rows = [
      ['create', '{}', 'unexpected-answer'],
      ['create', '', 'unexpected-answer'],
      ['create', HTML, 'not-the-service'],
      ['create', null, 'not-the-service'],
      ['secret', '{"data":{}}', 'unexpected-answer'],
      ['key', '{}', 'not-the-service'],
      ['key', '', 'not-the-service'],
      ['key', HTML, 'not-the-service'],
    ] as const;
    for (const [route, text, kind] of rows) {
      const message =
        kind === 'unexpected-answer'
          ? 'The response lacks what the API promises'
          : 'The response does not come from an intern service';
      const expected = { name: 'ApiError', kind, route, status: 201, message };
      assert.throws(() => read(text, route), expected);
    }
  });
});

describe('readRetryAfter', () => {
  it('the client reads seconds and dates of a Retry-After header', () => {
    const rows: readonly (readonly [string | null, number | null])[] = [
      ['0', 0],
      ['3', 3_000],
      [' 1.5 ', 1_500],
      ['0.0004', 0],
      ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
      ['Wed, 31 Dec 2025 23:59:50 GMT', 0],
      ['2026', 2_026_000],
      ...['31536001', '9'.repeat(400), 'Thu, 01 Jan 2099 00:00:00 GMT'].map(
        (header) => [header, 31_536_000_000] as const,
      ),
      ...[null, '', '-1', 'soon', '1 2'].map((header) => [header, null] as const),
    ];
    for (const [header, expected] of rows)
      assert.equal(readRetryAfter(header, NOW_MS), expected, String(header));
  });
});
