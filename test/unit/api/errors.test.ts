import assert from 'node:assert/strict';
import {
  ApiError,
  isReason,
  kindOfRefusal,
  REASONS,
  type ApiErrorKind,
  type Route,
} from '../../../src/api/errors.ts';

/** The table of the chat route in the interface, row by row. */
const CHAT_TABLE: readonly (readonly [number, string | null, ApiErrorKind])[] = [
  [400, 'bad_request', 'invalid-request'],
  [401, null, 'signed-out'],
  [403, null, 'left-organization'],
  [404, null, 'outsider'],
  [404, 'not_found', 'intern-not-found'],
  [404, 'interaction_unknown', 'interaction-unknown'],
  [409, 'intern_not_ready', 'not-ready'],
  [409, 'busy', 'busy'],
  [409, 'interaction_not_pending', 'interaction-not-pending'],
  [409, 'attachment_failed', 'attachment-failed'],
  [410, 'attachment_failed', 'run-output-lost'],
  [410, 'run_ended', 'run-ended'],
  [413, 'payload_too_large', 'payload-too-large'],
  [429, 'rate_limited', 'rate-limited'],
  [499, 'client_closed_request', 'client-closed'],
  [502, 'intern_unreachable', 'unreachable'],
  [502, 'intern_rejected', 'rejected'],
  [502, 'turn_failed', 'turn-failed'],
  [502, 'stream_severed', 'severed'],
  [503, 'busy', 'no-capacity'],
  [504, 'timeout', 'timeout'],
];

describe('api error kinds: the chat route', () => {
  for (const [status, reason, kind] of CHAT_TABLE) {
    // Rules 1.4, 10.14, 18.2, 18.4, 18.5, 18.6, 18.7, 18.8, 18.9, 18.10, 18.11, 18.12, 18.13
    // Rules 18.14, 18.15, 18.16, 18.17, 18.18, 18.19, 18.20, 18.21, 18.22, 21.14
    it(`reads ${status} ${reason ?? 'without a reason'} as ${kind}`, () => {
      assert.equal(kindOfRefusal({ route: 'chat', status, reason }), kind);
    });
  }

  // Rule 18.1
  it('covers every reason that the interface lists', () => {
    const covered = new Set(CHAT_TABLE.map(([, reason]) => reason));
    assert.deepEqual(
      REASONS.filter((reason) => !covered.has(reason)),
      [],
    );
    assert.equal(REASONS.length, 16);
  });

  // Rule 19.15
  it('goes by the reason of an error in a stream, whose code the interface leaves open', () => {
    for (const status of [null, 200, 500]) {
      assert.equal(kindOfRefusal({ route: 'chat', status, reason: 'turn_failed' }), 'turn-failed');
      assert.equal(kindOfRefusal({ route: 'chat', status, reason: 'busy' }), 'busy');
    }
  });
});

describe('api error kinds: the other routes', () => {
  const rows: readonly (readonly [Route, number, string | null, ApiErrorKind])[] = [
    ['key', 401, null, 'signed-out'],
    ['key', 403, null, 'left-organization'],
    ['key', 404, null, 'not-the-service'],
    ['key', 404, 'not_found', 'not-the-service'],
    ['key', 500, null, 'server-error'],
    ['key', 503, null, 'server-error'],
    ['create', 400, null, 'invalid-request'],
    ['create', 401, null, 'signed-out'],
    ['create', 403, null, 'refused'],
    ['create', 404, null, 'outsider'],
    ['create', 404, 'not_found', 'outsider'],
    ['create', 404, 'unheard_of', 'refused'],
    ['create', 409, null, 'refused'],
    ['create', 413, null, 'payload-too-large'],
    ['create', 422, null, 'invalid-request'],
    ['create', 503, null, 'server-error'],
    ['secret', 400, null, 'invalid-request'],
    ['secret', 401, null, 'signed-out'],
    ['secret', 403, null, 'refused'],
    ['secret', 404, null, 'outsider'],
    ['secret', 404, 'not_found', 'outsider'],
    ['secret', 503, null, 'vault-writes-off'],
    ['secret', 503, 'unheard_of', 'vault-writes-off'],
    ['secret', 500, null, 'server-error'],
  ];
  for (const [route, status, reason, kind] of rows) {
    // Rules 1.4, 1.5, 13.3, 15.15, 20.1, 20.2, 20.3, 20.4, 20.5, 20.6, 20.7
    it(`reads ${status} ${reason ?? 'without a reason'} of ${route} as ${kind}`, () => {
      assert.equal(kindOfRefusal({ route, status, reason }), kind);
    });
  }
});

describe('api error kinds: what the interface does not list', () => {
  const rows: readonly (readonly [number | null, string | null, ApiErrorKind])[] = [
    [null, null, 'server-error'],
    [null, 'unheard_of', 'server-error'],
    [403, 'unheard_of', 'refused'],
    [404, 'unheard_of', 'refused'],
    [400, 'unheard_of', 'invalid-request'],
    [401, 'unheard_of', 'signed-out'],
    [402, null, 'refused'],
    [408, null, 'timeout'],
    [409, null, 'refused'],
    [410, null, 'refused'],
    [418, null, 'refused'],
    [429, null, 'rate-limited'],
    [499, null, 'refused'],
    [200, null, 'server-error'],
    [399, null, 'server-error'],
    [500, null, 'server-error'],
    [502, null, 'server-error'],
    [503, null, 'server-error'],
    [504, null, 'timeout'],
  ];
  for (const [status, reason, kind] of rows) {
    it(`reads ${status ?? 'no status'} ${reason ?? 'without a reason'} as ${kind}`, () => {
      assert.equal(kindOfRefusal({ route: 'chat', status, reason }), kind);
    });
  }

  it('tells a listed reason from any other text', () => {
    assert.equal(isReason('busy'), true);
    assert.equal(isReason('BUSY'), false);
    assert.equal(isReason('toString'), false);
    assert.equal(isReason(null), false);
  });
});

describe('api errors', () => {
  it('leaves what is not known null, and is no in-stream error unless it says so', () => {
    const error = new ApiError({ kind: 'network', route: 'key', message: 'No connection' });
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'ApiError');
    assert.equal(error.message, 'No connection');
    assert.deepEqual(Object.fromEntries(Object.entries(error)), {
      name: 'ApiError',
      kind: 'network',
      route: 'key',
      status: null,
      reason: null,
      inStream: false,
      retryAfterMs: null,
      code: null,
    });
  });

  it('keeps what is known', () => {
    const init = {
      kind: 'busy',
      route: 'chat',
      message: 'Busy',
      status: 409,
      reason: 'busy',
      inStream: true,
      retryAfterMs: 5,
      code: 'X',
    } as const;
    const { message, ...fields } = init;
    const error = new ApiError(init);
    assert.equal(error.message, message);
    assert.deepEqual(Object.fromEntries(Object.entries(error)), { name: 'ApiError', ...fields });
  });
});
