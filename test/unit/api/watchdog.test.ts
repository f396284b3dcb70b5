import assert from 'node:assert/strict';
import { SILENCE_LIMIT_MS, Watchdog } from '../../../src/api/watchdog.ts';
import { FakeClock } from '../support/fakeClock.ts';

function watch(): { clock: FakeClock; watchdog: Watchdog; said: string[] } {
  const clock = new FakeClock();
  const said: string[] = [];
  const watchdog = new Watchdog({
    clock,
    onDead: () => said.push('dead'),
    onSilence: (quietMs) => said.push(`silent ${quietMs}`),
    onSilenceEnd: () => said.push('heard'),
  });
  return { clock, watchdog, said };
}

describe('api watchdog', () => {
  // Rule 21.7
  it('waits three keepalive intervals', () => {
    assert.equal(SILENCE_LIMIT_MS, 90_000);
  });

  it('says once that a stream is dead which has carried a keepalive', () => {
    const { clock, watchdog, said } = watch();
    watchdog.recordKeepalive();
    clock.advance(89_999);
    assert.deepEqual(said, []);
    clock.advance(1);
    assert.deepEqual(said, ['dead']);
    clock.advance(1_000_000);
    assert.deepEqual(said, ['dead']);
    assert.equal(clock.waiting, 0);
  });

  it('counts from the last byte, whenever that came', () => {
    const { clock, watchdog, said } = watch();
    watchdog.recordKeepalive();
    clock.advance(60_000);
    watchdog.recordBytes();
    clock.advance(89_999);
    assert.deepEqual(said, []);
    clock.advance(1);
    assert.deepEqual(said, ['dead']);
  });

  it('only reports silence of a stream that never carried a keepalive, again after each limit', () => {
    const { clock, said } = watch();
    clock.advance(89_999);
    assert.deepEqual(said, []);
    clock.advance(1);
    assert.deepEqual(said, ['silent 90000']);
    clock.advance(90_000);
    assert.deepEqual(said, ['silent 90000', 'silent 180000']);
  });

  it('reports the first bytes after a silence, and no others', () => {
    const { clock, watchdog, said } = watch();
    watchdog.recordBytes();
    clock.advance(90_000);
    watchdog.recordBytes();
    watchdog.recordBytes();
    assert.deepEqual(said, ['silent 90000', 'heard']);
    clock.advance(90_000);
    watchdog.recordBytes();
    assert.deepEqual(said.slice(2), ['silent 90000', 'heard']);
  });

  it('gives a stream one keepalive interval after the machine slept', () => {
    const { clock, watchdog, said } = watch();
    watchdog.recordKeepalive();
    clock.stall(3_600_000);
    assert.deepEqual(said, []);
    clock.advance(29_999);
    assert.deepEqual(said, []);
    clock.advance(1);
    assert.deepEqual(said, ['dead']);
  });

  it('goes on after sleep where bytes came within that interval', () => {
    const { clock, watchdog, said } = watch();
    watchdog.recordKeepalive();
    clock.stall(3_600_000);
    clock.advance(10_000);
    watchdog.recordBytes();
    clock.advance(89_999);
    assert.deepEqual(said, []);
    clock.advance(1);
    assert.deepEqual(said, ['dead']);
  });

  it('takes a timer that is less than an interval late for no sleep, and a whole interval for one', () => {
    const short = watch();
    short.watchdog.recordKeepalive();
    short.clock.stall(90_000 + 29_999);
    assert.deepEqual(short.said, ['dead']);
    const long = watch();
    long.watchdog.recordKeepalive();
    long.clock.stall(90_000 + 30_000);
    assert.deepEqual(long.said, []);
  });

  it('says nothing once it is disposed', () => {
    const { clock, watchdog, said } = watch();
    watchdog.dispose();
    clock.advance(200_000);
    assert.deepEqual(said, []);
    assert.equal(clock.waiting, 0);
  });

  it('watches no more when disposed after its timer was set anew', () => {
    const { clock, watchdog, said } = watch();
    clock.advance(50_000);
    watchdog.recordBytes();
    clock.advance(50_000);
    watchdog.dispose();
    clock.advance(200_000);
    assert.deepEqual(said, []);
  });
});
