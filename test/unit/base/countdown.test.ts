import assert from 'node:assert/strict';
import { Countdown } from '../../../src/base/timeLeft.ts';
import { SleepyClock, FIVE_MINUTES, START } from '../conversation/questions/fakes.ts';

describe('Countdown', () => {
  let clock: SleepyClock;

  beforeEach(() => {
    clock = new SleepyClock();
  });

  it('runs with the monotonic clock and stops at zero', () => {
    const countdown = new Countdown(clock, START + FIVE_MINUTES);
    clock.advance(60_000);
    assert.equal(countdown.left(), 240_000);
    clock.advance(FIVE_MINUTES);
    assert.equal(countdown.left(), 0);
  });

  it('shows at most five minutes, whatever deadline was stored', () => {
    assert.equal(new Countdown(clock, START + 10 * FIVE_MINUTES).left(), FIVE_MINUTES);
    assert.equal(new Countdown(clock, START - 1).left(), 0);
  });

  it('continues from the stored deadline after a restart', () => {
    clock.advance(100_000);
    assert.equal(new Countdown(clock, START + FIVE_MINUTES).left(), 200_000);
  });

  it('does not gain time when the wall clock is set back', () => {
    const countdown = new Countdown(clock, START + FIVE_MINUTES);
    clock.sleep(-3_600_000);
    clock.advance(60_000);
    assert.equal(countdown.left(), 240_000);
    clock.advance(60_000);
    assert.equal(countdown.left(), 180_000);
  });

  it('counts a sleep of the monotonic clock', () => {
    const countdown = new Countdown(clock, START + FIVE_MINUTES);
    clock.advance(10_000);
    clock.sleep(120_000);
    assert.equal(countdown.left(), 170_000);
    clock.advance(20_000);
    assert.equal(countdown.left(), 150_000);
  });

  it('leaves one keepalive interval after a sleep that outlasted the question', () => {
    const countdown = new Countdown(clock, START + FIVE_MINUTES);
    clock.sleep(3_600_000);
    assert.equal(countdown.left(), 30_000);
    clock.advance(30_000);
    assert.equal(countdown.left(), 0);
  });

  it('stays at zero after a sleep if the time was up before', () => {
    const countdown = new Countdown(clock, START + 1_000);
    clock.advance(1_000);
    clock.sleep(3_600_000);
    assert.equal(countdown.left(), 0);
  });

  it('leaves no more after a sleep than before', () => {
    const countdown = new Countdown(clock, START + 5_000);
    clock.sleep(3_600_000);
    assert.equal(countdown.left(), 5_000);
  });
});
