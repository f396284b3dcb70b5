import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/index.ts';
import { failureDetails, storedFailure } from '../../../src/conversation/machine/failures.ts';

describe('failureDetails', () => {
  it('the record of a failure keeps every field', () => {
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
    assert.deepEqual(failureDetails(storedFailure(new ApiError(facts))), facts);
    const least = new ApiError({ kind: 'network', route: 'chat', message: '' });
    const { status, reason, code, retryAfterMs } = failureDetails(storedFailure(least));
    assert.deepEqual([status, reason, code, retryAfterMs], [null, null, null, null]);
  });
});
