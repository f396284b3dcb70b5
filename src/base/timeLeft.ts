import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

const SECOND_MS = 1_000;

/**
 * `m:ss` of what is left, in milliseconds: whole seconds, rounded up, so that `0:00` means that the time is up. The one
 * place where a countdown becomes text, for the editor's dialogs and for the page alike.
 */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(Math.max(ms, 0) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Milliseconds until {@link formatTimeLeft} reads differently, from more than 0 to 1,000. Whoever draws a countdown at
 * these moments never shows another second than the next one who does.
 */
export function untilNextSecond(ms: number): number {
  return Math.max(ms, 0) % SECOND_MS || SECOND_MS;
}

/** Calls now, and then in each moment in which the text of a countdown changes, until the time is up. */
export function everySecondOf(timeLeft: () => number, clock: Clock, draw: () => void): Disposable {
  let timer: Disposable | undefined;
  const tick = () => {
    draw();
    const left = timeLeft();
    timer = left === 0 ? undefined : clock.setTimeout(tick, Math.ceil(untilNextSecond(left)));
  };
  tick();
  return { dispose: () => timer?.dispose() };
}
