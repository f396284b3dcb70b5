import assert from 'node:assert/strict';
import { Watchdog } from '../../../src/api/watchdog.ts';
import { FakeClock } from '../support/fakeClock.ts';

describe('Watchdog', () => {
  let clock: FakeClock;
  let watchdog: Watchdog;
  let events: string[];

  beforeEach(() => {
    clock = new FakeClock();
    events = [];
    watchdog = new Watchdog({
      clock,
      onDead: () => events.push('dead'),
      onSilence: (quietMs) => events.push(`silent ${quietMs}`),
      onSilenceEnd: () => events.push('silence ended'),
    });
  });

  /** Asserts that an event comes after exactly so many milliseconds. */
  function assertAfter(ms: number, event: string): void {
    events.length = 0;
    clock.advance(ms - 1);
    assert.deepEqual(events, []);
    clock.advance(1);
    assert.deepEqual(events, [event]);
  }

  // Rule 21.7
  it('the watchdog reports a dead stream once, if it has carried a keepalive', () => {
    watchdog.recordKeepalive();
    assertAfter(90_000, 'dead');
    clock.advance(1_000_000);
    assert.deepEqual(events, ['dead']);
    assert.equal(clock.waiting, 0);
  });

  it('the watchdog measures the silence of a stream from its last byte', () => {
    watchdog.recordKeepalive();
    clock.advance(60_000);
    watchdog.recordBytes();
    assertAfter(90_000, 'dead');
  });

  it('the watchdog reports silence after each limit, if no keepalive ever came', () => {
    assertAfter(90_000, 'silent 90000');
    assertAfter(90_000, 'silent 180000');
  });

  it('the watchdog reports the first bytes after each silence, and no others', () => {
    watchdog.recordBytes();
    for (let silence = 0; silence < 2; silence++) {
      assertAfter(90_000, 'silent 90000');
      watchdog.recordBytes();
      watchdog.recordBytes();
      assert.deepEqual(events, ['silent 90000', 'silence ended']);
    }
  });

  it('the watchdog waits one more keepalive interval after the machine slept', () => {
    watchdog.recordKeepalive();
    clock.stall(3_600_000);
    assertAfter(30_000, 'dead');
  });

  it('the watchdog keeps a stream alive if bytes come within an interval after a sleep', () => {
    watchdog.recordKeepalive();
    clock.stall(3_600_000);
    clock.advance(10_000);
    watchdog.recordBytes();
    assertAfter(90_000, 'dead');
  });

  for (const [lateMs, expected] of [
    [29_999, ['dead']],
    [30_000, []],
  ] as const)
    it(`the watchdog ${expected.length > 0 ? 'ignores' : 'notices'} a sleep of ${lateMs} ms`, () => {
      watchdog.recordKeepalive();
      clock.stall(90_000 + lateMs);
      assert.deepEqual(events, expected);
    });

  for (const quietMs of [0, 50_000])
    it(`the watchdog reports nothing when disposed ${quietMs} ms after the last byte`, () => {
      clock.advance(quietMs);
      watchdog.recordBytes();
      clock.advance(quietMs);
      watchdog.dispose();
      clock.advance(200_000);
      assert.deepEqual(events, []);
      assert.equal(clock.waiting, 0);
    });
});
