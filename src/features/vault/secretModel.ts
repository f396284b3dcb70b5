import type { SecretDraft, SecretMetadata } from '../../api/index.ts';
import { DisposableBase, Emitter, type Event } from '../../base/disposable.ts';
import type { Account, AccountServices } from '../accounts/account.ts';
import type { SecretRecord } from '../accounts/records.ts';

type Ports = Pick<AccountServices, 'accounts' | 'clock' | 'log'>;

export interface VaultPorts extends Pick<
  AccountServices,
  'accounts' | 'dialogs' | 'log' | 'registrar'
> {
  readonly secrets: SecretModel;
}

/** A secret in the list. */
export interface KnownSecret {
  /** Null for a legacy secret. */
  readonly hosts: readonly string[] | null;
  /** It is in the vault of the account's present key. An earlier secret may be in another vault. */
  readonly isInVault: boolean;
}

export interface StoredSecret {
  readonly record: SecretRecord;
  /** False if it could not be added to the list. It is in the vault even so. */
  readonly isListed: boolean;
  /** The list had a secret of this name that is in the same vault. */
  readonly wasKnown: boolean;
  readonly change: ValueChange;
  /** Other known secrets with the same value. */
  readonly sameAs: readonly string[];
}

/**
 * The metadata of the vault secrets that were stored from this editor: the API has no route to list them. A value
 * is only sent by {@link store}, and never kept.
 */
export class SecretModel extends DisposableBase {
  readonly #ports: Ports;
  readonly #changed = this.own(new Emitter<void>());
  readonly #stored = this.own(new Emitter<void>());

  /** Fires when the list or the active account changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Fires when a secret was stored from this window. */
  readonly onDidStore: Event<void> = this.#stored.event;

  constructor(ports: Ports) {
    super();
    this.#ports = ports;
    this.own(ports.accounts.onDidChange(() => this.#changed.fire()));
  }

  /** Returns all secrets, ordered by name. */
  async list(account = this.#ports.accounts.active): Promise<readonly SecretRecord[]> {
    if (account === undefined) return [];
    this.ownOnce(account.store, () =>
      account.store.secrets.onDidChange(() => this.#changed.fire()),
    );
    return account.store.secrets.list();
  }

  async known(account: Account): Promise<ReadonlyMap<string, KnownSecret>> {
    const { keySince } = account.record;
    return new Map(
      (await this.list(account)).map((record) => {
        const { hosts } = record.metadata;
        return [record.name, { hosts, isInVault: isInVault(record, keySince) }];
      }),
    );
  }

  /**
   * Stores a secret, or replaces it (PUT /vault/secrets/{name}).
   *
   * @throws ApiError if the service refused it. Does not reject if the disk fails.
   */
  async store(
    account: Account,
    name: string,
    secret: SecretDraft,
    signal?: AbortSignal,
  ): Promise<StoredSecret> {
    const client = this.#ports.accounts.client(account);
    const metadata = await client.putSecret(name, secret, { signal });
    const record: SecretRecord = { name, metadata, storedAt: this.#ports.clock.now() };
    const listed = await this.#addToList(account, record);
    this.#stored.fire();
    return { record, ...listed };
  }

  /** Removes secrets from the list. They stay in the vault: the API cannot delete them. */
  async remove(names: readonly string[]): Promise<void> {
    const { active } = this.#ports.accounts;
    if (active !== undefined)
      await Promise.all(names.map((name) => active.store.secrets.remove(name)));
  }

  /** Adds a secret to the list and compares it with the others. */
  async #addToList(account: Account, record: SecretRecord): Promise<Omit<StoredSecret, 'record'>> {
    const { name, metadata } = record;
    const { secrets } = account.store;
    const since = account.record.keySince;
    try {
      const stored = await secrets.get(name);
      const before = stored && isInVault(stored, since) ? stored.metadata : undefined;
      await secrets.put(record);
      return {
        isListed: true,
        wasKnown: before !== undefined,
        change: valueChange(before?.fingerprint ?? null, metadata.fingerprint),
        sameAs: sameValue(await this.list(account), { ...metadata, name }, since),
      };
    } catch (failure) {
      this.#ports.log.warn('A secret was stored, and could not be put into the list', failure);
      return { isListed: false, wasKnown: false, change: 'unknown', sameAs: [] };
    }
  }
}

// An API key belongs to one vault, and fingerprints can be compared only within a vault. So only records are used that
// were stored since the account got its present key (`since`, epoch ms).

function isInVault({ storedAt }: SecretRecord, since: number): boolean {
  return storedAt >= since;
}

/** The effect of storing a secret on its value; `unknown` without a fingerprint to compare. */
type ValueChange = 'same' | 'changed' | 'unknown';

function valueChange(before: string | null, after: string | null): ValueChange {
  if (before === null || after === null) return 'unknown';
  return before === after ? 'same' : 'changed';
}

/** Names other known secrets with the same value. */
export function sameValue(
  records: readonly SecretRecord[],
  { name, fingerprint }: SecretMetadata,
  since: number,
): string[] {
  if (fingerprint === null) return [];
  return records
    .filter((other) => other.name !== name && other.metadata.fingerprint === fingerprint)
    .filter((other) => isInVault(other, since))
    .map((other) => other.name);
}
