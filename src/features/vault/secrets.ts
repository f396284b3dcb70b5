import {
  MAX_SECRET_VALUE_CHARACTERS,
  type SecretDraft,
  type SecretMetadata,
} from '../../api/index.ts';
import { warnIfTight } from '../../platform/dialogs/statusMessage.ts';
import type { Account, AccountServices, ListServices } from '../accounts/account.ts';
import type { SecretRecord } from '../accounts/records.ts';

// The list has the metadata of the secrets that were stored from this editor: the API has no route to list them. A value
// is only sent, never kept.

export type VaultServices = Pick<AccountServices, 'accounts' | 'dialogs' | 'log' | 'registrar'> & {
  readonly storeSecret: StoreSecret;
};

export interface KnownSecret {
  /** Null for a legacy secret. */
  readonly hosts: readonly string[] | null;
  /** True if it is in the vault of the account's present key. An earlier secret may be in another vault. */
  readonly isInVault: boolean;
}

export interface StoredSecret {
  readonly record: SecretRecord;
  /** False if it could not be added to the list. It is in the vault even so. */
  readonly isListed: boolean;
  /** The metadata that the list had of a secret of this name in the same vault. */
  readonly before: SecretMetadata | undefined;
  /** Other known secrets with the same value. */
  readonly sameAs: readonly string[];
}

/** Returns the secrets in the list of an account, keyed by name. */
export async function knownSecrets({
  record: { keySince },
  store,
}: Account): Promise<ReadonlyMap<string, KnownSecret>> {
  return new Map(
    (await store.secrets.list()).map((record) => {
      const { hosts } = record.metadata;
      return [record.name, { hosts, isInVault: isInVault(record, keySince) }];
    }),
  );
}

export type StoreSecret = ReturnType<typeof createStoreSecret>;

/**
 * Returns a function that stores or replaces a secret (interface: PUT /vault/secrets/{name}), adds it to the list and
 * compares it with others. It throws an ApiError if the service refuses the secret, but not if the disk fails.
 */
export function createStoreSecret({ accounts, clock, contextKeys, log }: ListServices) {
  /** The latest request for each secret. An earlier one would restore its value when it is repeated, so it is ended. */
  const requests = new Map<string, AbortController>();
  return async (
    account: Account,
    name: string,
    secret: SecretDraft,
    signal?: AbortSignal,
  ): Promise<StoredSecret> => {
    warnIfTight(secret.value, MAX_SECRET_VALUE_CHARACTERS);
    const key = JSON.stringify([account.id, name]);
    requests.get(key)?.abort();
    const replaced = new AbortController();
    requests.set(key, replaced);
    const either = AbortSignal.any([replaced.signal, ...(signal ? [signal] : [])]);
    const metadata = await accounts.client(account).putSecret(name, secret, { signal: either });
    const record: SecretRecord = { name, metadata, storedAt: clock.now() };
    contextKeys.set('interns.hasSecrets', true);
    const { secrets } = account.store;
    const since = account.record.keySince;
    try {
      const known = await secrets.get(name);
      const before = known && isInVault(known, since) ? known.metadata : undefined;
      await secrets.put(record);
      const sameAs = namesWithSameValue(await secrets.list(), record, since);
      return { record, isListed: true, before, sameAs };
    } catch (failure) {
      log.warn('A secret was stored, but could not be added to the list', failure);
      return { record, isListed: false, before: undefined, sameAs: [] };
    }
  };
}

// An API key belongs to one vault, and only fingerprints of one vault can be compared (interface: Secret metadata). So only
// records are compared that were stored since the account got its present key (`since`, epoch ms).

function isInVault({ storedAt }: SecretRecord, since: number): boolean {
  return storedAt >= since;
}

/** Returns the names of other known secrets with the same value. */
export function namesWithSameValue(
  records: readonly SecretRecord[],
  { name, metadata: { fingerprint } }: Pick<SecretRecord, 'name' | 'metadata'>,
  since: number,
): string[] {
  if (fingerprint === null) return [];
  return records
    .filter((other) => other.name !== name && other.metadata.fingerprint === fingerprint)
    .filter((other) => isInVault(other, since))
    .map((other) => other.name);
}
