import type { ChatEvent } from '../api/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** Text is handed on at most this often: about two frames of a 60 Hz screen, in ms. */
const gatherMs = 30;

/** What an intern writes or thinks. */
type TextEvent = Extract<ChatEvent, { kind: 'text' | 'reasoning' }>;

export function isText(event: ChatEvent): event is TextEvent {
  return event.kind === 'text' || event.kind === 'reasoning';
}

/**
 * Merges the small pieces of a stream. The first text and everything that is not text go on at once; more text goes on
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
    for (const event of events) this.#add(event);
    const waitMs = gatherMs - (this.#clock.monotonic() - this.#lastAt);
    if (waitMs <= 0 || !events.every(isText)) this.flush();
    else this.#timer ??= this.#clock.setTimeout(() => this.flush(), waitMs);
  }

  /** Hands on what waits. */
  flush(): void {
    const events = this.#waiting;
    this.dispose();
    if (events.length === 0) return;
    this.#lastAt = this.#clock.monotonic();
    this.#handOn(events);
  }

  /** Drops what waits. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#waiting = [];
  }

  #add(event: ChatEvent): void {
    const last = this.#waiting.at(-1);
    if (last !== undefined && isText(last) && isText(event) && last.kind === event.kind)
      this.#waiting[this.#waiting.length - 1] = { ...event, text: last.text + event.text };
    else this.#waiting.push(event);
  }
}
