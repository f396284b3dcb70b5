import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { untilNextSecond } from '../../base/timeLeft.ts';

/** Calls now, and then in each moment in which the text of a countdown changes. */
export function everySecondOf(timeLeft: () => number, clock: Clock, draw: () => void): Disposable {
  let timer: Disposable;
  const tick = () => {
    draw();
    timer = clock.setTimeout(tick, Math.ceil(untilNextSecond(timeLeft())));
  };
  tick();
  return { dispose: () => timer.dispose() };
}
