import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { KEEPALIVE_INTERVAL_MS } from './limits.ts';

/** Silence after which a stream is taken for dead, in milliseconds: three keepalives were missed. */
export const SILENCE_LIMIT_MS = 3 * KEEPALIVE_INTERVAL_MS;

/** What a watchdog does about silence. */
interface WatchdogOptions {
  readonly clock: Clock;
  /** The stream has carried keepalives and is dead now. Called once. */
  readonly onDead: () => void;
  /** The stream has never carried a keepalive: a proxy may hold them back. Called again after each further limit. */
  readonly onSilence: (quietMs: number) => void;
  /** Bytes came after a silence that was reported. */
  readonly onSilenceEnd: () => void;
}

/** Notices that a stream has died: nothing for {@link SILENCE_LIMIT_MS}, counted from the response's headers on. */
export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  #timer: Disposable;
  #lastByteMs: number;
  #keepaliveSeen = false;
  #isSilent = false;

  /** Starts watching. */
  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#lastByteMs = options.clock.monotonic();
    this.#timer = this.#check(SILENCE_LIMIT_MS);
  }

  /** Bytes came. Cheap enough to be called for each network chunk: no timer is touched. */
  recordBytes(): void {
    this.#lastByteMs = this.#options.clock.monotonic();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.onSilenceEnd();
  }

  /** A keepalive came: from now on silence means death. */
  recordKeepalive(): void {
    this.#keepaliveSeen = true;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #check(delayMs: number): Disposable {
    const { clock } = this.#options;
    const dueMs = clock.monotonic() + delayMs;
    return clock.setTimeout(() => {
      this.#timer = this.#look(clock.monotonic() - dueMs);
    }, delayMs);
  }

  /** @param lateMs how much later than due the timer fired */
  #look(lateMs: number): Disposable {
    const quietMs = this.#options.clock.monotonic() - this.#lastByteMs;
    if (quietMs < SILENCE_LIMIT_MS) return this.#check(SILENCE_LIMIT_MS - quietMs);
    // The machine slept: what was sent meanwhile may be about to arrive.
    if (lateMs >= KEEPALIVE_INTERVAL_MS) return this.#check(KEEPALIVE_INTERVAL_MS);
    if (!this.#keepaliveSeen) {
      this.#isSilent = true;
      this.#options.onSilence(quietMs);
      return this.#check(SILENCE_LIMIT_MS);
    }
    this.#options.onDead();
    return this.#timer;
  }
}
