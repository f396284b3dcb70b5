import type { SecretMetadata } from '../../api/index.ts';
import type { SecretRecord } from '../storage/records.ts';

/**
 * What fingerprints tell. They are comparable within one vault only, and the key decides the vault: so a record counts
 * only if it was stored since the account has its present key (`since`, epoch ms).
 */

/** Whether storing a secret changed its value; `unknown` where there is nothing to compare with. */
export type ValueChange = 'same' | 'changed' | 'unknown';

export function valueChange(
  before: SecretRecord | undefined,
  after: SecretMetadata,
  since: number,
): ValueChange {
  const old = before === undefined ? null : fingerprintOf(before, since);
  if (old === null || after.fingerprint === null) return 'unknown';
  return old === after.fingerprint ? 'same' : 'changed';
}

/** The names of other known secrets with the same value. */
export function sameValue(
  records: readonly SecretRecord[],
  { name, fingerprint }: SecretMetadata,
  since: number,
): string[] {
  if (fingerprint === null) return [];
  return records
    .filter((other) => other.name !== name && fingerprintOf(other, since) === fingerprint)
    .map((other) => other.name);
}

function fingerprintOf({ storedAt, metadata }: SecretRecord, since: number): string | null {
  return storedAt >= since ? metadata.fingerprint : null;
}
