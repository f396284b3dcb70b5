import type { Intern } from '../../api/index.ts';
import { DisposableBase, Emitter, type Event } from '../../base/disposable.ts';
import type { Account, AccountServices, AccountStore, ListServices } from '../accounts/account.ts';
import type { InternRecord } from '../accounts/records.ts';
import { isOutdated, isSettled, nameOf } from './internState.ts';

export interface InternServices extends AccountServices {
  readonly interns: InternModel;
}

/**
 * The interns that this editor created or added, with their last-seen status: the API has no route to list or
 * read them. Methods act on the active account unless another is given. Without an account there are no interns.
 */
export class InternModel extends DisposableBase {
  readonly #ports: ListServices;
  readonly #changed = this.own(new Emitter<void>());
  /** Names by account and intern ID, for {@link name}. */
  readonly #names = new WeakMap<AccountStore, ReadonlyMap<string, string>>();

  /** Fires when the list, a status or the active account changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: ListServices) {
    super();
    this.#ports = ports;
    this.own(ports.accounts.onDidChange(() => this.#changed.fire()));
  }

  /** Returns all interns, ordered by ID. */
  async list(account = this.#ports.accounts.active): Promise<readonly InternRecord[]> {
    if (account === undefined) return [];
    this.ownOnce(account.store, () => account.store.interns.onDidChange(() => this.#read(account)));
    const records = await account.store.interns.list();
    this.#names.set(account.store, new Map(records.map((record) => [record.id, nameOf(record)])));
    return records;
  }

  async get(id: string, account = this.#ports.accounts.active): Promise<InternRecord | undefined> {
    return account?.store.interns.get(id);
  }

  /** Returns the intern's name; its ID if the name is unknown. The first call for an account starts reading its list. */
  name(id: string, account = this.#ports.accounts.active): string {
    if (account === undefined) return id;
    const names = this.#names.get(account.store);
    if (names === undefined) {
      this.#names.set(account.store, new Map());
      this.#read(account);
    }
    return names?.get(id) ?? id;
  }

  /** Adds an intern by its ID. Returns whether it was in the list already; it stays as it is then. */
  async add(id: string, account = this.#ports.accounts.active): Promise<boolean> {
    let wasKnown = false;
    await account?.store.interns.update(id, (current) => {
      wasKnown = current !== undefined;
      return current ?? { ...unseen(id), origin: 'added', addedAt: this.#ports.clock.now() };
    });
    this.#ports.contextKeys.set('interns.hasInterns', true);
    return wasKnown;
  }

  /**
   * Records the intern that a creation or its replay reported, but keeps a later status that a chat showed. Returns
   * whether it was in the list already.
   *
   * @param creation the ID of the record to replay the create with; null if it is complete
   */
  async recordIntern(
    intern: Intern,
    from: 'created' | 'replayed',
    creation: string | null,
    account: Account,
  ): Promise<boolean> {
    const now = this.#ports.clock.now();
    let wasKnown = false;
    await account.store.interns.update(intern.id, (current) => {
      wasKnown = current !== undefined;
      if (current !== undefined && isOutdated(intern.status, current))
        return { ...current, intern: current.intern ?? { ...intern, progress: null } };
      return {
        ...(current ?? { ...unseen(intern.id), addedAt: now }),
        origin: 'created',
        intern,
        status: intern.status,
        statusAt: now,
        statusFrom: wasKnown ? 'replayed' : from,
        creation,
      };
    });
    this.#ports.contextKeys.set('interns.hasInterns', true);
    return wasKnown;
  }

  /**
   * Records the status that a chat showed: `running` if it was accepted; null, for "not running", if it was refused with
   * `intern_not_ready`.
   */
  async recordStatus(
    id: string,
    status: string | null,
    account = this.#ports.accounts.active,
  ): Promise<void> {
    const settled = isSettled(status);
    const creation = (await account?.store.interns.get(id))?.creation ?? null;
    await account?.store.interns.update(id, (current) => {
      if (current === undefined) return undefined;
      // "Not running" contradicts only `running`. Any other status is more specific.
      if (status === null && current.status !== null && current.status !== 'running')
        return current;
      return {
        ...current,
        // A settled intern makes no progress (interface: Intern, `progress`).
        intern: settled && current.intern ? { ...current.intern, progress: null } : current.intern,
        status,
        statusAt: this.#ports.clock.now(),
        statusFrom: 'chat',
        creation: settled ? null : current.creation,
      };
    });
    if (settled && creation !== null) await account?.store.creations.remove(creation);
  }

  /** Removes interns and their creations from the lists. The interns and their conversations stay. */
  async remove(ids: readonly string[], account = this.#ports.accounts.active): Promise<void> {
    const store = account?.store;
    const removeOne = async (id: string): Promise<void> => {
      const creation = (await store?.interns.get(id))?.creation ?? null;
      await store?.interns.remove(id);
      if (creation !== null) await store?.creations.remove(creation);
    };
    await Promise.all(ids.map(removeOne));
  }

  #read(account: Account): void {
    void this.list(account).then(
      () => this.#changed.fire(),
      (failure: unknown) => this.#ports.log.warn('Could not read the list of interns', failure),
    );
  }
}

function unseen(id: string): Omit<InternRecord, 'origin' | 'addedAt'> {
  return { id, intern: null, status: null, statusAt: null, statusFrom: null, creation: null };
}
