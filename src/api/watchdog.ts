import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { KEEPALIVE_INTERVAL_MS } from './limits.ts';
import type { CallOptions } from './transport.ts';

/** Silence after which a stream counts as dead, in ms: three keepalives are missing. */
export const SILENCE_LIMIT_MS = 3 * KEEPALIVE_INTERVAL_MS;

interface WatchdogOptions extends Pick<CallOptions, 'onSilence' | 'onSilenceEnd'> {
  readonly clock: Clock;
  /** Called once, when a stream that has carried keepalives is silent for {@link SILENCE_LIMIT_MS}. */
  readonly onDead: () => void;
}

/** Detects a dead stream. Starts at once, so it is created when the headers of the response have come. */
export class Watchdog implements Disposable {
  readonly #options: WatchdogOptions;
  #timer: Disposable;
  #lastByteMs: number;
  #keepaliveSeen = false;
  #isSilent = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#lastByteMs = options.clock.monotonic();
    this.#timer = this.#checkIn(SILENCE_LIMIT_MS);
  }

  /** Called for each network chunk, so it touches no timer. */
  recordBytes(): void {
    this.#lastByteMs = this.#options.clock.monotonic();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.onSilenceEnd?.();
  }

  recordKeepalive(): void {
    this.#keepaliveSeen = true;
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #checkIn(delayMs: number): Disposable {
    const { clock } = this.#options;
    const dueMs = clock.monotonic() + delayMs;
    return clock.setTimeout(() => {
      this.#timer = this.#check(clock.monotonic() - dueMs);
    }, delayMs);
  }

  /** @param lateMs how much later than due the timer fired */
  #check(lateMs: number): Disposable {
    const quietMs = this.#options.clock.monotonic() - this.#lastByteMs;
    if (quietMs < SILENCE_LIMIT_MS) return this.#checkIn(SILENCE_LIMIT_MS - quietMs);
    // The machine slept: bytes sent during the sleep may be about to arrive.
    if (lateMs >= KEEPALIVE_INTERVAL_MS) return this.#checkIn(KEEPALIVE_INTERVAL_MS);
    if (!this.#keepaliveSeen) {
      this.#isSilent = true;
      this.#options.onSilence?.(quietMs);
      return this.#checkIn(SILENCE_LIMIT_MS);
    }
    this.#options.onDead();
    return this.#timer;
  }
}
