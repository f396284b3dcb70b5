import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore, Emitter } from '../../../src/base/disposable.ts';

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

  it('the system clock does not call back at once for a time that is too long for Node', async () => {
    let calls = 0;
    // A clock that was set back by a month makes an alarm wait for so long.
    const timer = systemClock.setTimeout(() => (calls += 1), 2 ** 31);
    await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 5));
    timer.dispose();
    assert.equal(calls, 0);
  });
});
