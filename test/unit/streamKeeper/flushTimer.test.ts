import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { FlushTimer } from '../../../src/streamKeeper/flushTimer.ts';

describe('FlushTimer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('a write that failed is repeated once, a second later', () => {
    const timer = new FlushTimer();
    let writes = 0;
    const response = { flush: () => (writes += 1) > 1 };
    timer.add(response);
    mock.timers.tick(10);
    // More of the response does not make it earlier.
    timer.add(response);
    mock.timers.tick(980);
    assert.equal(writes, 1);
    // After the pause, it goes out with the next round.
    for (const ms of [40, 10]) mock.timers.tick(ms);
    assert.equal(writes, 2);
    mock.timers.tick(5_000);
    assert.equal(writes, 2);
  });
});
