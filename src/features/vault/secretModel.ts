import type { SecretDraft } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Account, AccountStore } from '../accounts/account.ts';
import type { SecretRecord } from '../accounts/records.ts';
import type { HostParts } from '../parts.ts';
import { isInVault, sameValue, valueChange, type ValueChange } from './fingerprints.ts';

type Ports = Pick<HostParts, 'accounts' | 'clock' | 'log'>;

/** What became of a secret that was stored. */
export interface StoredSecret {
  readonly record: SecretRecord;
  /** Whether it could be put into the list; the vault has it in any case. */
  readonly isListed: boolean;
  /** Whether this editor knew that the vault held a secret of this name. */
  readonly wasKnown: boolean;
  readonly change: ValueChange;
  /** Other known secrets with the same value. */
  readonly sameAs: readonly string[];
}

/**
 * The vault secrets that were stored from this editor: their metadata, as the service reported it. The interface has no
 * route to list them. A value passes through {@link store} on its way to the service and is kept nowhere.
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

  async get(
    name: string,
    account = this.#ports.accounts.active,
  ): Promise<SecretRecord | undefined> {
    return account?.store.secrets.get(name);
  }

  /**
   * Stores a secret, or replaces it (PUT /vault/secrets/{name}).
   *
   * @throws ApiError; the list is as it was then. A disk that fails afterwards is no failure to store.
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

  /** Takes secrets from the list. They stay in the vault: the interface has no route to delete one. */
  async remove(names: readonly string[]): Promise<void> {
    const { active } = this.#ports.accounts;
    if (active !== undefined)
      await Promise.all(names.map((name) => active.store.secrets.remove(name)));
  }

  /** Puts what was stored into the list, and compares it with what is there. */
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
