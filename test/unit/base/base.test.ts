import assert from 'node:assert/strict';
import { Alarm, systemClock } from '../../../src/base/clock.ts';
import { DisposableStore, Emitter } from '../../../src/base/disposable.ts';
import { FakeClock } from '../support/fakeClock.ts';

describe('disposables', () => {
  it('a store disposes its members once, the latest first', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    const first = { dispose: () => order.push('first') };
    assert.equal(store.add(first), first);
    store.add({ dispose: () => order.push('second') });
    assert.equal(store.isDisposed, false);
    store.dispose();
    store.dispose();
    assert.deepEqual(order, ['second', 'first']);
    assert.equal(store.isDisposed, true);
  });

  it('a disposed store disposes a new member at once', () => {
    const store = new DisposableStore();
    store.dispose();
    let released = false;
    store.add({ dispose: () => (released = true) });
    assert.equal(released, true);
  });

  it('a store disposes all members if one fails, before it throws the first error', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add({ dispose: () => order.push('first') });
    for (const message of ['second fails', 'third fails'])
      store.add({
        dispose: () => {
          throw new Error(message);
        },
      });
    assert.throws(() => store.dispose(), { message: 'third fails' });
    assert.deepEqual(order, ['first']);
  });
});

describe('Emitter', () => {
  it('an emitter calls listeners in the order of subscription until they unsubscribe', () => {
    const emitter = new Emitter<number>();
    const calls: string[] = [];
    const first = emitter.event((value) => calls.push(`a${value}`));
    emitter.event((value) => calls.push(`b${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(calls, ['a1', 'b1', 'b2']);
  });

  it('an emitter keeps the same function twice as two subscriptions', () => {
    const emitter = new Emitter<undefined>();
    let calls = 0;
    const listener = (): void => {
      calls++;
    };
    const first = emitter.event(listener);
    emitter.event(listener);
    first.dispose();
    emitter.fire(undefined);
    assert.equal(calls, 1);
  });

  it('an emitter does not call a listener that another one has unsubscribed', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => second.dispose());
    const second = emitter.event(() => (called = true));
    emitter.fire(undefined);
    assert.equal(called, false);
  });

  it('an emitter calls all listeners if one fails, before it throws the first error', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => {
      throw new Error('listener fails');
    });
    emitter.event(() => (called = true));
    assert.throws(() => emitter.fire(undefined), { message: 'listener fails' });
    assert.equal(called, true);
  });

  it('an emitter calls no listener once disposed', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => (called = true));
    emitter.dispose();
    emitter.fire(undefined);
    assert.equal(called, false);
  });
});

describe('systemClock', () => {
  it('the system clock has a wall time and a time that never goes back', () => {
    const before = Date.now();
    assert.ok(systemClock.now() >= before && systemClock.now() <= Date.now());
    const first = systemClock.monotonic();
    assert.ok(systemClock.monotonic() >= first);
  });

  it('the system clock calls back no disposed timer', async () => {
    let disposedCalled = false;
    systemClock.setTimeout(() => (disposedCalled = true), 0).dispose();
    await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 1));
    assert.equal(disposedCalled, false);
  });
});

describe('an alarm', () => {
  const minute = 60_000;
  let clock: FakeClock;
  let rung: number[];
  let alarm: Alarm;

  beforeEach(() => {
    clock = new FakeClock();
    rung = [];
    alarm = new Alarm(clock, (at) => rung.push(at));
  });

  it('an alarm rings once, at the time that it was set to last', () => {
    const at = clock.now() + minute;
    alarm.set(at - 1);
    alarm.set(at);
    clock.advance(minute - 1);
    assert.deepEqual(rung, []);
    clock.advance(1);
    assert.deepEqual([rung, clock.waiting], [[at], 0]);
  });

  it('an alarm rings within ten seconds after a sleep that outlasted its time', () => {
    alarm.set(clock.now() + 10 * minute);
    clock.advance(minute);
    clock.sleep(60 * minute);
    clock.advance(10_000);
    assert.equal(rung.length, 1);
  });

  it('an alarm rings in time though the clock was set back', () => {
    alarm.set(clock.now() + minute);
    clock.sleep(-60 * minute);
    clock.advance(minute);
    assert.equal(rung.length, 1);
  });

  it('an alarm that is a month away does not ring at once', () => {
    // Node calls back at once after more than 24 days.
    alarm.set(clock.now() + 2 ** 31);
    assert.ok(clock.untilNext! < 2 ** 31);
    clock.advance(minute);
    assert.deepEqual(rung, []);
    alarm.dispose();
    assert.equal(clock.waiting, 0);
  });
});
