import type { Intern } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Account, Accounts, AccountStore } from '../accounts/account.ts';
import type { InternRecord, StatusSource } from '../accounts/records.ts';
import { isOutdated, isSettled, nameOf } from './internState.ts';

interface Ports {
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Says whether an intern that the service reported was in the list already. */
export type Kept = 'new' | 'known';

/**
 * The interns that this editor created or added, and what it last saw of them: the interface has no route to list or
 * to read them. Every method acts on the active account unless it is given another; without an account there are none.
 */
export class InternModel extends DisposableBase {
  readonly #ports: Ports;
  readonly #changed = this.own(new Emitter<void>());
  readonly #added = this.own(new Emitter<void>());
  /** Names by account and intern, for callers that cannot wait for a record. */
  readonly #names = new WeakMap<AccountStore, ReadonlyMap<string, string>>();
  readonly #watched = new WeakSet<AccountStore>();

  /** An intern was added, removed, or seen in another status; or another account is active. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** An intern was created or added from this window, new or not. */
  readonly onDidAdd: Event<void> = this.#added.event;

  constructor(ports: Ports) {
    super();
    this.#ports = ports;
    this.own(ports.accounts.onDidChange(() => this.#changed.fire()));
  }

  /** Every intern in the list, ordered by id. */
  async list(account = this.#ports.accounts.active): Promise<readonly InternRecord[]> {
    if (account === undefined) return [];
    this.#watch(account);
    const records = await account.store.interns.list();
    this.#names.set(account.store, new Map(records.map((record) => [record.id, nameOf(record)])));
    return records;
  }

  async get(id: string, account = this.#ports.accounts.active): Promise<InternRecord | undefined> {
    return account?.store.interns.get(id);
  }

  /** The best name known now: the intern's own, else its id. The first call for an account starts to read its list. */
  name(id: string, account = this.#ports.accounts.active): string {
    if (account === undefined) return id;
    const names = this.#names.get(account.store);
    if (names === undefined) {
      this.#names.set(account.store, new Map());
      void this.list(account).then(
        () => this.#changed.fire(),
        (failure: unknown) => this.#ports.log.warn('Could not read the list of interns', failure),
      );
    }
    return names?.get(id) ?? id;
  }

  /** Adds an intern by its id; one that is in the list already stays as it is. */
  async add(id: string, account = this.#ports.accounts.active): Promise<Kept> {
    let kept: Kept = 'new';
    await account?.store.interns.update(id, (current) => {
      kept = current === undefined ? 'new' : 'known';
      return current ?? { ...unseen(id), origin: 'added', addedAt: this.#ports.clock.now() };
    });
    this.#added.fire();
    return kept;
  }

  /**
   * Records what a create or its replay reported. The id decides whether it is a known intern; its status is
   * overwritten then, unless a chat has taught a later one.
   *
   * @param creation Id of the record with which the create may be replayed, null where it is complete.
   */
  async recordIntern(
    intern: Intern,
    from: 'created' | 'replayed',
    creation: string | null,
    account: Account,
  ): Promise<Kept> {
    const now = this.#ports.clock.now();
    let kept: Kept = 'new';
    await account.store.interns.update(intern.id, (current) => {
      kept = current === undefined ? 'new' : 'known';
      if (current !== undefined && isOutdated(intern.status, current)) return current;
      return {
        ...(current ?? { ...unseen(intern.id), addedAt: now }),
        origin: 'created',
        intern,
        status: intern.status,
        statusAt: now,
        statusFrom: kept === 'known' ? 'replayed' : from,
        creation,
      };
    });
    this.#added.fire();
    return kept;
  }

  /**
   * Records what a chat taught: one that was accepted says `running`; one that was refused with
   * `intern_not_ready` says that the intern is not running, which is no status: null.
   */
  async recordStatus(
    id: string,
    status: string | null,
    from: StatusSource,
    account = this.#ports.accounts.active,
  ): Promise<void> {
    const settled = isSettled(status);
    const replayable = (await account?.store.interns.get(id))?.creation ?? null;
    await account?.store.interns.update(id, (current) => {
      if (current === undefined) return undefined;
      // "Not running" contradicts `running` alone: another status is still the best that is known.
      if (status === null && current.status !== null && current.status !== 'running')
        return current;
      return {
        ...current,
        // Its progress towards that status is over (interface: Intern, `progress`).
        intern: settled && current.intern ? { ...current.intern, progress: null } : current.intern,
        status,
        statusAt: this.#ports.clock.now(),
        statusFrom: from,
        creation: settled ? null : current.creation,
      };
    });
    if (settled && replayable !== null) await account?.store.creations.remove(replayable);
  }

  /** Takes interns from the list. They go on existing, and so do their conversations here. */
  async remove(ids: readonly string[]): Promise<void> {
    const { active } = this.#ports.accounts;
    if (active !== undefined) await Promise.all(ids.map((id) => active.store.interns.remove(id)));
  }

  #watch(account: Account): void {
    if (this.#watched.has(account.store)) return;
    this.#watched.add(account.store);
    this.own(
      account.store.interns.onDidChange(() => {
        void this.list(account).then(
          () => this.#changed.fire(),
          (failure: unknown) => this.#ports.log.warn('Could not read the list of interns', failure),
        );
      }),
    );
  }
}

function unseen(id: string): Omit<InternRecord, 'origin' | 'addedAt'> {
  return { id, intern: null, status: null, statusAt: null, statusFrom: null, creation: null };
}
