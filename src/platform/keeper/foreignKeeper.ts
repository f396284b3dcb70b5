import { NEVER_SENT } from '../../api/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Opening } from '../../streamKeeper/frames.ts';
import { isAlive } from '../storage/windowMark.ts';
import { reserveResponse } from './responseFiles.ts';
import { fetchError } from './storedResponse.ts';

/** Between two looks whether the process runs, in ms. */
const PROCESS_LOOK_MS = 2_000;
/** How long a keeper that lives may write nothing, in ms; it writes a beat each 15 s. */
const SILENCE_MS = 60_000;
/** How long a keeper may take to create its file and write the first frame, in ms. */
const OPENING_MS = 2_000;
/** Most ms that count between two looks: the machine slept for the rest. */
const MAX_STEP_MS = 1_000;

/** Finds out whether the keeper of a response lives, which another window started. */
export class ForeignKeeper {
  readonly #clock: Clock;
  readonly #path: string;
  readonly #window: string;
  #lookedAt: number;
  #offset = 0;
  #quietMs = 0;
  #untilLookMs = 0;

  constructor(path: string, { clock, window }: { readonly clock: Clock; readonly window: string }) {
    this.#path = path;
    this.#clock = clock;
    this.#window = window;
    this.#lookedAt = clock.monotonic();
  }

  /**
   * Returns whether the keeper is gone. Called again and again while no frame comes.
   *
   * @param offset bytes that were read
   * @throws an Error with the code {@link NEVER_SENT} if there is no file; none will be made then
   */
  async isLost(opening: Opening | undefined, offset: number): Promise<boolean> {
    const now = this.#clock.monotonic();
    const step = Math.min(now - this.#lookedAt, MAX_STEP_MS);
    this.#lookedAt = now;
    this.#quietMs = offset === this.#offset ? this.#quietMs + step : 0;
    this.#offset = offset;
    this.#untilLookMs -= step;
    if (opening === undefined) return this.#quietMs > OPENING_MS && (await this.#isUnopened());
    // Where a process id is all that is known, another process may have it now.
    if (opening.keeper.born === undefined && this.#quietMs > SILENCE_MS) return true;
    if (this.#untilLookMs > 0) return false;
    this.#untilLookMs = PROCESS_LOOK_MS;
    return !(await isAlive(opening.keeper));
  }

  /** Returns true if there is a file without a first frame. */
  async #isUnopened(): Promise<boolean> {
    if (await reserveResponse(this.#path, this.#window)) throw fetchError(NEVER_SENT);
    return true;
  }
}
