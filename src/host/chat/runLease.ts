import type { Clock } from '../../base/clock.ts';
import type { Log } from '../log/log.ts';
import { claimFile, readClaim, type Claim } from '../storage/claimFile.ts';
import { removeFile } from '../storage/files.ts';

/** What a lease is made of. */
export interface RunLeaseOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Id of this window. */
  readonly window: string;
}

/**
 * Tells other windows that this one reads the stream of a conversation's run, for as long as it does, by a file that
 * names the window. A window that died is recognised by its process, so nothing has to be cleaned up.
 */
export class RunLease {
  readonly #path: string;
  readonly #options: RunLeaseOptions;
  #claim: Claim | undefined;
  #wanted = false;
  #work: Promise<void> = Promise.resolve();

  constructor(path: string, options: RunLeaseOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Whether this window wants the lease, or has it. */
  get isWanted(): boolean {
    return this.#wanted;
  }

  /** Takes the lease, or gives it back. */
  set(wanted: boolean): void {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#work = this.#work.then(() => (wanted ? this.#take() : this.#release()));
  }

  /** Whether another window that still runs has the lease. */
  async isHeldElsewhere(): Promise<boolean> {
    const held = await readClaim(this.#path, this.#options.clock.now());
    return held !== undefined && held.alive && held.owner?.window !== this.#options.window;
  }

  async #take(): Promise<void> {
    const { clock, window, log } = this.#options;
    try {
      const held = await readClaim(this.#path, clock.now());
      // What a dead window said last is in the record; the lease itself tells nothing more.
      if (held !== undefined && !held.alive) await removeFile(this.#path);
      const result = await claimFile(this.#path, { window, pid: process.pid, at: clock.now() });
      if (result.kind === 'claimed') this.#claim = result.claim;
    } catch (failure) {
      log.warn('Could not tell other windows of a run', failure);
    }
  }

  async #release(): Promise<void> {
    try {
      await this.#claim?.release();
    } catch (failure) {
      this.#options.log.warn('Could not tell other windows that a run ended', failure);
    }
    this.#claim = undefined;
  }
}
