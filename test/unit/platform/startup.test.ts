import assert from 'node:assert/strict';
import { setImmediate as quiet } from 'node:timers/promises';
import { DeferredPart } from '../../../src/platform/startup.ts';

/** A deferred part that the test finishes loading. */
function loadable() {
  const failures: unknown[] = [];
  const loads: { readonly end: (part: string) => void; readonly fail: (why: Error) => void }[] = [];
  const deferred = new DeferredPart(
    () => new Promise<string>((end, fail) => loads.push({ end, fail })),
    (failure) => failures.push(failure),
  );
  return { deferred, loads, failures };
}

describe('DeferredPart', () => {
  it('a deferred part loads after activation', async () => {
    const { deferred, loads } = loadable();
    await Promise.resolve();
    assert.equal(loads.length, 0);
    await quiet();
    assert.equal(loads.length, 1);
    deferred.dispose();
  });

  it('a deferred part loads once for several callers', async () => {
    const { deferred, loads, failures } = loadable();
    const asked = Promise.all([deferred.get(), deferred.get()]);
    await quiet();
    assert.equal(loads.length, 1);
    assert.equal(deferred.loaded, undefined);
    loads[0]!.end('part');
    assert.deepEqual(await asked, ['part', 'part']);
    assert.equal(await deferred.get(), 'part');
    assert.equal(deferred.loaded, 'part');
    assert.deepEqual(failures, []);
  });

  it('a deferred part never repeats a load that failed', async () => {
    const { deferred, loads, failures } = loadable();
    const broken = new Error('broken');
    const first = assert.rejects(deferred.get(), broken);
    loads[0]!.fail(broken);
    await first;
    await quiet();
    await assert.rejects(deferred.get(), broken);
    assert.equal(deferred.loaded, undefined);
    assert.equal(loads.length, 1);
    assert.deepEqual(failures, [broken]);
  });

  it('a disposed deferred part never loads', async () => {
    const { deferred, loads } = loadable();
    deferred.dispose();
    await quiet();
    assert.equal(loads.length, 0);
  });
});
