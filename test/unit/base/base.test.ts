import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/event.ts';

describe('base: disposables', () => {
  it('releases once, however often it is disposed', () => {
    let released = 0;
    const disposable = toDisposable(() => released++);
    disposable.dispose();
    disposable.dispose();
    assert.equal(released, 1);
  });

  it('disposes members in the reverse order of their addition, and each once', () => {
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

  it('disposes at once what is added too late, so that nothing leaks', () => {
    const store = new DisposableStore();
    store.dispose();
    let released = false;
    store.add(toDisposable(() => (released = true)));
    assert.equal(released, true);
  });

  it('disposes the others where one fails, and then tells the first failure', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add({ dispose: () => order.push('first') });
    store.add(
      toDisposable(() => {
        throw new Error('second fails');
      }),
    );
    store.add(
      toDisposable(() => {
        throw new Error('third fails');
      }),
    );
    assert.throws(() => store.dispose(), { message: 'third fails' });
    assert.deepEqual(order, ['first']);
  });
});

describe('base: events', () => {
  it('calls listeners in the order of their subscription until they unsubscribe', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`a${value}`));
    emitter.event((value) => heard.push(`b${value}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ['a1', 'b1', 'b2']);
  });

  it('takes the same function twice as two subscriptions', () => {
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

  it('does not call a listener that another one has just unsubscribed', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => second.dispose());
    const second = emitter.event(() => (called = true));
    emitter.fire(undefined);
    assert.equal(called, false);
  });

  it('calls the others where one fails, and then tells the first failure', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => {
      throw new Error('listener fails');
    });
    emitter.event(() => (called = true));
    assert.throws(() => emitter.fire(undefined), { message: 'listener fails' });
    assert.equal(called, true);
  });

  it('drops every listener on disposal', () => {
    const emitter = new Emitter<undefined>();
    let called = false;
    emitter.event(() => (called = true));
    emitter.dispose();
    emitter.fire(undefined);
    assert.equal(called, false);
  });
});

describe('base: the clock of the machine', () => {
  it('tells the wall time and a time that never goes back', () => {
    const before = Date.now();
    assert.ok(systemClock.now() >= before && systemClock.now() <= Date.now());
    const first = systemClock.monotonic();
    assert.ok(systemClock.monotonic() >= first);
  });

  it('calls back once, unless disposed before', async () => {
    let disposedCalled = false;
    systemClock.setTimeout(() => (disposedCalled = true), 0).dispose();
    await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 1));
    assert.equal(disposedCalled, false);
  });
});
