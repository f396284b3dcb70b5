import assert from 'node:assert/strict';
import { setImmediate as quiet } from 'node:timers/promises';
import { Deferred } from '../../../src/platform/startup.ts';

/** A part whose loading the test ends, and what was told of it. */
function loadable() {
  const told: unknown[] = [];
  const loads: { readonly end: (part: string) => void; readonly fail: (why: Error) => void }[] = [];
  const deferred = new Deferred(
    () => new Promise<string>((end, fail) => loads.push({ end, fail })),
    (failure) => told.push(failure),
  );
  return { deferred, loads, told };
}

describe('a deferred part', () => {
  it('is not loaded before activation has returned, and without anyone asking afterwards', async () => {
    const { deferred, loads } = loadable();
    await Promise.resolve();
    assert.equal(loads.length, 0);
    await quiet();
    assert.equal(loads.length, 1);
    deferred.dispose();
  });

  it('is loaded once, by whoever asks first, and all who ask meanwhile wait for it', async () => {
    const { deferred, loads, told } = loadable();
    const asked = Promise.all([deferred.get(), deferred.get()]);
    await quiet();
    assert.equal(loads.length, 1);
    assert.equal(deferred.loaded, undefined);
    loads[0]!.end('part');
    assert.deepEqual(await asked, ['part', 'part']);
    assert.equal(await deferred.get(), 'part');
    assert.equal(deferred.loaded, 'part');
    assert.deepEqual(told, []);
  });

  it('that cannot be loaded is told of once, fails for all who ask, and is not tried again', async () => {
    const { deferred, loads, told } = loadable();
    const broken = new Error('broken');
    const first = assert.rejects(deferred.get(), broken);
    loads[0]!.fail(broken);
    await first;
    await quiet();
    await assert.rejects(deferred.get(), broken);
    assert.equal(deferred.loaded, undefined);
    assert.equal(loads.length, 1);
    assert.deepEqual(told, [broken]);
  });

  it('is not loaded for an end that comes first', async () => {
    const { deferred, loads } = loadable();
    deferred.dispose();
    await quiet();
    assert.equal(loads.length, 0);
  });
});
