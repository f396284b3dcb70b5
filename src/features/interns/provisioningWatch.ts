import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Account } from '../accounts/account.ts';
import type { CreationRecord } from '../accounts/records.ts';

const FIRST_DELAY_MS = 3_000;
const LONGEST_DELAY_MS = 60_000;
const BACK_OFF = 1.5;
/** After this long, `Resume Creation…` is left to the user. */
const PATIENCE_MS = 10 * 60_000;

/** Asks once how provisioning goes. Gives whether asking again makes sense; never throws. */
type AskProgress = (
  account: Account,
  record: CreationRecord,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * Looks after interns that were created in this window and provision, by replaying their create: the interface has no
 * other way to learn their status. It backs off from 3 s to a minute and gives up after ten minutes.
 */
export class ProvisioningWatch implements Disposable {
  readonly #clock: Clock;
  readonly #ask: AskProgress;
  readonly #stopped = new AbortController();
  readonly #running = new Map<string, Disposable>();

  constructor(clock: Clock, ask: AskProgress) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Starts to look after a create; one that is looked after already starts anew. */
  start(account: Account, record: CreationRecord): void {
    this.#schedule(account, record, FIRST_DELAY_MS, this.#clock.monotonic() + PATIENCE_MS);
  }

  dispose(): void {
    this.#stopped.abort();
    this.#running.forEach((timer) => timer.dispose());
    this.#running.clear();
  }

  #schedule(account: Account, record: CreationRecord, delayMs: number, endsAt: number): void {
    this.#running.get(record.id)?.dispose();
    this.#running.delete(record.id);
    if (this.#stopped.signal.aborted || this.#clock.monotonic() + delayMs > endsAt) return;
    const timer = this.#clock.setTimeout(() => {
      void this.#ask(account, record, this.#stopped.signal).then((more) => {
        if (this.#running.get(record.id) !== timer) return;
        const next = Math.min(delayMs * BACK_OFF, LONGEST_DELAY_MS);
        if (more) this.#schedule(account, record, next, endsAt);
        else this.#running.delete(record.id);
      });
    }, delayMs);
    this.#running.set(record.id, timer);
  }
}
