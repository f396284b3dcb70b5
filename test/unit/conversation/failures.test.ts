import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind } from '../../../src/api/index.ts';
import {
  failureFacts,
  mayHaveReceived,
  storedFailure,
} from '../../../src/conversation/machine/failures.ts';

type Row = readonly [kind: ApiErrorKind, status: number | null, code?: string];

const beforeStream = {
  unknown: [
    ['server-error', 500],
    ['server-error', 503],
    ['unreachable', 502],
    ['severed', 502],
    ['timeout', 504],
    ['timeout', 408],
    ['timeout', null],
    ['client-closed', 499],
    ['network', null],
    ['network', null, 'ECONNRESET'],
    ['broken-stream', 200],
    ['unexpected-answer', 200],
  ],
  refuted: [
    ['invalid-request', 400],
    ['signed-out', 401],
    ['left-organization', 403],
    ['interaction-unknown', 404],
    ['interaction-not-pending', 409],
    ['not-ready', 409],
    ['busy', 409],
    ['attachment-failed', 409],
    ['run-output-lost', 410],
    ['payload-too-large', 413],
    ['rate-limited', 429],
    ['turn-failed', 502],
    ['rejected', 502],
    ['no-capacity', 503],
    ['network', null, 'ECONNREFUSED'],
    ['tls', null],
  ],
} satisfies Record<string, readonly Row[]>;

const inStream = {
  unknown: [
    ['run-ended', 410],
    ['severed', 502],
    ['timeout', 504],
    ['turn-failed', 502],
    ['unreachable', 502],
    ['client-closed', 499],
    ['server-error', 500],
    ['network', null],
    ['broken-stream', null],
    ['unlisted-finish', null],
  ],
  refuted: [
    ['interaction-unknown', 404],
    ['interaction-not-pending', 409],
    ['busy', 409],
    ['no-capacity', 503],
    ['attachment-failed', 409],
    ['run-output-lost', 410],
  ],
} satisfies Record<string, readonly Row[]>;

describe('mayHaveReceived', () => {
  for (const [where, table] of Object.entries({ beforeStream, inStream }))
    for (const [fate, rows] of Object.entries(table))
      for (const [kind, status, code = null] of rows as readonly Row[])
        it(`takes an answer as ${fate} after ${kind} ${status ?? code ?? ''} ${where}`, () => {
          const error = new ApiError({
            kind,
            route: 'chat',
            message: '',
            status,
            code,
            inStream: where === 'inStream',
          });
          assert.equal(mayHaveReceived(error), fate === 'unknown');
          assert.equal(mayHaveReceived(storedFailure(error)), fate === 'unknown', 'on record');
        });
});

describe('failureFacts', () => {
  it('reads every field of a failure back from the record', () => {
    const facts = {
      kind: 'busy',
      route: 'chat',
      status: 409,
      reason: 'busy',
      message: 'said the service',
      inStream: true,
      code: 'ECONNRESET',
      retryAfterMs: 5,
    } as const;
    assert.deepEqual(failureFacts(storedFailure(new ApiError(facts))), facts);
    const least = new ApiError({ kind: 'network', route: 'chat', message: '' });
    const { status, reason, code, retryAfterMs } = failureFacts(storedFailure(least));
    assert.deepEqual([status, reason, code, retryAfterMs], [null, null, null, null]);
  });
});
