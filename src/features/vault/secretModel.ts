import type { SecretDraft, SecretMetadata } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Account, Accounts, AccountStore } from '../accounts/account.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SecretRecord } from '../accounts/records.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';

interface Ports {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
}

export interface VaultPorts {
  readonly accounts: Accounts;
  readonly log: Log;
  readonly secrets: SecretModel;
  readonly dialogs: Dialogs;
}

/** A secret in the list. */
export interface KnownSecret {
  /** Null for a legacy secret. */
  readonly hosts: readonly string[] | null;
  /** Whether it went into the vault of the account's present key. An earlier one may be in another vault. */
  readonly isInVault: boolean;
}

/** A secret that was stored, and what its metadata tells. */
export interface StoredSecret {
  readonly record: SecretRecord;
  /** False if it could not be added to the list. The vault has it in any case. */
  readonly isListed: boolean;
  /** Whether the list had a secret of this name that is in this vault. */
  readonly wasKnown: boolean;
  readonly change: ValueChange;
  /** Other known secrets with the same value. */
  readonly sameAs: readonly string[];
}

/**
 * The metadata of the vault secrets that were stored from this editor: the interface has no route to list them. A value
 * passes through {@link store} on its way to the service and is kept nowhere.
 */
export class SecretModel extends DisposableBase {
  readonly #ports: Ports;
  readonly #changed = this.own(new Emitter<void>());
  readonly #stored = this.own(new Emitter<void>());
  readonly #watched = new WeakSet<AccountStore>();

  /** A secret was stored or removed; or another account is active. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** A secret was stored from this window. */
  readonly onDidStore: Event<void> = this.#stored.event;

  constructor(ports: Ports) {
    super();
    this.#ports = ports;
    this.own(ports.accounts.onDidChange(() => this.#changed.fire()));
  }

  /** Every secret in the list, ordered by name. */
  async list(account = this.#ports.accounts.active): Promise<readonly SecretRecord[]> {
    if (account === undefined) return [];
    this.#watch(account);
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
   * @throws ApiError if the service refused it; the list stays as it was. A failing disk does not reject.
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

  /** Removes secrets from the list. They stay in the vault: the interface has no route to delete one. */
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
      const before = await secrets.get(name);
      await secrets.put(record);
      return {
        isListed: true,
        wasKnown: before !== undefined && isInVault(before, since),
        change: valueChange(before, metadata, since),
        sameAs: sameValue(await this.list(account), { ...metadata, name }, since),
      };
    } catch (failure) {
      this.#ports.log.warn('A secret was stored, and could not be put into the list', failure);
      return { isListed: false, wasKnown: false, change: 'unknown', sameAs: [] };
    }
  }

  #watch(account: Account): void {
    if (this.#watched.has(account.store)) return;
    this.#watched.add(account.store);
    this.own(account.store.secrets.onDidChange(() => this.#changed.fire()));
  }
}

// The key decides the vault, and fingerprints are comparable within one vault only. So a record counts only if it was
// stored since the account got its present key (`since`, epoch ms).

function isInVault({ storedAt }: SecretRecord, since: number): boolean {
  return storedAt >= since;
}

/** Whether storing a secret changed its value; `unknown` if there is nothing to compare with. */
type ValueChange = 'same' | 'changed' | 'unknown';

function valueChange(
  before: SecretRecord | undefined,
  after: SecretMetadata,
  since: number,
): ValueChange {
  const old = before === undefined ? null : fingerprintOf(before, since);
  if (old === null || after.fingerprint === null) return 'unknown';
  return old === after.fingerprint ? 'same' : 'changed';
}

/** Names other known secrets with the same value. */
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
