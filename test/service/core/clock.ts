export interface Timer {
  dispose(): void;
}

/** The service's only source of time, which tests replace. All times are in ms. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, `ms` from now. A delay of `Infinity` never fires. */
  setTimeout(run: () => void, ms: number): Timer;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => {
    const timer = Number.isFinite(ms) ? setTimeout(run, ms).unref() : undefined;
    return { dispose: () => clearTimeout(timer) };
  },
};
