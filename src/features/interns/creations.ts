import {
  ApiError,
  storeCreate,
  type ApiErrorKind,
  type Intern,
  type InternDraft,
} from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Account, AccountStore } from '../accounts/account.ts';
import type { CreationRecord } from '../accounts/records.ts';
import type { HostParts } from '../parts.ts';
import type { Kept } from './internModel.ts';
import { isOnItsWay, isOutdated, isSettled } from './internState.ts';
import { ProvisioningWatch } from './provisioningWatch.ts';

interface CreationPorts extends Pick<HostParts, 'accounts' | 'interns' | 'clock' | 'log'> {
  /** Name of the header that carries the idempotency key; empty where none is sent. */
  readonly idempotencyHeader: () => string;
  /** A new UUID. */
  readonly newId: () => string;
}

/** What came of a create. */
export interface Creation {
  readonly intern: Intern;
  /** `known`: the intern was in the list already, so the service replayed an earlier create. */
  readonly kept: Kept;
}

/**
 * Creates interns so that no create is lost and none is done twice: what is sent is stored first, and resumed with the
 * same bytes until it is known to be complete (interface: POST /interns, idempotency).
 */
export class Creations extends DisposableBase {
  readonly #ports: CreationPorts;
  readonly #changed = this.own(new Emitter<void>());
  readonly #inFlight = new Set<string>();
  readonly #watched = new WeakSet<AccountStore>();
  readonly #provisioning: ProvisioningWatch;

  /** The creates that were cut off may be others. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: CreationPorts) {
    super();
    this.#ports = ports;
    this.#provisioning = this.own(
      new ProvisioningWatch(ports.clock, (account, record, signal) =>
        this.#replay(account, record, signal),
      ),
    );
  }

  /** The creates of an account of which it is not known what became of them, the oldest first. */
  async cutOff(account = this.#ports.accounts.active): Promise<readonly CreationRecord[]> {
    if (account === undefined) return [];
    this.#watch(account);
    const records = await account.store.creations.list();
    return records
      .filter(({ id, internId }) => internId === null && !this.#inFlight.has(id))
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /**
   * Fixes what a create will send. The same draft gives the same record again, also one of an earlier dialog of which it
   * is not known what became of it; an edited one is a new operation.
   *
   * @param previous The record of the last attempt, if there was one.
   */
  async prepare(
    { store }: Account,
    draft: InternDraft,
    previous?: CreationRecord,
  ): Promise<CreationRecord> {
    const headerName = this.#ports.idempotencyHeader();
    const uuid = this.#ports.newId();
    const { body, idempotency } = storeCreate(
      draft,
      headerName === '' ? null : { headerName, uuid },
    );
    const isSame = (record: CreationRecord): boolean =>
      record.body === body && (record.header?.name ?? '') === headerName;
    if (previous !== undefined && isSame(previous)) return previous;
    const unfinished = (await store.creations.list()).filter(({ internId }) => internId === null);
    const earlier = unfinished.find(isSame);
    if (earlier !== undefined) return earlier;
    return {
      id: uuid,
      name: draft.name,
      body,
      header: idempotency,
      provision: draft.provision,
      createdAt: this.#ports.clock.now(),
      internId: null,
    };
  }

  /**
   * Sends a create, or resumes one, and keeps what the service reported. A provisioning intern is then looked after
   * for a while.
   *
   * @throws ApiError; the create {@link mayBeResumed}, unless nothing but refusals ever answered it.
   */
  async send(account: Account, record: CreationRecord, signal?: AbortSignal): Promise<Creation> {
    this.#inFlight.add(record.id);
    // A refusal says nothing of what an attempt did whose answer was lost: in an earlier call, or in this one.
    let hasLost = await this.mayBeResumed(account, record);
    const recordLoss = (kind: ApiErrorKind) => {
      hasLost ||= kind !== 'rate-limited';
    };
    try {
      await account.store.creations.put(record);
      const creation = await this.#ask(account, record, signal, recordLoss);
      if (mayBeReplayed(record, creation.intern) && isOnItsWay(creation.intern.status)) {
        this.#provisioning.start(account, { ...record, internId: creation.intern.id });
      }
      return creation;
    } catch (failure) {
      if (isRefused(failure) && !hasLost) await account.store.creations.remove(record.id);
      throw failure;
    } finally {
      this.#inFlight.delete(record.id);
      this.#changed.fire();
    }
  }

  /** Whether the end of a create is not known, so that its bytes are kept to be sent again. */
  async mayBeResumed({ store }: Account, { id }: CreationRecord): Promise<boolean> {
    return (await store.creations.get(id)) !== undefined;
  }

  async #ask(
    account: Account,
    record: CreationRecord,
    signal?: AbortSignal,
    onRetry?: (kind: ApiErrorKind) => void,
  ): Promise<Creation> {
    const client = this.#ports.accounts.client(account);
    const { body, header } = record;
    const intern = await client.createIntern({ body, idempotency: header }, { signal, onRetry });
    const known = await this.#ports.interns.get(intern.id, account);
    const replayable = mayBeReplayed(record, intern) && !isOutdated(intern.status, known);
    const kept = await this.#ports.interns.recordIntern(
      intern,
      record.internId === null ? 'created' : 'replayed',
      replayable ? record.id : null,
      account,
    );
    if (replayable) await account.store.creations.put({ ...record, internId: intern.id });
    else await account.store.creations.remove(record.id);
    return { intern, kept };
  }

  /** Replays a create for the sake of the status alone. Gives whether there is more to be learned. */
  async #replay(account: Account, record: CreationRecord, signal: AbortSignal): Promise<boolean> {
    const known =
      record.internId === null ? undefined : await this.#lastStatus(account, record.internId);
    if (!isOnItsWay(known ?? null)) return false;
    try {
      const { intern } = await this.#ask(account, record, signal);
      return isOnItsWay((await this.#lastStatus(account, intern.id)) ?? null);
    } catch (failure) {
      this.#ports.log.debug(`Replay of create ${record.id} failed`);
      return !isRefused(failure);
    }
  }

  async #lastStatus(account: Account, internId: string): Promise<string | null | undefined> {
    return (await this.#ports.interns.get(internId, account))?.status;
  }

  #watch(account: Account): void {
    if (this.#watched.has(account.store)) return;
    this.#watched.add(account.store);
    this.own(account.store.creations.onDidChange(() => this.#changed.fire()));
  }
}

/** Whether a create may still have more to report: it provisions, and that is not known to be over. */
function mayBeReplayed({ provision }: CreationRecord, intern: Intern): boolean {
  return provision && !isSettled(intern.status);
}

const refusals: readonly ApiErrorKind[] = [
  'signed-out',
  'outsider',
  'payload-too-large',
  'invalid-request',
  'refused',
];

/** Whether a failure says that its own attempt created nothing; after any other, something may have been created. */
function isRefused(failure: unknown): boolean {
  return failure instanceof ApiError && refusals.includes(failure.kind);
}
