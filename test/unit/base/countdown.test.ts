import assert from 'node:assert/strict';
import { Countdown } from '../../../src/base/timeLeft.ts';
import { FIVE_MINUTES, START } from '../conversation/questions/fakes.ts';
import { FakeClock } from '../support/fakeClock.ts';

describe('Countdown', () => {
  let clock: FakeClock;

  beforeEach(() => {
    clock = new FakeClock();
  });

  // A step moves the clock by some seconds, or tells how many are left.
  const rows = [
    ['runs with the monotonic clock', 300, 'advance 60, left 240'],
    ['stops at zero', 300, 'advance 360, left 0'],
    ['shows at most five minutes, whatever deadline was stored', 600, 'left 300'],
    ['shows nothing of a deadline that has passed', -1, 'left 0'],
    [
      'does not gain time when the wall clock is set back',
      300,
      'sleep -3600, advance 60, left 240, advance 60, left 180',
    ],
    [
      'counts a sleep of the monotonic clock',
      300,
      'advance 10, sleep 120, left 170, advance 20, left 150',
    ],
    [
      'leaves one keepalive interval after a sleep that outlasted the question',
      300,
      'sleep 3600, left 30, advance 30, left 0',
    ],
    ['stays at zero after a sleep if the time was up before', 1, 'advance 1, sleep 3600, left 0'],
    ['leaves no more after a sleep than before', 5, 'sleep 3600, left 5'],
  ] as const;
  for (const [title, seconds, steps] of rows)
    it(`a countdown ${title}`, () => {
      const countdown = new Countdown(clock, START + seconds * 1_000);
      for (const step of steps.split(', ')) {
        const [what, amount] = step.split(' ');
        const ms = Number(amount) * 1_000;
        if (what === 'left') assert.equal(countdown.leftMs(), ms, step);
        else clock[what === 'sleep' ? 'sleep' : 'advance'](ms);
      }
    });

  it('a countdown continues from the stored deadline after a restart', () => {
    clock.advance(100_000);
    assert.equal(new Countdown(clock, START + FIVE_MINUTES).leftMs(), 200_000);
  });
});
