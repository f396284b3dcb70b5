import { randomUUID } from 'node:crypto';
import {
  ApiError,
  checkIdempotencyHeader,
  createBody,
  wait,
  wasNeverSent,
  type Intern,
  type InternDraft,
} from '../../api/index.ts';
import { Alarm } from '../../base/clock.ts';
import { DisposableBase, Emitter, type Event } from '../../base/disposable.ts';
import type { Settings } from '../../platform/settings.ts';
import { isAlive, createProcessMark } from '../../platform/storage/processMark.ts';
import { headerNameMessage } from '../../platform/text/limitMessages.ts';
import type { Account } from '../accounts/account.ts';
import type { CreationRecord } from '../accounts/records.ts';
import type { InternServices } from './internModel.ts';
import { isStarting, isOutdated, isSettled } from './internState.ts';

/** The interval of checks whether another window that sends a creation is alive, in ms. */
const SENDER_CHECK_INTERVAL_MS = 5_000;

// Delays between replays of a creation, in ms, and the time after which replaying is left to `Resume Creation…`.
const FIRST_REPLAY_DELAY_MS = 3_000;
const MAX_REPLAY_DELAY_MS = 60_000;
const REPLAY_DELAY_FACTOR = 1.5;
const MAX_REPLAY_MS = 10 * 60_000;

interface CreationPorts extends Pick<
  InternServices,
  'accounts' | 'clock' | 'interns' | 'log' | 'window'
> {
  readonly settings: Pick<Settings, 'idempotencyHeader'>;
}

export interface Creation {
  readonly intern: Intern;
  /** True if the intern was in the list already, so the service replayed an earlier creation. */
  readonly wasKnown: boolean;
}

/**
 * Creates interns so that no creation is lost or done twice: a request is stored before it is sent, and resumed with the
 * same bytes until it is known to be complete (interface: POST /interns, idempotency).
 */
export class Creations extends DisposableBase {
  readonly #ports: CreationPorts;
  readonly #changed = this.own(new Emitter<void>());
  readonly #inFlight = new Map<string, Promise<Creation>>();
  /** The creations that are replayed, by ID. */
  readonly #replays = new Map<string, AbortController>();
  /** Fires a change, because a window that closes in the middle of a creation does not report it. */
  readonly #senderCheck: Alarm;

  /** Fires when the result of {@link listInterrupted} may have changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: CreationPorts) {
    super();
    this.#ports = ports;
    this.#senderCheck = this.own(new Alarm(ports.clock, () => this.#changed.fire()));
    this.own({
      dispose: () => {
        for (const replaying of this.#replays.values()) replaying.abort();
      },
    });
  }

  /** Returns the creations without a known outcome that no window is sending, the oldest first. */
  async listInterrupted(account = this.#ports.accounts.active): Promise<readonly CreationRecord[]> {
    if (account === undefined) return [];
    this.ownOnce(account.store, () =>
      account.store.creations.onDidChange(() => this.#changed.fire()),
    );
    const interrupted: CreationRecord[] = [];
    for (const record of await account.store.creations.list()) {
      if (record.internId !== null || this.#inFlight.has(record.id)) continue;
      if (await this.#isSentElsewhere(record))
        this.#senderCheck.set(this.#ports.clock.now() + SENDER_CHECK_INTERVAL_MS);
      else interrupted.push(record);
    }
    return interrupted.sort((a, b) => a.createdAt - b.createdAt);
  }

  async #isSentElsewhere({ sentBy }: CreationRecord): Promise<boolean> {
    return sentBy !== null && sentBy.window !== this.#ports.window && (await isAlive(sentBy));
  }

  /** Returns why the header of the settings cannot carry the idempotency key; undefined if it can or none is set. */
  get headerProblem(): string | undefined {
    const header = this.#ports.settings.idempotencyHeader;
    const problem = header === '' ? null : checkIdempotencyHeader(header);
    return problem === null ? undefined : headerNameMessage(problem, header);
  }

  /**
   * Returns the record of what a creation will send. The same draft gets the same record, even that of an earlier dialog
   * whose outcome is unknown. An edited draft is a new operation.
   *
   * @param previous the record of the last attempt
   */
  async prepare(
    { store }: Account,
    draft: InternDraft,
    previous?: CreationRecord,
  ): Promise<CreationRecord> {
    const headerName = this.#ports.settings.idempotencyHeader;
    const uuid = randomUUID();
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
   * Sends or resumes a creation, and records the intern. If the intern provisions, its creation is sent again for a while
   * to learn its status. A creation that is being sent already is not sent twice at a time.
   *
   * @throws ApiError; the creation can then be resumed ({@link mayBeResumed}), unless certainly no intern was created
   */
  send(account: Account, earlier: CreationRecord, signal?: AbortSignal): Promise<Creation> {
    const known = this.#inFlight.get(earlier.id);
    if (known !== undefined) return known;
    const sending = this.#send(account, earlier, signal);
    this.#inFlight.set(earlier.id, sending);
    return sending;
  }

  async #send(account: Account, earlier: CreationRecord, signal?: AbortSignal): Promise<Creation> {
    const { creations } = account.store;
    const record = { ...earlier, sentBy: null };
    // An attempt whose response was lost, in an earlier call or this one, may have created the intern.
    let mayExist = await this.mayBeResumed(account, record);
    const recordLoss = (failure: ApiError) => {
      mayExist ||= !createdNothing(failure);
    };
    try {
      await creations.put({ ...record, sentBy: await createProcessMark(this.#ports.window) });
      const creation = await this.#ask(account, record, signal, recordLoss);
      if (mayBeReplayed(record, creation.intern) && isStarting(creation.intern.status))
        void this.#replayWhileStarting(account, { ...record, internId: creation.intern.id });
      return creation;
    } catch (failure) {
      if (createdNothing(failure) && !mayExist) await creations.remove(record.id);
      // `update` does not store it again if its account has been deleted.
      else await creations.update(record.id, (current) => current && record);
      throw failure;
    } finally {
      this.#inFlight.delete(record.id);
      this.#changed.fire();
    }
  }

  /** Returns whether the outcome of a creation is unknown, so that its bytes are kept to be sent again. */
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
    // The user may have removed it from the list since.
    if (known === undefined && record.internId !== null) return { intern, wasKnown: true };
    const isReplayable = mayBeReplayed(record, intern) && !isOutdated(intern.status, known);
    const wasKnown = await this.#ports.interns.recordIntern(
      intern,
      record.internId === null ? 'created' : 'replayed',
      isReplayable ? record.id : null,
      account,
    );
    if (isReplayable) await account.store.creations.put({ ...record, internId: intern.id });
    else await account.store.creations.remove(record.id);
    return { intern, wasKnown };
  }

  /** Replays a creation, less and less often, while its intern provisions: the API has no other way to get its status. */
  async #replayWhileStarting(account: Account, record: CreationRecord): Promise<void> {
    const { clock } = this.#ports;
    this.#replays.get(record.id)?.abort();
    if (this.isDisposed) return;
    const replaying = new AbortController();
    const { signal } = replaying;
    this.#replays.set(record.id, replaying);
    const endsAt = clock.monotonic() + MAX_REPLAY_MS;
    let delayMs = FIRST_REPLAY_DELAY_MS;
    while (clock.monotonic() + delayMs <= endsAt) {
      if (!(await wait(clock, delayMs, signal))) return;
      if (!(await this.#replay(account, record, signal))) break;
      delayMs = Math.min(delayMs * REPLAY_DELAY_FACTOR, MAX_REPLAY_DELAY_MS);
    }
    if (!signal.aborted) this.#replays.delete(record.id);
  }

  /** Replays a creation to get the intern's status. Returns whether the status may still change. */
  async #replay(account: Account, record: CreationRecord, signal: AbortSignal): Promise<boolean> {
    const mayChange = async () => {
      const known = await this.#ports.interns.get(record.internId ?? '', account);
      return isStarting(known?.status ?? null);
    };
    if (!(await mayChange())) return false;
    try {
      await this.#ask(account, record, signal);
      return await mayChange();
    } catch (failure) {
      this.#ports.log.debug(`Replay of creation ${record.id} failed`);
      return !isRefused(failure);
    }
  }
}

/** Returns whether replaying a creation may show another status of its intern. */
function mayBeReplayed({ provision }: CreationRecord, intern: Intern): boolean {
  return provision && !isSettled(intern.status);
}

/** Returns whether the service refused a creation, so that sending it again is of no use. */
function isRefused(failure: unknown): boolean {
  return (
    failure instanceof ApiError &&
    ['signed-out', 'outsider', 'payload-too-large', 'invalid-request', 'refused'].includes(
      failure.kind,
    )
  );
}

/** Returns whether a failed attempt certainly created nothing. After any other failure the intern may exist. */
function createdNothing(failure: unknown): boolean {
  if (isRefused(failure)) return true;
  return failure instanceof ApiError && (failure.kind === 'rate-limited' || wasNeverSent(failure));
}
