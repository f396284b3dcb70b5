import { ApiError, type ApiErrorKind } from '../../api/index.ts';
import type { PlannedSecret } from './importPlan.ts';
import type { StoredSecret } from './secretModel.ts';

/** What became of one secret of an import; `not-tried` after a cancellation, or a failure that would hit them all. */
export interface ImportResult {
  readonly secret: PlannedSecret;
  readonly outcome: StoredSecret | ApiError | 'not-tried';
}

/** Failures that are the caller's and not one secret's: to go on would only repeat them. */
const failuresOfAll: readonly ApiErrorKind[] = [
  'signed-out',
  'outsider',
  'vault-writes-off',
  'not-the-service',
  'redirect',
  'tls',
  'aborted',
];

/**
 * Stores secrets one after the other, so that a cancellation leaves no doubt about more than one.
 *
 * @param begin Called before each one.
 */
export async function importSecrets(
  planned: readonly PlannedSecret[],
  store: (secret: PlannedSecret) => Promise<StoredSecret>,
  begin: (secret: PlannedSecret) => void,
  signal: AbortSignal,
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  let isStopped = false;
  for (const secret of planned) {
    isStopped ||= signal.aborted;
    const outcome: ImportResult['outcome'] = isStopped
      ? 'not-tried'
      : await storeOne(secret, store, begin);
    results.push({ secret, outcome });
    isStopped ||= outcome instanceof ApiError && isOfAll(outcome);
  }
  return results;
}

/** A 403 speaks of the API key or the API root, whatever the service says of it. */
function isOfAll({ kind, status }: ApiError): boolean {
  return status === 403 || failuresOfAll.includes(kind);
}

/** The secrets of an import that were not stored. */
export function unstored(results: readonly ImportResult[]): PlannedSecret[] {
  return results
    .filter(({ outcome }) => outcome === 'not-tried' || outcome instanceof ApiError)
    .map(({ secret }) => secret);
}

async function storeOne(
  secret: PlannedSecret,
  store: (secret: PlannedSecret) => Promise<StoredSecret>,
  begin: (secret: PlannedSecret) => void,
): Promise<StoredSecret | ApiError> {
  begin(secret);
  try {
    return await store(secret);
  } catch (failure) {
    if (failure instanceof ApiError) return failure;
    throw failure;
  }
}
