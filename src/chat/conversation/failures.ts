import type { ApiError } from '../../api/index.ts';
import type { StoredFailure } from '../journal.ts';

/** What a conversation remembers of a failure. */
export function storedFailure(error: ApiError): StoredFailure {
  return {
    kind: error.kind,
    status: error.status ?? 0,
    message: error.message,
    inStream: error.inStream,
    ...(error.reason === null ? {} : { reason: error.reason }),
  };
}
