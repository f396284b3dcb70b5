import type { Clock, Timer } from './clock.ts';

interface Alarm {
  at: number;
  run: () => void;
}

/** A clock that stands still until it is told to move. */
export class FakeClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  /** @param start ms since the epoch; the default is a round date, so that timestamps in failures are easy to read. */
  constructor(start: number = Date.UTC(2030, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): Timer {
    const alarm: Alarm = { at: this.#now + ms, run };
    if (Number.isFinite(ms)) this.#alarms.add(alarm);
    return alarm;
  }

  clearTimeout(timer: Timer): void {
    this.#alarms.delete(timer as Alarm);
  }

  /** Moves on by `ms`, firing what falls due in order, timers set meanwhile included. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let due = this.#nextDue(target); due !== undefined; due = this.#nextDue(target)) {
      this.#alarms.delete(due);
      this.#now = due.at;
      due.run();
    }
    this.#now = target;
  }

  #nextDue(target: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.at <= target && (first === undefined || alarm.at < first.at)) first = alarm;
    }
    return first;
  }
}
