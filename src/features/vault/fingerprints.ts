import type { SecretMetadata } from '../../api/index.ts';
import type { SecretRecord } from '../accounts/records.ts';

/**
 * What is known of the vault of the present key. The key decides the vault, and fingerprints are comparable within one
 * vault only: so a record counts only if it was stored since the account has its present key (`since`, epoch ms).
 */

/** Whether a secret went into the vault of the account's present key; one stored earlier may be in another vault. */
export function isInVault({ storedAt }: SecretRecord, since: number): boolean {
  return storedAt >= since;
}

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

function fingerprintOf(record: SecretRecord, since: number): string | null {
  return isInVault(record, since) ? record.metadata.fingerprint : null;
}
