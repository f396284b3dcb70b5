import assert from 'node:assert/strict';
import { ApiError, isReason, kindOfRefusal, REASONS, type Route } from '../../../src/api/errors.ts';

/** The refusals of each kind: the route, the status and the reason. */
const REFUSALS = `
  invalid-request: chat 400 bad_request, chat 400 unheard_of, create 400, create 422, secret 400
  signed-out: chat 401, chat 401 unheard_of, key 401, create 401, secret 401
  left-organization: chat 403, key 403
  outsider: chat 404, create 404, create 404 not_found, secret 404, secret 404 not_found
  intern-not-found: chat 404 not_found
  interaction-unknown: chat 404 interaction_unknown
  not-ready: chat 409 intern_not_ready
  busy: chat 409 busy, chat 500 busy, chat null busy
  interaction-not-pending: chat 409 interaction_not_pending
  attachment-failed: chat 409 attachment_failed
  run-output-lost: chat 410 attachment_failed
  run-ended: chat 410 run_ended, chat 410, chat 410 unheard_of
  payload-too-large: chat 413 payload_too_large, create 413
  rate-limited: chat 429 rate_limited, chat 429
  client-closed: chat 499 client_closed_request
  unreachable: chat 502 intern_unreachable
  rejected: chat 502 intern_rejected
  turn-failed: chat 502 turn_failed, chat 200 turn_failed, chat null turn_failed
  severed: chat 502 stream_severed
  no-capacity: chat 503 busy
  timeout: chat 504 timeout, chat 504, chat 408
  server-error: chat null, chat null unheard_of, chat 200, chat 399, chat 500, chat 502, chat 503
  server-error: key 500, key 503, create 503, secret 500
  refused: chat 403 unheard_of, chat 404 unheard_of, chat 402, chat 409, chat 418, chat 499
  refused: create 403, create 404 unheard_of, create 409, create 410, secret 403
  not-the-service: key 404, key 404 not_found
  vault-writes-off: secret 503, secret 503 unheard_of`;

describe('the reasons of refusals', () => {
  // Rules 1.4, 1.5, 10.14, 13.3, 15.15, 18.2, 18.4, 18.5, 18.6, 18.7, 18.8, 18.9, 18.10, 18.11, 18.12, 18.13, 18.14
  // Rules 18.15, 18.16, 18.17, 18.18, 18.19, 18.20, 18.21, 18.22, 19.15, 20.1, 20.2, 20.3, 20.4, 20.5, 20.6, 20.7, 21.14
  const tested = new Set<string | null>();
  for (const line of REFUSALS.trim().split('\n')) {
    const [kind, refusals = ''] = line.trim().split(': ');
    for (const refusal of refusals.split(', ')) {
      const [route, code, reason = null] = refusal.split(' ') as [Route, string, string?];
      const status = code === 'null' ? null : Number(code);
      tested.add(reason);
      it(`kindOfRefusal reads ${refusal} as ${kind}`, () => {
        assert.equal(kindOfRefusal({ route, status, reason }), kind);
      });
    }
  }

  // Rule 18.1
  it('the table of refusals covers every listed reason', () => {
    assert.deepEqual(
      REASONS.filter((reason) => !tested.has(reason)),
      [],
    );
    assert.equal(REASONS.length, 16);
  });

  it('isReason accepts only a listed reason', () => {
    for (const text of ['BUSY', 'toString', null]) assert.equal(isReason(text), false);
    assert.equal(isReason('busy'), true);
  });
});

describe('ApiError', () => {
  it('an ApiError fills in null or false for the fields that are left out', () => {
    const given = { kind: 'network', route: 'key' } as const;
    const error = new ApiError({ ...given, message: 'No connection' });
    assert.equal(error.message, 'No connection');
    const rest = { status: null, reason: null, inStream: false, retryAfterMs: null, code: null };
    assert.deepEqual(Object.fromEntries(Object.entries(error)), {
      name: 'ApiError',
      ...given,
      ...rest,
      redirectedTo: null,
    });
  });
});
