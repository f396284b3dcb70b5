import type { ChatEvent } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** Text is handed on at most this often: about two frames of a 60 Hz screen, in ms. */
const gatherMs = 30;

/**
 * Gathers the small change of a stream. The first text and everything that is not text go on at once; more text goes on
 * at most every 30 ms, merged, so that neither the page nor the disk sees a message for each token.
 */
export class Gatherer implements Disposable {
  readonly #clock: Clock;
  readonly #handOn: (events: readonly ChatEvent[]) => void;
  #waiting: ChatEvent[] = [];
  #timer: Disposable | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, handOn: (events: readonly ChatEvent[]) => void) {
    this.#clock = clock;
    this.#handOn = handOn;
  }

  push(events: readonly ChatEvent[]): void {
    let urgent = false;
    for (const event of events) {
      urgent ||= event.kind !== 'text' && event.kind !== 'reasoning';
      this.#merge(event);
    }
    const sinceMs = this.#clock.monotonic() - this.#lastAt;
    if (urgent || sinceMs >= gatherMs) this.flush();
    else
      this.#timer ??= this.#clock.setTimeout(() => {
        this.flush();
      }, gatherMs - sinceMs);
  }

  /** Hands on what waits. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#lastAt = this.#clock.monotonic();
    this.#handOn(events);
  }

  /** Drops what waits. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#waiting = [];
  }

  #merge(event: ChatEvent): void {
    const last = this.#waiting.at(-1);
    if (
      last !== undefined &&
      (event.kind === 'text' || event.kind === 'reasoning') &&
      last.kind === event.kind
    )
      this.#waiting[this.#waiting.length - 1] = { kind: event.kind, text: last.text + event.text };
    else this.#waiting.push(event);
  }
}
