import { toDisposable, type Disposable } from './disposable.ts';

/** Time as an argument, so that tests can turn it by hand. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never goes back; may stand still while the machine sleeps. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds, unless disposed before. */
  setTimeout(callback: () => void, ms: number): Disposable;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};
