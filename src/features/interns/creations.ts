import {
  ApiError,
  createBody,
  wasNeverSent,
  type ApiErrorKind,
  type Intern,
  type InternDraft,
} from '../../api/index.ts';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isAlive, markOf } from '../../platform/storage/windowMark.ts';
import type { Account, Accounts, AccountStore } from '../accounts/account.ts';
import type { CreationRecord } from '../accounts/records.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../platform/log/log.ts';
import type { InternModel, Kept } from './internModel.ts';
import { isOnItsWay, isOutdated, isSettled } from './internState.ts';

/** The interval at which a window checks whether another one that sends a create still lives, in ms. */
const FOLLOW_MS = 5_000;

/** When a create is replayed for the sake of its intern's status, in ms. Later, `Resume Creation…` is left to the user. */
const FIRST_REPLAY_MS = 3_000;
const LONGEST_DELAY_MS = 60_000;
const BACK_OFF = 1.5;
const PATIENCE_MS = 10 * 60_000;

interface CreationPorts {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly clock: Clock;
  readonly log: Log;
  /** An id that no other window has. */
  readonly window: string;
  /** Name of the header that carries the idempotency key; empty where none is sent. */
  readonly idempotencyHeader: () => string;
  /** A new UUID. */
  readonly newId: () => string;
}

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
  readonly #replays = new Map<string, Disposable>();
  readonly #closing = new AbortController();
  #nextLook: Disposable | undefined;

  /** The creates that were cut off may be others. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: CreationPorts) {
    super();
    this.#ports = ports;
    this.own({
      dispose: () => {
        this.#nextLook?.dispose();
        this.#closing.abort();
        for (const timer of this.#replays.values()) timer.dispose();
      },
    });
  }

  /** The creates of an account that no window sends now and whose end is not known, the oldest first. */
  async cutOff(account = this.#ports.accounts.active): Promise<readonly CreationRecord[]> {
    if (account === undefined) return [];
    this.#watch(account);
    const cutOff: CreationRecord[] = [];
    for (const record of await account.store.creations.list()) {
      if (record.internId !== null || this.#inFlight.has(record.id)) continue;
      if (await this.#isSentElsewhere(record)) this.#lookAgain();
      else cutOff.push(record);
    }
    return cutOff.sort((a, b) => a.createdAt - b.createdAt);
  }

  async #isSentElsewhere({ sentBy }: CreationRecord): Promise<boolean> {
    return sentBy !== null && sentBy.window !== this.#ports.window && (await isAlive(sentBy));
  }

  /** Lets the list be read again after a while: a window that is closed in the middle of a create tells nobody. */
  #lookAgain(): void {
    this.#nextLook ??= this.#ports.clock.setTimeout(() => {
      this.#nextLook = undefined;
      this.#changed.fire();
    }, FOLLOW_MS);
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
    const body = createBody(draft);
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
      header: headerName === '' ? null : { name: headerName, value: uuid },
      provision: draft.provision,
      createdAt: this.#ports.clock.now(),
      internId: null,
      sentBy: null,
    };
  }

  /**
   * Sends a create, or resumes one, and keeps what the service reported. A provisioning intern is then looked after
   * for a while.
   *
   * @throws ApiError; the create {@link mayBeResumed}, unless every attempt certainly created nothing.
   */
  async send(account: Account, earlier: CreationRecord, signal?: AbortSignal): Promise<Creation> {
    const { creations } = account.store;
    const record = { ...earlier, sentBy: null };
    this.#inFlight.add(record.id);
    // A refusal says nothing of what an attempt did whose answer was lost: in an earlier call, or in this one.
    let hasLost = await this.mayBeResumed(account, record);
    const recordLoss = (failure: ApiError) => {
      hasLost ||= !createdNothing(failure);
    };
    try {
      await creations.put({ ...record, sentBy: await markOf(this.#ports.window) });
      const creation = await this.#ask(account, record, signal, recordLoss);
      if (mayBeReplayed(record, creation.intern) && isOnItsWay(creation.intern.status)) {
        this.#replayLater(account, { ...record, internId: creation.intern.id });
      }
      return creation;
    } catch (failure) {
      if (createdNothing(failure) && !hasLost) await creations.remove(record.id);
      // One that was signed out and deleted meanwhile is not stored again.
      else await creations.update(record.id, (current) => current && record);
      throw failure;
    } finally {
      this.#inFlight.delete(record.id);
      this.#changed.fire();
    }
  }

  /** Returns whether the end of a create is not known, so that its bytes are kept to be sent again. */
  async mayBeResumed({ store }: Account, { id }: CreationRecord): Promise<boolean> {
    return (await store.creations.get(id)) !== undefined;
  }

  async #ask(
    account: Account,
    record: CreationRecord,
    signal?: AbortSignal,
    onRetry?: (failure: ApiError) => void,
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

  /**
   * Replays a create, ever more rarely, while its intern provisions: the interface has no other way to learn its status.
   *
   * @param endsAt Monotonic time, ms.
   */
  #replayLater(
    account: Account,
    record: CreationRecord,
    delayMs = FIRST_REPLAY_MS,
    endsAt = this.#ports.clock.monotonic() + PATIENCE_MS,
  ): void {
    const { clock } = this.#ports;
    this.#replays.get(record.id)?.dispose();
    this.#replays.delete(record.id);
    if (this.#closing.signal.aborted || clock.monotonic() + delayMs > endsAt) return;
    const timer = clock.setTimeout(() => {
      void this.#replay(account, record).then((more) => {
        if (this.#replays.get(record.id) !== timer) return;
        const next = Math.min(delayMs * BACK_OFF, LONGEST_DELAY_MS);
        if (more) this.#replayLater(account, record, next, endsAt);
        else this.#replays.delete(record.id);
      });
    }, delayMs);
    this.#replays.set(record.id, timer);
  }

  /** Replays a create for the sake of the status alone. Returns whether there is more to be learned. */
  async #replay(account: Account, record: CreationRecord): Promise<boolean> {
    const known =
      record.internId === null ? undefined : await this.#lastStatus(account, record.internId);
    if (!isOnItsWay(known ?? null)) return false;
    try {
      const { intern } = await this.#ask(account, record, this.#closing.signal);
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

/** Returns whether a create may still have more to report: it provisions, and that is not known to be over. */
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

/** Returns whether the service refused a create itself, so that sending it again is of no use. */
function isRefused(failure: unknown): boolean {
  return failure instanceof ApiError && refusals.includes(failure.kind);
}

/** Returns whether the attempt that failed certainly created nothing; after any other, the intern may exist. */
function createdNothing(failure: unknown): boolean {
  if (isRefused(failure)) return true;
  return failure instanceof ApiError && (failure.kind === 'rate-limited' || wasNeverSent(failure));
}
