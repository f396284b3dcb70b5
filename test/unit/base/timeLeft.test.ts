import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatTimeLeft, msUntilNextSecond } from '../../../src/base/timeLeft.ts';

describe('the time left', () => {
  it('the time left shows 0:00 only when the time is up', () => {
    const times = [-1, 0, 1, 999, 1_000, 59_001, 60_000, 221_000, 300_000];
    const texts = times.map(formatTimeLeft).join(' ');
    assert.equal(texts, '0:00 0:00 0:01 0:01 0:01 1:00 1:00 3:41 5:00');
  });

  const left = fc.integer({ min: 1, max: 300_000 });

  it('msUntilNextSecond returns when a countdown next changes', () => {
    fc.assert(
      fc.property(left, (ms) => {
        const wait = msUntilNextSecond(ms);
        assert.notEqual(formatTimeLeft(ms - wait), formatTimeLeft(ms));
        assert.equal(formatTimeLeft(ms - wait + 1), formatTimeLeft(ms));
      }),
    );
  });

  it('msUntilNextSecond keeps two countdowns of one deadline in step', () => {
    fc.assert(
      fc.property(left, fc.integer({ min: 0, max: 5_000 }), (ms, later) => {
        const drawnAt = (first: number) => {
          const moments = [];
          for (let at = first; at < ms; at += msUntilNextSecond(ms - at)) moments.push(at);
          return moments.slice(1);
        };
        const second = drawnAt(later);
        assert.deepEqual(drawnAt(0).slice(-second.length || Infinity), second);
      }),
    );
  });

  it('msUntilNextSecond never returns zero', () => {
    assert.equal(msUntilNextSecond(0), 1_000);
    assert.equal(msUntilNextSecond(-5), 1_000);
  });
});
