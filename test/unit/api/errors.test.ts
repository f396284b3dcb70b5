import assert from 'node:assert/strict';
import {
  ApiError,
  isReason,
  kindOfRefusal,
  REASONS,
  type ApiErrorKind,
  type Route,
} from '../../../src/api/errors.ts';

/** The table of the chat route in the interface. */
const LISTED: readonly (readonly [number, string | null, ApiErrorKind])[] = [
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

const UNLISTED: readonly (readonly [number | null, string | null, ApiErrorKind])[] = [
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

  // Rule 19.15
  [null, 'turn_failed', 'turn-failed'],
  [200, 'turn_failed', 'turn-failed'],
  [500, 'busy', 'busy'],
  [null, 'busy', 'busy'],
];

const OTHER_ROUTES: readonly (readonly [Route, number, string | null, ApiErrorKind])[] = [
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

describe('kindOfRefusal', () => {
  // Rules 1.4, 1.5, 10.14, 13.3, 15.15, 18.2, 18.4, 18.5, 18.6, 18.7, 18.8, 18.9, 18.10, 18.11, 18.12, 18.13, 18.14
  // Rules 18.15, 18.16, 18.17, 18.18, 18.19, 18.20, 18.21, 18.22, 20.1, 20.2, 20.3, 20.4, 20.5, 20.6, 20.7, 21.14
  const onChat = [...LISTED, ...UNLISTED].map((row) => ['chat', ...row] as const);
  for (const [route, status, reason, kind] of [...onChat, ...OTHER_ROUTES])
    it(`is ${kind} for ${status ?? 'no status'} ${reason ?? 'without a reason'} of ${route}`, () => {
      assert.equal(kindOfRefusal({ route, status, reason }), kind);
    });

  // Rule 18.1
  it('is tested for every listed reason', () => {
    const tested = new Set(LISTED.map(([, reason]) => reason));
    assert.deepEqual(
      REASONS.filter((reason) => !tested.has(reason)),
      [],
    );
    assert.equal(REASONS.length, 16);
  });
});

describe('isReason', () => {
  it('is true only for a listed reason', () => {
    for (const text of ['BUSY', 'toString', null]) assert.equal(isReason(text), false);
    assert.equal(isReason('busy'), true);
  });
});

describe('ApiError', () => {
  it('has null or false in the fields that are left out', () => {
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

  it('keeps the fields that are given', () => {
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
